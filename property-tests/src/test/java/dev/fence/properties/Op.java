package dev.fence.properties;

import java.util.stream.Stream;

/** What can be asked of a fence. */
enum Op {
    CREATE("create the guard"),
    SEAL("seal"),
    READ("read"),
    WRITE("write"),
    UPDATE("update"),
    WRITE_BACK("write back"),
    ROLL_BACK("write and fail");

    private final String words;

    Op(String words) {
        this.words = words;
    }

    boolean writes() {
        return this == WRITE || this == UPDATE || this == WRITE_BACK;
    }

    static Op of(String words) {
        return Stream.of(values())
                .filter(op -> op.words.equals(words))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no operation: " + words));
    }

    @Override
    public String toString() {
        return words;
    }
}
