package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.OutcomeUnknownException;
import dev.fence.WriteId;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/** What an error means that came in answer to a COMMIT. */
final class CommitFailure {

    private CommitFailure() {}

    static RuntimeException of(SQLException e, PgConnection driver, Mandates mandates, @Nullable WriteId writeId) {
        if (SqlStates.saysNotCommitted(e)) {
            return new BusyException("the commit to " + mandates + " failed; nothing changed", e);
        }
        if (isRefusal(e, driver)) {
            return new CommitRefusedException(mandates.firstResource(), String.valueOf(e.getMessage()), e);
        }
        return new OutcomeUnknownException(mandates.firstResource(), mandates.firstGrant(), writeId, e);
    }

    /**
     * Whether {@code e} is the server's word that there was no commit: it has answered, is there still, and knows of no transaction
     * any more or of one that has failed. An exception that is not of the server can have been made on the way back.
     */
    static boolean isRefusal(SQLException e, PgConnection driver) {
        return Refusals.isOfTheServer(e)
                && !Driver.isCutOff(driver)
                && driver.getTransactionState() != TransactionState.OPEN;
    }
}
