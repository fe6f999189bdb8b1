package dev.fence.properties;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A {@link Row} that is read and written in transactions of its own, with no check of any kind. */
record PlainRow(DataSource dataSource, String resource) implements Register {

    private static final int LONGEST_ANSWER_MILLIS = 1000;

    @Override
    public long read() {
        try (Connection c = dataSource.getConnection()) {
            return new Row(c, resource).read();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void write(Value value) {
        try (Connection c = dataSource.getConnection()) {
            c.setNetworkTimeout(Runnable::run, LONGEST_ANSWER_MILLIS);
            c.setAutoCommit(false);
            new Row(c, resource).write(value);
            c.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
