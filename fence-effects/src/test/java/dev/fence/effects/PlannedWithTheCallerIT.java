package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.jdbc.JdbcWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** An effect that belongs to a business transaction is to be done if and only if that transaction commits. */
class PlannedWithTheCallerIT {

    private final JournalDatabase db = new JournalDatabase();
    private final TestProvider provider = TestProvider.keyed();

    @Test
    void itIsPlannedIfTheTransactionCommitsAndOnlyThen() throws Exception {
        Lease lease = db.holder();
        db.fence.create(lease, "ledger/EU");
        db.sql("CREATE TABLE invoice (id text PRIMARY KEY)");
        JdbcWriter ledger = db.fence.seal(lease, "ledger/EU");

        assertThatThrownBy(() -> ledger.write(c -> {
                    post(c, "inv-1");
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessage("changed my mind");
        assertThat(db.desk.show(new EffectKey(TestProvider.EFFECT, "inv-1"))).isEmpty();

        ledger.write(c -> post(c, "inv-2"));
        assertThat(db.entry("inv-2").state()).isEqualTo(EffectState.PLANNED);
        assertThat(provider.calls).isEmpty();

        assertThat(db.effects.resume(lease, provider, Effects.Progress.NONE).totals())
                .isEqualTo(new Totals(0, 1, 0, 0, 0));
        assertThat(provider.timesPaid("inv-2")).isEqualTo(1);
    }

    private void post(Connection c, String invoice) throws SQLException {
        try (Statement statement = c.createStatement()) {
            statement.executeUpdate("INSERT INTO invoice VALUES ('" + invoice + "')");
        }
        db.effects.plan(c, JournalDatabase.LEASE, provider, invoice, TestProvider.payment("100 EUR"));
    }

    @Test
    void planningInAutoCommitIsRefused() throws Exception {
        try (Connection c = db.dataSource.getConnection()) {
            assertThatThrownBy(() -> post2(c))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("auto-commit");
        }
    }

    private void post2(Connection c) throws SQLException {
        db.effects.plan(c, JournalDatabase.LEASE, provider, "inv-1", TestProvider.payment("100 EUR"));
    }
}
