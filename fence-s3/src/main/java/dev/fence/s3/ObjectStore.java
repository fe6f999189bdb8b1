package dev.fence.s3;

/**
 * The two requests that the protocol is made of. Every answer is a value: whatever a client throws is mapped to the one that
 * promises least. Nothing here repeats a request.
 */
interface ObjectStore {

    /** Stores {@code bytes} under {@code key} if the condition holds there. */
    Put put(String key, byte[] bytes, Condition condition);

    /** Reads an object, whole or as much as fits into a slot. */
    Get get(String key);

    /** What must hold at the store for a PUT to be carried out. */
    sealed interface Condition {
        /** Nothing is stored under the key: {@code If-None-Match: *}. */
        record Absent() implements Condition {}

        /** What is stored carries this tag: {@code If-Match}. */
        record Tag(String tag) implements Condition {}
    }

    /** The answer to a conditional PUT. */
    sealed interface Put {
        /** Carried out; the store's tag of the new bytes. */
        record Stored(String tag) implements Put {}

        /** 412 on the only attempt: the condition did not hold, nothing changed. */
        record ConditionFailed(Throwable cause) implements Put {}

        /** 404 on the only attempt: nothing is there, nothing changed. */
        record Missing(Throwable cause) implements Put {}

        /** The store will not do it whatever the condition, such as 403: nothing changed, and asking again will not help. */
        record Rejected(Throwable cause) implements Put {}

        /** The store was not reached: nothing was sent. */
        record NotSent(Throwable cause) implements Put {}

        /** Anything else: it may have been carried out, or may still be. */
        record Ambiguous(Throwable cause) implements Put {}
    }

    /** The answer to a GET. */
    sealed interface Get {
        /**
         * An object.
         *
         * @param bytes all of it, or its beginning if it is longer than any slot
         * @param length its length in bytes
         */
        @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
        record Found(String tag, byte[] bytes, long length) implements Get {}

        /** Nothing is stored under the key. */
        record Missing(Throwable cause) implements Get {}

        /** The store will not answer, such as 403, and asking again will not help. */
        record Rejected(Throwable cause) implements Get {}

        /** Anything else: not known, now. */
        record Failed(Throwable cause) implements Get {}
    }
}
