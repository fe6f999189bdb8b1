@NullMarked
package dev.fence.examples.http;

import org.jspecify.annotations.NullMarked;
