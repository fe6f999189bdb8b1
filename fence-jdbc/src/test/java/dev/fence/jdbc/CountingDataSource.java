package dev.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Counts the connections it gives out. */
final class CountingDataSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    private final transient DataSource behind;
    private final AtomicInteger borrowed = new AtomicInteger();

    CountingDataSource(DataSource behind) {
        this.behind = behind;
    }

    int borrowed() {
        return borrowed.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        borrowed.incrementAndGet();
        return behind.getConnection();
    }
}
