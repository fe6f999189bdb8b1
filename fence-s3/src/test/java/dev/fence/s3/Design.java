package dev.fence.s3;

import dev.fence.Lease;
import java.util.UUID;

/** A way to let several holders write one object, to be put through {@link History}. */
interface Design {

    /** Makes the object ready for its first holder. */
    void create(Lease lease);

    /** A holder comes. Throws a refusal, or what leaves the outcome unknown. */
    Session seal(Lease lease);

    /** The grant in other hands. */
    Session attach(Lease lease);

    /** Who stored these bytes, and by which write. */
    Mark mark(SimulatedS3.Version version);

    /** Writes under one grant. */
    interface Session {
        /**
         * Writes {@code value}; tells the write's id before anything is sent.
         *
         * @param onTopOfRead whether to read first and to write only on top of what was read
         */
        void write(String value, boolean onTopOfRead, Announced announced);
    }

    /** Hears about a write before it is sent. */
    interface Announced {
        void write(UUID id, long sequenceRead);
    }

    /**
     * Who stored a version.
     *
     * @param sequence zero if the design has none
     */
    record Mark(long token, UUID id, long sequence) {}
}
