package dev.fence.effects;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.jdbc.JdbcFence;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A node of its own process that runs the payroll until nothing is left of it. */
final class PayoutNode {

    private PayoutNode() {}

    /** Arguments: etcd, JDBC URL, user, provider, how many payouts. The password comes in the environment. */
    public static void main(String[] args) throws InterruptedException {
        Map<String, String> payouts = new LinkedHashMap<>();
        for (int i = 0; i < Integer.parseInt(args[4]); i++) {
            payouts.put("item-" + i, i + " EUR");
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[1]);
        config.setUsername(args[2]);
        config.setPassword(System.getenv("NODE_PASSWORD"));
        config.setMaximumPoolSize(2);
        EtcdSettings etcd = EtcdSettings.of(args[0])
                .withTiming(new SessionTiming(Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ZERO));
        try (HikariDataSource dataSource = new HikariDataSource(config);
                EtcdLeases leases = EtcdLeases.open(etcd)) {
            Effects effects = Effects.on(JdbcFence.on(dataSource));
            HttpChannel channel = new HttpChannel(args[3]);
            for (boolean over = false; !over; ) {
                over = runOnce(leases, effects, channel, payouts);
            }
        }
    }

    private static boolean runOnce(EtcdLeases leases, Effects effects, HttpChannel channel, Map<String, String> payouts)
            throws InterruptedException {
        try (Lease lease = leases.acquire("payroll", Duration.ofSeconds(60))) {
            effects.create(lease);
            BatchReport<String> report =
                    effects.runBatch(lease, channel, "2026-11", payouts, (item, outcome, soFar) -> {
                        System.out.println("item " + soFar.all()); // how far it is
                    });
            System.out.println(report.totals());
            return report.totals().done() == payouts.size();
        } catch (FenceException e) {
            System.out.println("lost: " + e);
            return false;
        }
    }
}
