package dev.fence.guard;

import static dev.fence.guard.jooq.Tables.GUARD;
import static dev.fence.guard.jooq.Tables.SEAL_LOG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.VirtualTime;
import dev.fence.jdbc.JdbcFence;
import dev.fence.migrations.FenceMigrations;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** The classes that the build has generated, before a database that was migrated by the same scripts. */
class GuardTablesIT {

    @Test
    void whoSealedWhatCanBeAskedInTypes() throws InterruptedException {
        PostgresServer server = PostgresServer.shared();
        DataSource dataSource = server.dataSource(server.createDatabase());
        FenceMigrations.migrate(dataSource);
        Lease lease = new InMemoryLeaseService(
                        "memory",
                        new VirtualTime(),
                        new SessionTiming(Duration.ofSeconds(10), Duration.ofMillis(500), Duration.ZERO))
                .connect()
                .acquire("payouts/EU", Duration.ofSeconds(1));
        JdbcFence.on(dataSource).create(lease, "ledger/EU");

        DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        assertThat(dsl.select(GUARD.TOKEN, GUARD.HOLDER)
                        .from(GUARD)
                        .where(GUARD.RESOURCE.eq("ledger/EU"))
                        .fetchSingle())
                .satisfies(guard -> {
                    assertThat(guard.value1()).isEqualTo(lease.token().value());
                    assertThat(guard.value2()).isEqualTo(lease.grant().holder());
                });
        assertThat(dsl.fetchValues(dsl.select(SEAL_LOG.ACTION).from(SEAL_LOG).where(SEAL_LOG.RESOURCE.eq("ledger/EU"))))
                .containsExactly("created");
    }
}
