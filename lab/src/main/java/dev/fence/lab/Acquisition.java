package dev.fence.lab;

/** One holder: compared by identity, like the random id that it stands for. */
final class Acquisition {

    private final int actor;
    private final long token;

    Acquisition(int actor, long token) {
        this.actor = actor;
        this.token = token;
    }

    int actor() {
        return actor;
    }

    long token() {
        return token;
    }

    @Override
    public String toString() {
        return (char) ('A' + actor) + " with token " + token;
    }
}
