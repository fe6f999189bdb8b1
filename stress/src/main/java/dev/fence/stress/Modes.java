package dev.fence.stress;

import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.jdbc.JdbcWriter;
import dev.fence.jdbc.JoinedTransaction;
import dev.fence.jdbc.JooqFence;
import dev.fence.jdbc.RowWriter;
import dev.fence.stress.Design.Holder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * The modes of fence-jdbc. A holder reads and pauses and writes, in one transaction or in two. It seals through a slow link, so
 * that others run into its seal, and writes with an attached grant, so that the database alone decides who is old.
 */
final class Modes {

    private Modes() {}

    static List<Design> all() {
        return List.of(
                Design.sound("write", Modes::write),
                Design.sound("execute", Modes::execute),
                Design.sound("jooq", Modes::jooq),
                Design.sound("join", Modes::join),
                Design.sound("several", Modes::several),
                Design.sound("batch", Modes::batch),
                Design.sound("level", Modes::level),
                Design.sound("row", Modes::row),
                Design.sound("protected", Modes::onProtectedTable));
    }

    private static Holder write(Arena arena, Lease lease, String resource) {
        arena.slowFence().seal(lease, resource);
        return writing(arena.fence().attach(lease.grant(), resource), resource);
    }

    private static Holder writing(FencedWriter<Connection> writer, String resource) {
        long token = writer.grant().token().value();
        return (id, pauses) -> {
            long before = readBefore(writer, resource, pauses);
            writer.write(c -> {
                long seen = before >= 0 ? before : Register.read(c, resource);
                pauses.perhaps();
                Register.write(c, resource, token, id, seen);
                pauses.perhaps();
            });
        };
    }

    /** In a transaction of its own, or negative: then the read belongs to the writing transaction. */
    private static long readBefore(FencedWriter<Connection> writer, String resource, Pauses pauses)
            throws SQLException, InterruptedException {
        if (pauses.coin()) {
            return -1;
        }
        long seen = writer.call(c -> Register.read(c, resource));
        pauses.perhaps();
        return seen;
    }

    private static Holder execute(Arena arena, Lease lease, String resource) {
        arena.slowFence().seal(lease, resource);
        return executing(arena.fence().attach(lease.grant(), resource), resource);
    }

    private static Holder executing(JdbcWriter writer, String resource) {
        long token = writer.grant().token().value();
        return (id, pauses) -> {
            long seen = writer.call(c -> Register.read(c, resource));
            pauses.perhaps();
            writer.execute(Register.WRITE, token, id, seen, resource);
        };
    }

    private static Holder batch(Arena arena, Lease lease, String resource) {
        arena.slowFence().seal(lease, resource);
        JdbcWriter writer = arena.fence().attach(lease.grant(), resource);
        long token = lease.grant().token().value();
        return (id, pauses) -> {
            long seen = writer.call(c -> Register.read(c, resource));
            pauses.perhaps();
            writer.executeBatch(Register.WRITE, List.<Object[]>of(new Object[] {token, id, seen, resource}));
        };
    }

    /** The fence says the isolation level, also within the one message of a statement. */
    private static Holder level(Arena arena, Lease lease, String resource) {
        arena.slowFence().seal(lease, resource);
        JdbcWriter writer = arena.levelFence().attach(lease.grant(), resource);
        Holder writing = writing(writer, resource);
        Holder executing = executing(writer, resource);
        return (id, pauses) -> (pauses.coin() ? writing : executing).step(id, pauses);
    }

    private static Holder row(Arena arena, Lease lease, String resource) {
        String row = Arena.row(resource);
        Arena.rows(arena.slowFence()).seal(lease, row);
        RowWriter writer = Arena.rows(arena.fence()).attach(lease.grant(), row);
        long token = lease.grant().token().value();
        Holder writing = writing(writer, resource);
        return (id, pauses) -> {
            if (pauses.coin()) {
                writing.step(id, pauses);
            } else {
                long seen = writer.call(c -> Register.read(c, resource));
                pauses.perhaps();
                writer.update("token = ?, last = ?, seen = ?", token, id, seen);
            }
        };
    }

    /** The check that counts is the trigger's, so the commit needs none before it. */
    private static Holder onProtectedTable(Arena arena, Lease lease, String resource) {
        arena.slowFence().seal(lease, resource);
        JdbcWriter writer = arena.fence().attach(lease.grant(), resource);
        long token = lease.grant().token().value();
        return (id, pauses) -> arena.inTransaction(connection -> {
            try (JoinedTransaction joined = writer.join(connection)) {
                long seen = Register.read(connection, Register.onProtected(Register.READ), resource);
                pauses.perhaps();
                Register.update(connection, Register.onProtected(Register.WRITE), token, id, seen, resource);
                pauses.perhaps();
                Arena.commit(connection, joined);
            }
        });
    }

    private static Holder jooq(Arena arena, Lease lease, String resource) {
        arena.slowFence().seal(lease, resource);
        FencedWriter<DSLContext> writer = JooqFence.over(arena.fence()).attach(lease.grant(), resource);
        long token = lease.grant().token().value();
        Field<Long> last = DSL.field("last", Long.class);
        return (id, pauses) -> writer.write(dsl -> {
            long seen = dsl.select(last)
                    .from("register")
                    .where(DSL.field("resource", String.class).eq(resource))
                    .fetchSingle(last);
            pauses.perhaps();
            dsl.update(DSL.table("register"))
                    .set(DSL.field("token", Long.class), token)
                    .set(last, id)
                    .set(DSL.field("seen", Long.class), seen)
                    .where(DSL.field("resource", String.class).eq(resource))
                    .execute();
            pauses.perhaps();
        });
    }

    private static Holder join(Arena arena, Lease lease, String resource) {
        arena.slowFence().seal(lease, resource);
        JdbcWriter writer = arena.fence().attach(lease.grant(), resource);
        long token = lease.grant().token().value();
        return (id, pauses) -> arena.inTransaction(connection -> {
            try (JoinedTransaction joined = writer.join(connection)) {
                long seen = Register.read(connection, resource);
                pauses.perhaps();
                Register.write(connection, resource, token, id, seen);
                pauses.perhaps();
                joined.beforeCommit();
                pauses.perhaps();
                Arena.commit(connection, joined);
            }
        });
    }

    private static Holder several(Arena arena, Lease lease, String resource) {
        List<String> both = List.of(resource, Arena.other(resource));
        arena.slowFence().seal(lease, Set.copyOf(both));
        JdbcWriter writer = arena.fence()
                .together(
                        arena.fence().attach(lease.grant(), both.get(0)),
                        arena.fence().attach(lease.grant(), both.get(1)));
        long token = lease.grant().token().value();
        return (id, pauses) -> writer.write(c -> {
            for (String each : both) {
                long seen = Register.read(c, each);
                pauses.perhaps();
                Register.write(c, each, token, id, seen);
                pauses.perhaps();
            }
        });
    }
}
