package dev.fence.reconcile;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** One pass over the rows of a query, in a transaction of its own that changes nothing. */
final class JdbcBookReader implements BookReader {

    private static final int FETCH_SIZE = 2_000;

    private final JdbcBook book;
    private final Connection connection;
    private final int isolation;
    private @Nullable ResultSet rows;
    private long line;

    private JdbcBookReader(JdbcBook book, Connection connection, int isolation) {
        this.book = book;
        this.connection = connection;
        this.isolation = isolation;
    }

    static JdbcBookReader open(JdbcBook book) throws IOException {
        try {
            Connection connection = book.dataSource().getConnection();
            try {
                JdbcBookReader reader = new JdbcBookReader(book, connection, connection.getTransactionIsolation());
                connection.setReadOnly(true);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                connection.setAutoCommit(false); // with it, the driver would fetch everything at once
                return reader;
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw unreadable(book, e);
        }
    }

    private ResultSet rows() throws SQLException {
        ResultSet open = rows;
        if (open == null) {
            PreparedStatement statement = prepared(book.query());
            statement.setFetchSize(FETCH_SIZE);
            open = statement.executeQuery();
            rows = open;
        }
        return open;
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < book.parameters().size(); i++) {
            statement.setObject(i + 1, book.parameters().get(i));
        }
        return statement;
    }

    @Override
    public @Nullable BookEntry next() throws IOException {
        try {
            if (!rows().next()) {
                return null;
            }
            line++;
            return mapped(rows());
        } catch (SQLException e) {
            throw unreadable(book, e);
        }
    }

    private BookEntry mapped(ResultSet row) throws SQLException {
        try {
            return book.mapper().map(row).withLine(line);
        } catch (InvalidFieldException e) {
            throw new MalformedBookException(book.name(), line, e.field(), String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            throw new MalformedBookException(book.name(), line, "", "the row is no entry: " + e, e);
        }
    }

    @Override
    public void skip(long entries) throws IOException {
        try {
            for (long i = 0; i < entries && rows().next(); i++) {
                line++;
            }
        } catch (SQLException e) {
            throw unreadable(book, e);
        }
    }

    /** Of all rows, in the snapshot that is read. */
    @Override
    public String fingerprint() throws IOException {
        try (PreparedStatement statement =
                        prepared("SELECT count(*) || ':' || coalesce(sum(hashtextextended(q::text, 0)), 0) FROM ("
                                + book.query() + ") q");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return "rows:" + row.getString(1);
        } catch (SQLException e) {
            throw unreadable(book, e);
        }
    }

    @Override
    public void close() throws IOException {
        try (connection) {
            connection.rollback();
            // back as it came: not every pool sees to that
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
            connection.setTransactionIsolation(isolation);
        } catch (SQLException e) {
            throw unreadable(book, e);
        }
    }

    private static IOException unreadable(JdbcBook book, SQLException e) {
        return new IOException("book \"" + book.name() + "\" cannot be read: " + e.getMessage(), e);
    }
}
