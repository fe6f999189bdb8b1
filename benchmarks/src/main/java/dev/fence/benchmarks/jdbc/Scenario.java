package dev.fence.benchmarks.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Under what circumstances all designs take turns. */
record Scenario(int threads, Resources resources, int delayMicros, boolean synchronousCommit) {

    private static final int ACCOUNTS_OF_A_THREAD = 8;

    enum Resources {
        /** All threads write under one guard, or one lock. */
        ONE,
        /** Each account is a resource of its own. */
        MANY;

        String json() {
            return this == ONE ? "one" : "many";
        }
    }

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (boolean synchronousCommit : List.of(true, false)) {
            for (int delayMicros : List.of(0, 500)) {
                for (int threads : List.of(1, 8)) {
                    for (Resources resources : Resources.values()) {
                        all.add(new Scenario(threads, resources, delayMicros, synchronousCommit));
                    }
                }
            }
        }
        return all;
    }

    static int mostAccounts() {
        return ACCOUNTS_OF_A_THREAD
                * all().stream().mapToInt(Scenario::threads).max().orElseThrow();
    }

    /** The accounts of all threads. */
    List<Account> accounts() {
        return IntStream.range(0, threads)
                .boxed()
                .flatMap(thread -> accounts(thread).stream())
                .toList();
    }

    List<Account> accounts(int thread) {
        return IntStream.range(thread * ACCOUNTS_OF_A_THREAD, (thread + 1) * ACCOUNTS_OF_A_THREAD)
                .mapToObj(id -> new Account(id, resources == Resources.ONE ? "ledger" : "account/" + id))
                .toList();
    }

    @Override
    public String toString() {
        return threads
                + (threads == 1 ? " thread, " : " threads, ")
                + resources.json()
                + (resources == Resources.ONE ? " resource" : " resources")
                + (delayMicros == 0 ? "" : ", +" + delayMicros + " µs")
                + (synchronousCommit ? "" : ", synchronous_commit off");
    }
}
