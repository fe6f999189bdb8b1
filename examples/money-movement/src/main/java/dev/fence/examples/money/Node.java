package dev.fence.examples.money;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.effects.Effects;
import dev.fence.effects.Overlap;
import dev.fence.effects.SlotOutcome;
import dev.fence.effects.Slots;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.jdbc.JdbcFence;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** One node, as a process of its own. All nodes do the same: whose timer rings runs the slot, if nobody has. */
final class Node {

    static final String JOB = "settlement";
    private static final Duration TTL = Duration.ofSeconds(4);
    private static final int TRIES = 10;

    /** Held here, for the logging of the platform forgets levels of loggers that nobody holds. */
    private static final Logger GRPC_LOG = Logger.getLogger("io.grpc");

    private Node() {}

    /** Arguments: etcd, JDBC URL, user, bank, and the slots. The password is in the environment. */
    public static void main(String[] args) throws Exception {
        GRPC_LOG.setLevel(Level.WARNING);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[1]);
        config.setUsername(args[2]);
        config.setPassword(System.getenv(MoneyMovement.PASSWORD));
        config.setMaximumPoolSize(4);
        EtcdSettings etcd =
                EtcdSettings.of(args[0]).withTiming(new SessionTiming(TTL, Duration.ofMillis(500), Duration.ZERO));
        try (HikariDataSource dataSource = new HikariDataSource(config);
                EtcdLeases leases = EtcdLeases.open(etcd)) {
            for (int i = 4; i < args.length; i++) {
                untilOver(leases, dataSource, URI.create(args[3]), Instant.parse(args[i]));
            }
        }
    }

    private static void untilOver(EtcdLeases leases, DataSource dataSource, URI bank, Instant slot) throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                System.out.println(told(once(leases, dataSource, bank, slot)));
                return;
            } catch (FenceException e) {
                System.out.println("slot " + slot + ": " + e.getMessage());
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static SlotOutcome once(EtcdLeases leases, DataSource dataSource, URI bank, Instant slot) throws Exception {
        JdbcFence fence = JdbcFence.on(dataSource);
        try (Lease lease = leases.acquire(JOB, Duration.ofMinutes(1))) {
            Effects.on(fence).create(lease);
            fence.create(lease, Settlement.LEDGER);
            return Slots.on(fence)
                    .<Exception>once(
                            lease,
                            JOB,
                            slot,
                            Overlap.skip(),
                            run -> new Settlement(dataSource, fence, lease, bank).run(run));
        }
    }

    private static String told(SlotOutcome outcome) {
        return outcome instanceof SlotOutcome.Ran ? "ran " + outcome.slot() : "nothing to do: " + outcome.slot();
    }
}
