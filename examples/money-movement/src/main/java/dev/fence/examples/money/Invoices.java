package dev.fence.examples.money;

import dev.fence.examples.http.Payment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** The ledger: a table of the application's own. It is written through a fenced writer only. */
final class Invoices {

    /** An invoice to be paid. */
    record Invoice(String id, Payment payment) {}

    private Invoices() {}

    static void create(Connection c) throws SQLException {
        try (Statement statement = c.createStatement()) {
            statement.execute(
                    "CREATE TABLE invoice (id text PRIMARY KEY, due timestamptz NOT NULL, account text NOT NULL,"
                            + " amount numeric(18,2) NOT NULL, currency text NOT NULL, state text NOT NULL DEFAULT 'open',"
                            + " reference text NOT NULL DEFAULT '')");
        }
    }

    static void add(Connection c, String id, Instant due, Payment payment) throws SQLException {
        try (PreparedStatement insert =
                c.prepareStatement("INSERT INTO invoice (id, due, account, amount, currency) VALUES (?, ?, ?, ?, ?)")) {
            insert.setString(1, id);
            insert.setObject(2, due.atOffset(ZoneOffset.UTC));
            insert.setString(3, payment.account());
            insert.setBigDecimal(4, payment.amount());
            insert.setString(5, payment.currency());
            insert.executeUpdate();
        }
    }

    /** Those in {@code state} that are due. */
    static List<Invoice> in(Connection c, String state, Instant until) throws SQLException {
        try (PreparedStatement select = c.prepareStatement(
                "SELECT id, account, amount, currency FROM invoice WHERE state = ? AND due <= ? ORDER BY id")) {
            select.setString(1, state);
            select.setObject(2, until.atOffset(ZoneOffset.UTC));
            List<Invoice> found = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(new Invoice(
                            rows.getString(1),
                            new Payment(rows.getString(2), rows.getBigDecimal(3), rows.getString(4))));
                }
            }
            return found;
        }
    }

    static void move(Connection c, String id, String state, String reference) throws SQLException {
        try (PreparedStatement update =
                c.prepareStatement("UPDATE invoice SET state = ?, reference = ? WHERE id = ? AND state <> 'paid'")) {
            update.setString(1, state);
            update.setString(2, reference);
            update.setString(3, id);
            update.executeUpdate();
        }
    }
}
