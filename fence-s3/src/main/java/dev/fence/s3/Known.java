package dev.fence.s3;

/** A stamp and the store's tag of the bytes that it is part of: what the next write is conditional on. */
record Known(String tag, Stamp stamp) {}
