package dev.fence.stress;

import dev.fence.Lease;
import java.util.List;
import java.util.stream.Stream;

/**
 * A way to keep old holders from writing.
 *
 * @param name as on the command line
 * @param levels at which it is raced
 * @param sealing how a new holder begins
 */
record Design(String name, boolean isSound, List<Level> levels, Sealing sealing) {

    /** Raises the guard, or does what the design does instead, and returns what the holder goes on with. */
    interface Sealing {
        Holder seal(Arena arena, Lease lease, String resource) throws Exception;
    }

    /** One holder, used by one thread. */
    interface Holder {
        /**
         * Reads the register's last id and writes {@code id} in its place, once. Returning means that it is committed.
         *
         * @throws Stale or another exception, if nothing was changed
         */
        void step(long id, Pauses pauses) throws Exception;
    }

    /** A design of ours has refused an old holder. */
    static final class Stale extends Exception {
        private static final long serialVersionUID = 1;
    }

    static Design sound(String name, Sealing sealing) {
        return new Design(name, true, List.of(Level.values()), sealing);
    }

    static Design broken(String name, Level level, Sealing sealing) {
        return new Design(name, false, List.of(level), sealing);
    }

    static List<Design> all() {
        return Stream.concat(Modes.all().stream(), BrokenDesigns.all().stream()).toList();
    }
}
