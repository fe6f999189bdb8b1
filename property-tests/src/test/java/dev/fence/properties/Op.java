package dev.fence.properties;

/** What can be asked of a fence. */
enum Op {
    CREATE("create the guard"),
    SEAL("seal"),
    READ("read"),
    WRITE("write"),
    UPDATE("update"),
    ROLL_BACK("write and fail");

    private final String words;

    Op(String words) {
        this.words = words;
    }

    boolean writes() {
        return this == WRITE || this == UPDATE;
    }

    @Override
    public String toString() {
        return words;
    }
}
