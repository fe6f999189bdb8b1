package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.OutcomeUnknownException;
import dev.fence.UnsupportedStoreException;
import dev.fence.WriteId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PreferQueryMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction on one connection of the pool, from borrowing it to giving it back as it came. A connection whose state
 * is in doubt is not given back: it is cut off.
 */
final class OwnTransaction implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnTransaction.class);

    private final Connection connection;
    private final PgConnection driver;
    private final boolean autoCommit;
    private @Nullable Integer networkTimeout;

    private OwnTransaction(Connection connection, PgConnection driver, boolean ofOneMessage) throws SQLException {
        this.connection = connection;
        this.driver = driver;
        this.autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(ofOneMessage); // sends nothing: BEGIN goes with the first statement
    }

    /** Each message is a transaction of its own: no BEGIN, no COMMIT. As {@link #begin} otherwise. */
    static OwnTransaction ofOneMessage(DataSource dataSource) {
        return begin(dataSource, true);
    }

    /**
     * @throws BusyException if there is no connection to be had
     * @throws UnsupportedStoreException if the connection cannot carry a guarded transaction
     */
    static OwnTransaction begin(DataSource dataSource) {
        return begin(dataSource, false);
    }

    private static OwnTransaction begin(DataSource dataSource, boolean ofOneMessage) {
        Connection connection;
        try {
            connection = dataSource.getConnection();
        } catch (SQLException e) {
            throw Refusals.ofStore(e, "no connection to the database");
        }
        try {
            return new OwnTransaction(connection, fitDriver(connection, ofOneMessage), ofOneMessage);
        } catch (SQLException | RuntimeException e) {
            closeQuietly(connection);
            throw e instanceof SQLException sql
                    ? Refusals.ofStore(sql, "the connection is of no use")
                    : (RuntimeException) e;
        }
    }

    private static PgConnection fitDriver(Connection connection, boolean ofOneMessage) throws SQLException {
        PgConnection driver = Driver.of(connection);
        if (driver.getTransactionState() != TransactionState.IDLE) {
            throw Driver.unsupported(
                    "the data source gave out a connection with an open transaction: a fence begins and ends"
                            + " transactions of its own");
        }
        if (ofOneMessage && driver.getPreferQueryMode() == PreferQueryMode.SIMPLE) {
            throw Driver.unsupported(
                    "with the driver setting preferQueryMode=simple a check and its statement are not known to"
                            + " be one transaction: use extended, or write()");
        }
        return driver;
    }

    Connection connection() {
        return connection;
    }

    PgConnection driver() {
        return driver;
    }

    /** As of the last answer of the server. */
    TransactionState state() {
        return driver.getTransactionState();
    }

    /** Whether the driver has given the connection up. Asks nobody. */
    boolean isCutOff() {
        return Driver.isCutOff(driver);
    }

    /** Rolls back on account of {@code thrown}, which keeps what goes wrong with that as a suppressed exception. */
    void rollBack(Throwable thrown) {
        try {
            connection.rollback();
        } catch (SQLException | RuntimeException e) {
            thrown.addSuppressed(e);
        }
    }

    /**
     * Commits, waiting for the answer for so long and no longer.
     *
     * @param writeId what an unknown outcome can be verified by; null if nothing
     *
     * @throws BusyException if it collided with another transaction or was cut off before; nothing changed
     * @throws CommitRefusedException if the server refused; nothing changed
     * @throws OutcomeUnknownException if no answer came, or none that is sure
     */
    void commit(Mandates mandates, @Nullable WriteId writeId, Duration longest) {
        try {
            limitNetworkWait(longest);
        } catch (SQLException e) {
            throw new BusyException("cut off before the commit was sent to " + mandates + "; nothing changed", e);
        }
        try {
            connection.commit();
        } catch (SQLException e) {
            throw CommitFailure.of(e, driver, mandates, writeId);
        } catch (RuntimeException | Error e) {
            throw new OutcomeUnknownException(mandates.firstResource(), mandates.firstGrant(), writeId, e);
        }
        requireEnded(mandates);
    }

    /**
     * After a COMMIT that was answered: a pooler that mixes up prepared statements can have sent something else in its place.
     *
     * @throws UnsupportedStoreException if the transaction is still open: nothing changed, and {@link #close} rolls back
     */
    void requireEnded(Mandates mandates) {
        if (driver.getTransactionState() != TransactionState.IDLE) {
            throw Driver.unsupported("COMMIT was answered, and the transaction on " + mandates
                    + " is still open; nothing changed: behind a pooler in transaction mode set prepareThreshold=0");
        }
    }

    /** Whether the server has refused what one message said. */
    boolean isRefused(SQLException e) {
        return CommitFailure.isRefusal(e, driver);
    }

    /** From here on a silent link ends the connection after {@code longest}, until it is given back. Sends nothing. */
    void limitNetworkWait(Duration longest) throws SQLException {
        int before = connection.getNetworkTimeout();
        int millis = Math.toIntExact(longest.toMillis());
        if (before == 0 || before > millis) {
            networkTimeout = before;
            connection.setNetworkTimeout(Runnable::run, millis);
        }
    }

    /** Rolls back and gives the connection back, unless that was done. Throws nothing: what came before is what counts. */
    @Override
    public void close() {
        try {
            if (driver.getTransactionState() != TransactionState.IDLE) {
                rollBack();
            }
            if (networkTimeout != null) {
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            }
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            // Not given back: switching to auto-commit would commit what could not be rolled back.
            LOG.debug("a connection is cut off", e);
            cutOff();
        }
        closeQuietly(connection);
    }

    /** A message that began a transaction and failed leaves it, in auto-commit, in which the driver knows of none. */
    private void rollBack() throws SQLException {
        if (driver.getAutoCommit()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ROLLBACK");
            }
        } else {
            connection.rollback();
        }
    }

    private void cutOff() {
        try {
            driver.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("a connection could not be cut off", e);
        }
    }

    /** An error of closing must not hide what came of the write. */
    static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            LOG.debug("{} could not be closed", resource, e);
        }
    }
}
