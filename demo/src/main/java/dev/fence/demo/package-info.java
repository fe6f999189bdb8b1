/** The one story of this project, run for real: {@code script/demo}. */
@NullMarked
package dev.fence.demo;

import org.jspecify.annotations.NullMarked;
