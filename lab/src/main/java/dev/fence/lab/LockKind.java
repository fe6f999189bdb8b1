package dev.fence.lab;

import java.util.Set;

/** What people lock with. */
enum LockKind {
    SINGLE_REDIS("single-redis"),
    REDLOCK("redlock"),
    DATABASE_ROW("database-row"),
    PARTITION("partition"),
    CONSENSUS("consensus");

    private static final int REDLOCK_SERVERS = 5;

    private final String words;

    LockKind(String words) {
        this.words = words;
    }

    /** @param dropped rules of our protocol that are left out */
    LockService make(Witness witness, Set<Rule> dropped) {
        return switch (this) {
            case SINGLE_REDIS -> new ExpiringLock.Redis(1, witness, dropped);
            case REDLOCK -> new ExpiringLock.Redis(REDLOCK_SERVERS, witness, dropped);
            case DATABASE_ROW -> new ExpiringLock.DatabaseRow(witness, dropped);
            case PARTITION -> new ExpiringLock.Partition(witness, dropped);
            case CONSENSUS -> new Consensus(witness, dropped);
        };
    }

    @Override
    public String toString() {
        return words;
    }
}
