package dev.fence.properties;

import dev.fence.Grant;

/**
 * What a {@link Holder} answers to one command, as one line.
 *
 * @param end a {@link Verdict}, or {@link #INSIDE}
 * @param value what a read returned, else 0
 * @param words the grant that was given, or why something failed
 */
record HolderReply(String end, long value, String words) {

    /** The body was entered; the verdict comes when it has ended. */
    static final String INSIDE = "INSIDE";

    static HolderReply done(long value) {
        return new HolderReply(Verdict.DONE.name(), value, "");
    }

    static HolderReply granted(Grant grant) {
        return new HolderReply(Verdict.DONE.name(), 0, grant.toString());
    }

    static HolderReply inside() {
        return new HolderReply(INSIDE, 0, "");
    }

    static HolderReply failed(RuntimeException e) {
        return new HolderReply(Verdict.of(e).name(), 0, String.valueOf(e));
    }

    boolean isDone() {
        return end.equals(Verdict.DONE.name());
    }

    @Override
    public String toString() {
        return end + "\t" + value + "\t" + words.replaceAll("\\s+", " ");
    }

    static HolderReply parse(String line) {
        String[] fields = line.split("\t", 3);
        return new HolderReply(fields[0], Long.parseLong(fields[1]), fields[2]);
    }
}
