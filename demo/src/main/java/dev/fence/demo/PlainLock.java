package dev.fence.demo;

import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseState;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The unfenced twin: what a careful application does with a plain lock. It asks the lease before it begins and then trusts
 * the answer; the database checks nothing.
 */
final class PlainLock implements Fence<Connection> {

    private final DataSource dataSource;

    PlainLock(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public boolean create(Lease lease, String resource) {
        return false;
    }

    @Override
    public FencedWriter<Connection> seal(Lease lease, String resource) {
        if (lease.state() instanceof LeaseState.Lost lost) {
            throw new LeaseLostException(lease.grant(), lost.reason());
        }
        return attach(lease.grant(), resource);
    }

    @Override
    public FencedWriter<Connection> attach(Grant grant, String resource) {
        return new Writer(dataSource, grant, resource);
    }

    private record Writer(DataSource dataSource, Grant grant, String resource) implements FencedWriter<Connection> {

        @Override
        public <R, X extends Exception> R call(Call<? super Connection, R, X> body) throws X {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                R result = body.run(connection);
                connection.commit();
                connection.setAutoCommit(true);
                return result;
            } catch (SQLException e) {
                throw new IllegalStateException("the plain transaction failed", e);
            }
        }
    }
}
