package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.ReleaseOutcome;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A holder is confirmed, then superseded, and then meets a database that has forgotten its successor: the confirmation was about
 * another history.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ConfirmedHistoryIT {

    private Ledger ledger;

    @BeforeEach
    void migrate() throws SQLException {
        ledger = Ledger.create();
        continueOn(1);
    }

    @Test
    void noGuardIsCreatedOnAHistoryThatBeganAfterTheConfirmation() {
        Lease lease = new ThenPromoted(ledger.lease("r"), 2);

        assertHistoryLost(() -> ledger.fence().create(lease, "r"));
    }

    @Test
    void nothingIsSealedOnAHistoryThatBeganAfterTheConfirmation() {
        ledger.fence().create(ledger.lease("r"), "r");
        continueOn(2);
        Lease next = new ThenPromoted(ledger.lease("r"), 3);

        assertHistoryLost(() -> ledger.fence().seal(next, "r"));
    }

    private static void assertHistoryLost(ThrowingCallable call) {
        assertThatThrownBy(call)
                .asInstanceOf(InstanceOfAssertFactories.type(TokenSourceException.class))
                .returns(Problem.HISTORY_LOST, TokenSourceException::problem);
    }

    /** As a database does that was promoted. */
    private void continueOn(int timeline) {
        try {
            ledger.run("CREATE OR REPLACE FUNCTION fence.timeline_v1() RETURNS bigint LANGUAGE sql VOLATILE RETURN "
                    + timeline + "::bigint");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A lease, and a database that is promoted as soon as the lease was confirmed. */
    private final class ThenPromoted implements Lease {

        private final Lease lease;
        private final int timeline;

        ThenPromoted(Lease lease, int timeline) {
            this.lease = lease;
            this.timeline = timeline;
        }

        @Override
        public void confirm() {
            lease.confirm();
            continueOn(timeline);
        }

        @Override
        public Grant grant() {
            return lease.grant();
        }

        @Override
        public LeaseState state() {
            return lease.state();
        }

        @Override
        public Duration remaining() {
            return lease.remaining();
        }

        @Override
        public void onLoss(Consumer<LossReason> listener) {
            lease.onLoss(listener);
        }

        @Override
        public Work begin() {
            return lease.begin();
        }

        @Override
        public ReleaseOutcome release() {
            return lease.release();
        }
    }
}
