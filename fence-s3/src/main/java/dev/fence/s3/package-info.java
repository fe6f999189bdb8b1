/**
 * Fenced writes to objects on S3 and compatible stores, by conditional PUTs alone.
 *
 * <p>Start with {@link dev.fence.s3.S3Fence}; whoever only reads starts with {@link dev.fence.s3.FencedObjects}.
 */
@NullMarked
package dev.fence.s3;

import org.jspecify.annotations.NullMarked;
