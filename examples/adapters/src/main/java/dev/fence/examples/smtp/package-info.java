/** Mail as effects: at most once, since a mail server honours no keys. */
@NullMarked
package dev.fence.examples.smtp;

import org.jspecify.annotations.NullMarked;
