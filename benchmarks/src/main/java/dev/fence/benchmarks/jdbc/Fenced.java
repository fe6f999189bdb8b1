package dev.fence.benchmarks.jdbc;

import dev.fence.FencedWriter;
import dev.fence.benchmarks.jdbc.Design.Bench;
import dev.fence.benchmarks.jdbc.Design.Write;
import dev.fence.jdbc.JdbcFence;
import dev.fence.jdbc.JdbcFenceSettings;
import dev.fence.jdbc.JdbcWriter;
import dev.fence.jdbc.JoinedTransaction;
import dev.fence.jdbc.JooqFence;
import dev.fence.jdbc.RowFence;
import dev.fence.jdbc.RowTable;
import dev.fence.jdbc.RowWriter;
import dev.fence.jdbc.Verification;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;

/** The modes of fence-jdbc. */
final class Fenced {

    private Fenced() {}

    static Write execute(Bench bench) {
        Map<String, JdbcWriter> writers = sealed(bench);
        return account -> at(writers, account.resource()).execute(Account.UPDATE, account.id());
    }

    static Write write(Bench bench) {
        Map<String, JdbcWriter> writers = sealed(bench);
        return account -> at(writers, account.resource()).write(connection -> Alternatives.update(connection, account));
    }

    static Write jooq(Bench bench) {
        JooqFence fence =
                JooqFence.over(JdbcFence.on(bench.pool()), new DefaultConfiguration().set(SQLDialect.POSTGRES));
        Map<String, FencedWriter<DSLContext>> writers = new HashMap<>();
        sealed(bench).forEach((resource, writer) -> writers.put(resource, fence.over(writer)));
        Field<Long> id = DSL.field("id", Long.class);
        Field<Long> balance = DSL.field("balance", Long.class);
        return account -> at(writers, account.resource())
                .write(dsl -> dsl.update(DSL.table("account"))
                        .set(balance, balance.plus(1))
                        .where(id.eq(account.id()))
                        .execute());
    }

    static Write join(Bench bench) {
        Map<String, JdbcWriter> writers = sealed(bench);
        return account -> {
            try (Connection connection = bench.pool().getConnection()) {
                connection.setAutoCommit(false);
                try (JoinedTransaction joined = at(writers, account.resource()).join(connection)) {
                    Alternatives.update(connection, account);
                    joined.beforeCommit();
                    connection.commit();
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        };
    }

    /** Each row is a resource of its own here, and carries its token. */
    static Write row(Bench bench) {
        RowFence fence = RowFence.over(JdbcFence.on(bench.pool()), RowTable.of("row_account", "id"));
        Map<Long, RowWriter> writers = new HashMap<>();
        for (Account account : bench.accounts()) {
            String resource = "row_account/" + account.id();
            fence.create(bench.lease(), resource);
            writers.put(account.id(), fence.seal(bench.lease(), resource));
        }
        return account -> at(writers, account.id()).update("balance = balance + 1");
    }

    /** The trigger checks once more. */
    static Write onProtectedTable(Bench bench) throws SQLException {
        Map<String, JdbcWriter> writers = sealed(bench);
        boolean one = bench.resources().size() == 1;
        String table = one ? "protected_ledger" : "protected_account";
        String protect = one
                ? "SELECT fence.protect_v1('protected_ledger', '"
                        + bench.resources().get(0) + "', false)"
                : "SELECT fence.protect_rows_v1('protected_account', 'account/', 'id', false)";
        try (Connection connection = bench.pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(protect);
        }
        String update = Account.UPDATE.replace("account", table);
        return account -> at(writers, account.resource()).execute(update, account.id());
    }

    /** As {@link #execute}, and leaves a record by which an unknown outcome can be told. */
    static Write verifiable(Bench bench) {
        Map<String, JdbcWriter> writers =
                sealed(bench, JdbcFenceSettings.DEFAULTS.withVerification(Verification.STATEMENTS_TOO));
        return account -> at(writers, account.resource()).execute(Account.UPDATE, account.id());
    }

    private static Map<String, JdbcWriter> sealed(Bench bench) {
        return sealed(bench, JdbcFenceSettings.DEFAULTS);
    }

    private static Map<String, JdbcWriter> sealed(Bench bench, JdbcFenceSettings settings) {
        JdbcFence fence = JdbcFence.on(bench.pool(), settings);
        Map<String, JdbcWriter> writers = new HashMap<>();
        for (String resource : bench.resources()) {
            fence.create(bench.lease(), resource);
            writers.put(resource, fence.seal(bench.lease(), resource));
        }
        return writers;
    }

    private static <K, W> W at(Map<K, W> writers, K key) {
        W writer = writers.get(key);
        if (writer == null) {
            throw new IllegalStateException("nobody sealed " + key);
        }
        return writer;
    }
}
