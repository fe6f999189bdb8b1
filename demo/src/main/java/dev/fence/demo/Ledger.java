package dev.fence.demo;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A small double-entry ledger that pays invoices in order, as an application would write it: it knows nothing of fence. */
final class Ledger {

    static final String RESOURCE = "ledger/EU";
    static final String LEASE = "payouts/EU";

    private static final String SCHEMA = """
            CREATE SCHEMA ledger;
            CREATE TABLE ledger.invoice (
              id     int PRIMARY KEY,
              amount numeric(12, 2) NOT NULL CHECK (amount > 0)
            );
            CREATE TABLE ledger.entry (
              id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
              invoice       int NOT NULL REFERENCES ledger.invoice,
              account       text NOT NULL CHECK (account IN ('payable', 'cash')),
              amount        numeric(12, 2) NOT NULL,
              balance_after numeric(12, 2),           -- of cash, as the writer computed it from what it had read
              token         bigint NOT NULL,          -- the fencing token under which it was written
              written_by    text NOT NULL
            );
            INSERT INTO ledger.invoice SELECT n, 100 + n FROM generate_series(1, 9) AS n;
            """;

    private static final String NEXT = """
            SELECT i.id, i.amount,
                   10000 + coalesce((SELECT sum(e.amount) FROM ledger.entry e WHERE e.account = 'cash'), 0)
              FROM ledger.invoice i
             WHERE NOT EXISTS (SELECT FROM ledger.entry e WHERE e.invoice = i.id)
             ORDER BY i.id
             LIMIT 1
            """;

    private static final String ENTRY =
            "INSERT INTO ledger.entry (invoice, account, amount, balance_after, token, written_by) VALUES (?, ?, ?, ?, ?, ?)";

    /** The next invoice to pay, and the balance of cash before it, as they were when they were read. */
    record Due(int invoice, BigDecimal amount, BigDecimal cash) {}

    private Ledger() {}

    static void create(Connection connection, String reader) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(SCHEMA);
            statement.execute("GRANT USAGE ON SCHEMA ledger TO " + reader);
            statement.execute("GRANT SELECT ON ledger.invoice TO " + reader);
            statement.execute("GRANT SELECT, INSERT ON ledger.entry TO " + reader);
        }
    }

    static Due next(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(NEXT)) {
            if (!rows.next()) {
                throw new IllegalStateException("no invoice is left to pay");
            }
            return new Due(rows.getInt(1), rows.getBigDecimal(2), rows.getBigDecimal(3));
        }
    }

    /** The first row of a posting: what we owe goes down. */
    static void debit(Connection connection, Due due, long token, String writtenBy) throws SQLException {
        insert(connection, due, "payable", due.amount(), null, token, writtenBy);
    }

    /** The second row: so does our cash. */
    static void credit(Connection connection, Due due, long token, String writtenBy) throws SQLException {
        BigDecimal paid = due.amount().negate();
        insert(connection, due, "cash", paid, due.cash().add(paid), token, writtenBy);
    }

    private static void insert(
            Connection connection,
            Due due,
            String account,
            BigDecimal amount,
            @Nullable BigDecimal balanceAfter,
            long token,
            String writtenBy)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ENTRY)) {
            insert.setInt(1, due.invoice());
            insert.setString(2, account);
            insert.setBigDecimal(3, amount);
            insert.setBigDecimal(4, balanceAfter);
            insert.setLong(5, token);
            insert.setString(6, writtenBy);
            insert.executeUpdate();
        }
    }
}
