/**
 * Fence for PostgreSQL: every write is a transaction that checks the guard of its resource first and commits only while
 * the guard carries the writer's own grant. Start with {@link dev.fence.jdbc.JdbcFence}.
 */
@NullMarked
package dev.fence.jdbc;

import org.jspecify.annotations.NullMarked;
