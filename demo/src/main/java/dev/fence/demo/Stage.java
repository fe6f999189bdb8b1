package dev.fence.demo;

import dev.fence.Lease;
import dev.fence.Leases;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.fixtures.EtcdServer;
import dev.fence.fixtures.PostgresServer;
import dev.fence.jdbc.JdbcFence;
import dev.fence.migrations.FenceMigrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL and an etcd with a migrated, empty ledger, both gone on close. */
final class Stage implements AutoCloseable {

    static final String APPLICATION_PASSWORD = "demo";

    private final PostgresServer postgres;
    private final EtcdServer etcd;
    /** Also the name of the application's role and of its namespace in etcd: nothing of a server that was there before is met. */
    private final String database;

    private Stage(PostgresServer postgres, EtcdServer etcd) {
        this.postgres = postgres;
        this.etcd = etcd;
        this.database = postgres.createDatabase();
    }

    /** @param postgresPort null for a free one */
    static Stage open(@Nullable Integer postgresPort) {
        PostgresServer postgres =
                postgresPort == null ? PostgresServer.start() : PostgresServer.start("port=" + postgresPort);
        try {
            return new Stage(postgres, EtcdServer.start());
        } catch (RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    /** What an installation does once: the migrations, an application role with rights to execute and no more, the guard. */
    void prepare() throws SQLException, InterruptedException {
        FenceMigrations.migrate(administrator());
        try (Connection connection = administrator().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + applicationUser() + " LOGIN PASSWORD '" + APPLICATION_PASSWORD
                    + "' IN ROLE fence_application");
            Ledger.create(connection, applicationUser());
        }
        EtcdSettings settings = EtcdSettings.of(etcdEndpoints().get(0)).withNamespace(namespace());
        try (Leases leases = EtcdLeases.open(settings);
                Lease lease = leases.acquire(Ledger.LEASE, Duration.ofSeconds(10))) {
            JdbcFence.on(administrator()).create(lease, Ledger.RESOURCE);
        }
    }

    DataSource administrator() {
        return postgres.dataSource(database);
    }

    String jdbcUrl() {
        return postgres.jdbcUrl(database);
    }

    String applicationUser() {
        return database + "_payouts";
    }

    String namespace() {
        return database;
    }

    List<String> etcdEndpoints() {
        return etcd.endpoints();
    }

    @Override
    public void close() {
        try (postgres) {
            etcd.close();
        }
    }
}
