@NullMarked
package dev.fence.jdbc;

import org.jspecify.annotations.NullMarked;
