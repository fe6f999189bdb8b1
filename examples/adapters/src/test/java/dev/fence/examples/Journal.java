package dev.fence.examples;

import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.effects.EffectDesk;
import dev.fence.effects.Effects;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.VirtualTime;
import dev.fence.jdbc.JdbcFence;
import dev.fence.migrations.FenceMigrations;
import java.time.Duration;
import javax.sql.DataSource;

/** A real journal, under a lease that lasts until the test lets its time pass. */
public final class Journal {

    public final Effects effects;
    public final EffectDesk desk;
    private final VirtualTime time = new VirtualTime();
    private final InMemoryLeaseService leases = new InMemoryLeaseService(
            "memory", time, new SessionTiming(Duration.ofSeconds(10), Duration.ofMillis(500), Duration.ZERO));

    public Journal() {
        PostgresServer server = PostgresServer.shared();
        DataSource dataSource = server.dataSource(server.createDatabase());
        FenceMigrations.migrate(dataSource);
        effects = Effects.on(JdbcFence.on(dataSource));
        desk = EffectDesk.on(dataSource);
    }

    /** A holder; the former one's lease is over. */
    public Lease holder() throws InterruptedException {
        time.advance(Duration.ofSeconds(11));
        Lease lease = leases.connect().acquire("journal", Duration.ofSeconds(1));
        effects.create(lease);
        return lease;
    }
}
