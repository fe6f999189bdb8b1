package dev.fence.lab;

/** One holder, or who wants to be one: compared by identity, like the random id that it stands for. */
final class Acquisition {

    private final int actor;
    private final long session;
    private long token;

    /** @param session that its place hangs on, 0 where a lock knows no sessions */
    Acquisition(int actor, long session) {
        this.actor = actor;
        this.session = session;
    }

    int actor() {
        return actor;
    }

    long session() {
        return session;
    }

    /** 0 as long as nothing is granted. */
    long token() {
        return token;
    }

    void grantedWith(long given) {
        token = given;
    }

    /** The process. */
    String name() {
        return String.valueOf((char) ('A' + actor));
    }

    @Override
    public String toString() {
        return token == 0 ? name() : name() + " with token " + token;
    }
}
