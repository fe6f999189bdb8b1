package dev.fence.stress;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.stress.Design.Holder;
import dev.fence.stress.Design.Stale;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** What looks like a fence and is none. docs/postgresql.md tells why, the race shows it. */
final class BrokenDesigns {

    private static final String TOKEN = "SELECT token FROM fence.guard WHERE resource = ?";
    private static final String LOCK =
            "SELECT pg_advisory_xact_lock_shared(hashtextextended(? COLLATE \"C\", 439788397413))";

    /** Raises the guard within the statement that writes, and says whether it carries the token now. */
    static final String RAISE_GUARD = """
            CREATE FUNCTION raise_guard(p_resource text, p_token bigint, p_holder uuid) RETURNS boolean
              LANGUAGE plpgsql VOLATILE AS $$
            DECLARE
              v_token bigint;
            BEGIN
              PERFORM pg_advisory_xact_lock(hashtextextended(p_resource COLLATE "C", 439788397413));
              SELECT token INTO v_token FROM fence.guard WHERE resource = p_resource;
              IF v_token < p_token THEN
                UPDATE fence.guard SET token = p_token, holder = p_holder, sealed_at = greatest(clock_timestamp(), sealed_at)
                  WHERE resource = p_resource;
              END IF;
              RETURN v_token <= p_token;
            END $$
            """;

    private BrokenDesigns() {}

    static List<Design> all() {
        return List.of(
                Design.broken("plain-read", Level.READ_COMMITTED, sealed(BrokenDesigns::plainRead)),
                Design.broken("reading-cte", Level.READ_COMMITTED, sealed(BrokenDesigns::readingCte)),
                Design.broken("key-share", Level.READ_COMMITTED, BrokenDesigns::keyShare),
                Design.broken("row-token-other-rows", Level.READ_COMMITTED, BrokenDesigns::otherRows),
                Design.broken("lock-and-read", Level.READ_COMMITTED, sealed(BrokenDesigns::lockAndRead)),
                Design.broken("old-snapshot", Level.REPEATABLE_READ, sealed(BrokenDesigns::lockThenRead)),
                Design.broken("raise-in-statement", Level.READ_COMMITTED, BrokenDesigns::raiseInStatement),
                Design.broken("savepoint", Level.READ_COMMITTED, sealed(BrokenDesigns::savepoint)),
                Design.broken("older-than-seal", Level.READ_COMMITTED, BrokenDesigns::olderThanSeal),
                Design.broken("row-token-without-seal", Level.READ_COMMITTED, BrokenDesigns::withoutSeal));
    }

    /** How a transaction makes sure of the guard; it pauses after that, and goes on to read and write. */
    private interface Check {
        void in(Connection connection, Grant grant, String resource) throws Exception;
    }

    /** Seals as fence does. */
    private static Design.Sealing sealed(Check check) {
        return (arena, lease, resource) -> {
            arena.slowFence().seal(lease, resource);
            return checked(arena, lease.grant(), resource, check);
        };
    }

    private static Holder checked(Arena arena, Grant grant, String resource, Check check) {
        return (id, pauses) -> arena.inTransaction(connection -> {
            check.in(connection, grant, resource);
            pauses.perhaps();
            long seen = Register.read(connection, resource);
            Register.write(connection, resource, grant.token().value(), id, seen);
            pauses.perhaps();
            connection.commit();
        });
    }

    /** The seal can come right after the read. */
    private static void plainRead(Connection connection, Grant grant, String resource) throws SQLException, Stale {
        requireToken(connection, TOKEN, grant, resource);
    }

    /** A subquery locks nothing either. */
    private static void readingCte(Connection connection, Grant grant, String resource) throws SQLException, Stale {
        String sql = "WITH mine AS (SELECT FROM fence.guard WHERE resource = ? AND token = ?)"
                + " UPDATE register SET token = token WHERE resource = ? AND EXISTS (SELECT FROM mine)";
        requireOne(Register.update(connection, sql, resource, grant.token().value(), resource));
    }

    /** FOR KEY SHARE lets an UPDATE of the token pass. */
    private static Holder keyShare(Arena arena, Lease lease, String resource) throws Exception {
        raise(arena, lease.grant(), resource);
        return checked(
                arena,
                lease.grant(),
                resource,
                (connection, grant, guarded) -> requireToken(connection, TOKEN + " FOR KEY SHARE", grant, guarded));
    }

    private static void raise(Arena arena, Grant grant, String resource) throws Exception {
        String sql = "UPDATE fence.guard SET token = ?, holder = ?, sealed_at = greatest(clock_timestamp(), sealed_at)"
                + " WHERE resource = ? AND token < ?";
        arena.inTransaction(connection -> {
            Register.update(
                    connection,
                    sql,
                    grant.token().value(),
                    grant.holder(),
                    resource,
                    grant.token().value());
            connection.commit();
        });
    }

    /** The snapshot of the statement is older than the lock that it waits for. */
    private static void lockAndRead(Connection connection, Grant grant, String resource) throws SQLException, Stale {
        String sql = "SELECT token FROM fence.guard,"
                + " pg_advisory_xact_lock_shared(hashtextextended(? COLLATE \"C\", 439788397413)) WHERE resource = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, resource);
            statement.setString(2, resource);
            requireToken(statement, grant);
        }
    }

    /** So is the snapshot of the transaction, above READ COMMITTED. */
    private static void lockThenRead(Connection connection, Grant grant, String resource) throws SQLException, Stale {
        try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
            statement.setString(1, resource);
            statement.execute();
        }
        requireToken(connection, TOKEN, grant, resource);
    }

    /** The rollback drops the lock of the check and keeps the transaction. */
    private static void savepoint(Connection connection, Grant grant, String resource) throws SQLException, Stale {
        var before = connection.setSavepoint();
        lockThenRead(connection, grant, resource);
        connection.rollback(before);
    }

    /** The new holder's first transaction has read before its own seal, and an old one has written in between. */
    private static Holder olderThanSeal(Arena arena, Lease lease, String resource) {
        Grant grant = lease.grant();
        return (id, pauses) -> arena.inTransaction(connection -> {
            long seen = Register.read(connection, resource);
            pauses.perhaps();
            arena.slowFence().seal(lease, resource); // of no effect after the first time
            lockThenRead(connection, grant, resource);
            Register.write(connection, resource, grant.token().value(), id, seen);
            connection.commit();
        });
    }

    /** The statement's snapshot, by which it reads what to build on, is older than the guard that it raises. */
    private static Holder raiseInStatement(Arena arena, Lease lease, String resource) {
        Grant grant = lease.grant();
        String sql =
                "UPDATE register SET token = ?, last = ?, seen = (SELECT last FROM register r WHERE r.resource = ?)"
                        + " WHERE resource = ? AND raise_guard(?, ?, ?)";
        return (id, pauses) -> arena.inTransaction(connection -> {
            long token = grant.token().value();
            requireOne(
                    Register.update(connection, sql, token, id, resource, resource, resource, token, grant.holder()));
            pauses.perhaps();
            connection.commit();
        });
    }

    /** The row knows its last writer, not the newest holder. */
    private static Holder withoutSeal(Arena arena, Lease lease, String resource) {
        return rowToken(arena, lease.grant(), resource);
    }

    /** The token of one row is raised, and another row is written. */
    private static Holder otherRows(Arena arena, Lease lease, String resource) throws Exception {
        Grant grant = lease.grant();
        long token = grant.token().value();
        arena.inTransaction(connection -> {
            Register.update(
                    connection,
                    "UPDATE register SET token = ? WHERE resource = ? AND token <= ?",
                    token,
                    resource,
                    token);
            connection.commit();
        });
        return rowToken(arena, grant, Arena.other(resource));
    }

    private static Holder rowToken(Arena arena, Grant grant, String row) {
        long token = grant.token().value();
        return (id, pauses) -> {
            long[] seen = {0};
            arena.inTransaction(connection -> seen[0] = Register.read(connection, row));
            pauses.perhaps();
            arena.inTransaction(connection -> {
                requireOne(Register.update(
                        connection, Register.WRITE + " AND token <= ?", token, id, seen[0], row, token));
                connection.commit();
            });
        };
    }

    private static void requireToken(Connection connection, String sql, Grant grant, String resource)
            throws SQLException, Stale {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, resource);
            requireToken(statement, grant);
        }
    }

    private static void requireToken(PreparedStatement statement, Grant grant) throws SQLException, Stale {
        try (ResultSet row = statement.executeQuery()) {
            requireOne(row.next() && row.getLong(1) == grant.token().value() ? 1 : 0);
        }
    }

    private static void requireOne(int rows) throws Stale {
        if (rows != 1) {
            throw new Stale();
        }
    }
}
