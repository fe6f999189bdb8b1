package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A row whose copy of the grant is not what its seal has put there, and a lease that is over. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RowRefusalsIT {

    private static final String RESOURCE = "accounts/1";

    private Ledger ledger;
    private RowFence fence;
    private Lease lease;
    private RowWriter writer;

    @BeforeEach
    void seal() throws SQLException {
        ledger = Ledger.create();
        ledger.run("CREATE TABLE accounts (id int PRIMARY KEY, balance bigint NOT NULL DEFAULT 0,"
                + " fence_token bigint, fence_holder uuid, fence_timeline bigint)");
        ledger.run("INSERT INTO accounts (id) VALUES (1)");
        fence = RowFence.over(ledger.fence(), RowTable.of("accounts", "id"));
        lease = ledger.lease(RESOURCE, 10);
        fence.create(lease, RESOURCE);
        writer = fence.seal(lease, RESOURCE);
    }

    @Test
    void aCopyThatDiffersInItsTokenAloneIsNotOurs() throws SQLException {
        ledger.run("UPDATE accounts SET fence_token = fence_token - 1");
        assertProblem(Problem.NOT_SEALED);
        ledger.run("UPDATE accounts SET fence_token = fence_token + 2");
        assertProblem(Problem.SOURCE_WENT_BACKWARDS); // the service still has this very holder

        assertThat(ledger.ask("SELECT balance FROM accounts")).isEqualTo("0");
    }

    private void assertProblem(Problem problem) {
        assertThatThrownBy(() -> writer.update("balance = 1"))
                .isInstanceOfSatisfying(
                        TokenSourceException.class, e -> assertThat(e.problem()).isEqualTo(problem));
    }

    @Test
    void aSealThatATriggerMakesSomethingElseOfIsNone() throws SQLException {
        ledger.run("CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN NEW.fence_holder := gen_random_uuid(); RETURN NEW; END $$");
        ledger.run("CREATE TRIGGER meddle BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION meddle()");
        Lease next = ledger.lease(RESOURCE);

        assertThatThrownBy(() -> fence.seal(next, RESOURCE)).isInstanceOf(FenceException.class);
        assertThat(ledger.ask("SELECT token FROM fence.guard"))
                .as("the guard is not raised either")
                .isEqualTo(lease.token().toString());
    }

    @Test
    void aLostLeaseSendsNothing() throws SQLException {
        lease.close();

        assertThatThrownBy(() -> writer.update("balance = 1")).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> writer.write(c -> {
                    throw new AssertionError("ran");
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(ledger.ask("SELECT balance FROM accounts")).isEqualTo("0");
    }
}
