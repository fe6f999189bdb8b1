@NullMarked
package dev.fence.migrations;

import org.jspecify.annotations.NullMarked;
