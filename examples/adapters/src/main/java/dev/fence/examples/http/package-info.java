/** Payments over HTTP as effects: once, since the gateway honours idempotency keys. */
@NullMarked
package dev.fence.examples.http;

import org.jspecify.annotations.NullMarked;
