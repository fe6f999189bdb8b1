/** The whole money movement on two nodes. {@code script/example money-movement} runs it. */
@NullMarked
package dev.fence.examples.money;

import org.jspecify.annotations.NullMarked;
