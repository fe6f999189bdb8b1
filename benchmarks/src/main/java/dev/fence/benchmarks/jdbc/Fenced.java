package dev.fence.benchmarks.jdbc;

import dev.fence.FencedWriter;
import dev.fence.benchmarks.jdbc.Design.Bench;
import dev.fence.benchmarks.jdbc.Design.Write;
import dev.fence.jdbc.JdbcFence;
import dev.fence.jdbc.JdbcWriter;
import dev.fence.jdbc.JoinedTransaction;
import dev.fence.jdbc.JooqFence;
import java.sql.Connection;
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
        return account -> at(writers, account).execute(Account.UPDATE, account.id());
    }

    static Write write(Bench bench) {
        Map<String, JdbcWriter> writers = sealed(bench);
        return account -> at(writers, account).write(connection -> Alternatives.update(connection, account));
    }

    static Write jooq(Bench bench) {
        JooqFence fence =
                JooqFence.over(JdbcFence.on(bench.pool()), new DefaultConfiguration().set(SQLDialect.POSTGRES));
        Map<String, FencedWriter<DSLContext>> writers = new HashMap<>();
        sealed(bench).forEach((resource, writer) -> writers.put(resource, fence.over(writer)));
        Field<Long> id = DSL.field("id", Long.class);
        Field<Long> balance = DSL.field("balance", Long.class);
        return account -> at(writers, account)
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
                try (JoinedTransaction joined = at(writers, account).join(connection)) {
                    Alternatives.update(connection, account);
                    joined.beforeCommit();
                    connection.commit();
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        };
    }

    private static Map<String, JdbcWriter> sealed(Bench bench) {
        JdbcFence fence = JdbcFence.on(bench.pool());
        Map<String, JdbcWriter> writers = new HashMap<>();
        for (String resource : bench.resources()) {
            fence.create(bench.lease(), resource);
            writers.put(resource, fence.seal(bench.lease(), resource));
        }
        return writers;
    }

    private static <W> W at(Map<String, W> writers, Account account) {
        W writer = writers.get(account.resource());
        if (writer == null) {
            throw new IllegalStateException("nobody sealed " + account.resource());
        }
        return writer;
    }
}
