package dev.fence.benchmarks.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.benchmarks.jdbc.Design.Bench;
import dev.fence.benchmarks.jdbc.Design.Write;
import java.util.List;

/** What one write of a design costs whatever the machine: counted over many writes of one thread with nobody else about. */
record Cost(double roundTrips, double walBytes) {

    /** Past the driver's threshold for statements prepared on the server, and past the first touch of each page. */
    private static final int WARM_UP = 20;

    private static final int WRITES = 100;

    static Cost of(Design design, Database database, Scenario.Resources resources) throws Exception {
        Scenario quiet = new Scenario(1, resources, 0, true);
        List<Account> accounts = quiet.accounts();
        try (HikariDataSource pool = database.countedPool()) {
            Write write = design.setUp().on(new Bench(pool, database.lease(), accounts));
            write(write, accounts, WARM_UP);
            int tripsBefore = database.roundTrips();
            long bytesBefore = database.walBytes();
            write(write, accounts, WRITES);
            long bytes = database.walBytes() - bytesBefore;
            return new Cost((database.roundTrips() - tripsBefore) / (double) WRITES, bytes / (double) WRITES);
        }
    }

    private static void write(Write write, List<Account> accounts, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            write.to(accounts.get(i % accounts.size()));
        }
    }
}
