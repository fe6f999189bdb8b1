package dev.fence.lab;

/** What people lock with. */
enum LockKind {
    SINGLE_REDIS("single-redis"),
    REDLOCK("redlock"),
    DATABASE_ROW("database-row"),
    PARTITION("partition"),
    CONSENSUS("consensus");

    private final String words;

    LockKind(String words) {
        this.words = words;
    }

    LockService make() {
        return switch (this) {
            case SINGLE_REDIS -> new SingleHolderLock.Redis();
            case REDLOCK -> new Redlock();
            case DATABASE_ROW -> new SingleHolderLock.DatabaseRow();
            case PARTITION -> new SingleHolderLock.Partition();
            case CONSENSUS -> new SingleHolderLock.Consensus();
        };
    }

    @Override
    public String toString() {
        return words;
    }
}
