package dev.fence.benchmarks.jdbc;

import dev.fence.benchmarks.jdbc.Design.Bench;
import dev.fence.benchmarks.jdbc.Design.Write;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The plain write, and what people put around it instead of a fence. The last two do not even fence. */
final class Alternatives {

    private static final Duration LONGEST_LOCK = Duration.ofSeconds(30);

    /** What the designs need besides the accounts. */
    static final String TABLES = """
            CREATE TABLE lock_row (name text PRIMARY KEY);
            CREATE TABLE shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL,
              locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL);
            CREATE TABLE int_lock (lock_key char(36) NOT NULL, region varchar(100) NOT NULL, client_id char(36),
              created_date timestamp NOT NULL, expired_after timestamp, PRIMARY KEY (lock_key, region));
            """;

    private Alternatives() {}

    static void update(Connection connection, Account account) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Account.UPDATE)) {
            statement.setLong(1, account.id());
            if (statement.executeUpdate() != 1) {
                throw new SQLException("there is no account " + account.id());
            }
        }
    }

    static Write plain(Bench bench) {
        return account -> {
            try (Connection connection = bench.pool().getConnection()) {
                update(connection, account);
            }
        };
    }

    static Write plainTransaction(Bench bench) {
        return account -> inTransaction(bench, connection -> update(connection, account));
    }

    static Write forUpdate(Bench bench) throws SQLException {
        try (Connection connection = bench.pool().getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO lock_row VALUES (?) ON CONFLICT DO NOTHING")) {
            for (String resource : bench.resources()) {
                insert.setString(1, resource);
                insert.executeUpdate();
            }
        }
        return account -> inTransaction(bench, connection -> {
            ask(connection, "SELECT name FROM lock_row WHERE name = ? FOR UPDATE", account.resource());
            update(connection, account);
        });
    }

    static Write advisory(Bench bench) {
        return account -> inTransaction(bench, connection -> {
            ask(connection, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", account.resource());
            update(connection, account);
        });
    }

    /** It does not wait for a lock, so whoever does not get it pauses for a moment and asks again. */
    static Write shedLock(Bench bench) {
        LockProvider locks = new JdbcLockProvider(bench.pool());
        return account -> {
            SimpleLock lock = shedLock(locks, account.resource());
            try {
                plain(bench).to(account);
            } finally {
                lock.unlock();
            }
        };
    }

    private static SimpleLock shedLock(LockProvider locks, String name) throws InterruptedException {
        while (true) {
            Optional<SimpleLock> lock =
                    locks.lock(new LockConfiguration(Instant.now(), name, LONGEST_LOCK, Duration.ZERO));
            if (lock.isPresent()) {
                return lock.get();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
        }
    }

    /** One registry for all threads, as in one process: they first queue for a lock in memory. */
    static Write springLock(Bench bench) {
        DefaultLockRepository repository = new DefaultLockRepository(bench.pool());
        repository.setTransactionManager(new JdbcTransactionManager(bench.pool()));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository);
        return account -> {
            Lock lock = registry.obtain(account.resource());
            lock.lock();
            try {
                plain(bench).to(account);
            } finally {
                lock.unlock();
            }
        };
    }

    private interface Body {
        void run(Connection connection) throws SQLException;
    }

    private static void inTransaction(Bench bench, Body body) throws SQLException {
        try (Connection connection = bench.pool().getConnection()) {
            connection.setAutoCommit(false);
            body.run(connection);
            connection.commit();
            connection.setAutoCommit(true);
        } // with an error the pool rolls back
    }

    private static void ask(Connection connection, String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
            }
        }
    }
}
