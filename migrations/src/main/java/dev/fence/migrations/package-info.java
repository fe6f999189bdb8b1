/** The guard's tables and functions in PostgreSQL, as versioned SQL, and what applies it. */
@NullMarked
package dev.fence.migrations;

import org.jspecify.annotations.NullMarked;
