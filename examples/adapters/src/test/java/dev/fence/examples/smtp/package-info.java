@NullMarked
package dev.fence.examples.smtp;

import org.jspecify.annotations.NullMarked;
