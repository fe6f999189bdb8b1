package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code effect_plan_v1}, as the database has it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PlanRulesIT {

    private static final String A = "a".repeat(32);
    private static final String B = "b".repeat(32);
    private static final String C = "c".repeat(32);

    private final JournalDatabase db = new JournalDatabase();

    @Test
    void whatIsPlannedAgainIsNotFreshAndStaysAsItWas() throws SQLException {
        assertThat(db.ask(plan("pay", "NULL", A))).isEqualTo(A + " t");
        assertThat(db.ask(plan("pay", "NULL", A, B))).isEqualTo(A + " f," + B + " t");
        assertThat(db.ask("SELECT string_agg(key || ' ' || to_state || ' ' || evidence, ',' ORDER BY key)"
                        + " FROM fence.effect_history"))
                .isEqualTo(A + " planned plan," + B + " planned plan");
    }

    @Test
    void ofARunEverythingIsToldThatWasPlannedUnderItForTheSameEffect() throws SQLException {
        db.ask(plan("pay", "'run'", A));
        db.ask(plan("mail", "'run'", B));

        assertThat(db.ask(plan("pay", "'run'", C))).isEqualTo(A + " f," + C + " t");
    }

    /** Somebody has planned B and not committed. Whoever waits for that must not have planned C before. */
    @Test
    void twoThatPlanTheSameDoNotWaitForEachOther() throws Exception {
        try (Connection first = db.dataSource.getConnection();
                Connection second = db.dataSource.getConnection();
                Connection third = db.dataSource.getConnection()) {
            first.setAutoCommit(false);
            JournalDatabase.ask(first, plan("pay", "NULL", B));
            String waiting = JournalDatabase.ask(second, "SELECT pg_backend_pid()");
            CompletableFuture<String> planned = CompletableFuture.supplyAsync(() -> {
                try {
                    return JournalDatabase.ask(second, plan("pay", "NULL", C, B));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> db.ask("SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + waiting)
                    .equals("1"));

            JournalDatabase.ask(third, "SELECT set_config('lock_timeout', '200ms', false)");
            assertThat(JournalDatabase.ask(third, plan("pay", "NULL", C))).isEqualTo(C + " t");
            first.commit();
            assertThat(planned.get(30, TimeUnit.SECONDS)).isEqualTo(B + " f," + C + " f");
        }
    }

    private static String plan(String effect, String run, String... keys) {
        String list = "ARRAY['" + String.join("', '", keys) + "']";
        return "SELECT string_agg((p.entry).key || ' ' || left(p.fresh::text, 1), ',' ORDER BY (p.entry).key) FROM fence.effect_plan_v1('j', '"
                + effect + "', true, " + run + ", " + list + ", " + list + ", " + list + ") p";
    }
}
