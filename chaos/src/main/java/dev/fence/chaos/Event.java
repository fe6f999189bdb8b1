package dev.fence.chaos;

/**
 * One line of a history.
 *
 * @param at {@link System#nanoTime}, which on Linux is one clock for all processes of a machine
 * @param who {@code process/thread}, or one of the run itself
 * @param lease the name of the lease, or empty
 * @param token of the grant, or zero
 * @param detail depends on {@code what}
 */
record Event(long at, String who, What what, String lease, long token, String detail) {

    private static final String SEPARATOR = "\t";

    static Event of(long at, String who, What what, String detail) {
        return new Event(at, who, what, "", 0, detail);
    }

    /** The process that {@code who} is a thread of. */
    String process() {
        int slash = who.indexOf('/');
        return slash < 0 ? who : who.substring(0, slash);
    }

    String toLine() {
        return String.join(
                SEPARATOR,
                Long.toString(at),
                who,
                what.name(),
                lease,
                Long.toString(token),
                detail.replaceAll("[\\t\\r\\n]+", " "));
    }

    /** @throws IllegalArgumentException if it is no line of a history */
    static Event parse(String line) {
        String[] parts = line.split(SEPARATOR, -1);
        if (parts.length != 6) {
            throw new IllegalArgumentException("not a line of a history: " + line);
        }
        return new Event(
                Long.parseLong(parts[0]),
                parts[1],
                What.valueOf(parts[2]),
                parts[3],
                Long.parseLong(parts[4]),
                parts[5]);
    }
}
