package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fence.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code effect_move_v1} and {@code effect_resolve_v1}, as the database has them; which steps there are, JournalRulesIT tells. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MoveRulesIT {

    private static final String NO_SUCH_EFFECT = "ZF020";
    private static final String MOVED_MEANWHILE = "ZF021";
    private static final String NOT_PERMITTED = "ZF022";
    private static final String KEY = "a".repeat(32);
    private static final String CALL = move(KEY, "planned", "sent", "call", "NULL");
    private static final String REPEAT = move(KEY, "sent", "sent", "repeat", "NULL");
    private static final String UNKNOWN = move(KEY, "sent", "unknown", "answer", "NULL");
    private static final String DOUBT = "SELECT doubt FROM fence.effect";

    private final JournalDatabase db = new JournalDatabase();
    private Lease lease;

    @BeforeEach
    void plan() throws Exception {
        lease = db.holder();
        db.fence.seal(lease, PostgresJournal.resource(lease.name()));
        db.sql("INSERT INTO fence.effect (key, effect, business_key, journal, keyed, request, state) VALUES ('" + KEY
                + "', 'pay', 'k', '" + JournalDatabase.LEASE + "', true, '', 'planned')");
    }

    @Test
    void whatIsNotThereOrNoLongerThereOrOfNoKnownEvidenceIsRefused() throws SQLException {
        assertThat(refusalOf(move("b".repeat(32), "planned", "sent", "call", "NULL")))
                .isEqualTo(NO_SUCH_EFFECT);
        assertThat(db.refusalOf(resolve("b".repeat(32), "unknown", true))).isEqualTo(NO_SUCH_EFFECT);
        assertThat(refusalOf(CALL, CALL)).isEqualTo(MOVED_MEANWHILE);
        assertThat(refusalOf(CALL, resolve(KEY, "unknown", true))).isEqualTo(MOVED_MEANWHILE);
        assertThat(refusalOf(CALL, resolve(KEY, "sent", true))).isEqualTo(NOT_PERMITTED);
        assertThat(refusalOf(move(KEY, "planned", "done", "hearsay", "'proof'")))
                .isEqualTo(NOT_PERMITTED);
        assertThat(refusalOf(CALL, UNKNOWN, resolve(KEY, "unknown", true))).isEmpty();
    }

    /** What an earlier call may still do is not known from the answer to a later one. */
    @Test
    void doubtComesWithARepeatAndWithALookupAndGoesOnlyWithAPersonsWord() throws SQLException {
        take(CALL);
        assertThat(db.ask(DOUBT)).isEqualTo("f");
        take(REPEAT, UNKNOWN);
        assertThat(db.ask(DOUBT)).isEqualTo("t");
        take(move(KEY, "unknown", "manual", "limit", "NULL"));
        assertThat(db.ask(DOUBT)).isEqualTo("t");
        take(resolve(KEY, "manual", false));
        assertThat(db.ask(DOUBT)).isEqualTo("f");
        take(move(KEY, "not_executed", "planned", "again", "NULL"), CALL);
        assertThat(db.ask(DOUBT)).isEqualTo("f");
        take(move(KEY, "sent", "not_executed", "lookup", "NULL"));
        assertThat(db.ask(DOUBT)).isEqualTo("t");
    }

    @Test
    void theFirstCallStaysTheFirstAndEveryCallIsCountedAndDated() throws SQLException {
        take(CALL);
        String first = db.ask("SELECT first_sent_at FROM fence.effect");
        assertThat(db.ask("SELECT last_sent_at FROM fence.effect")).isNotEqualTo("null");
        take(REPEAT);

        assertThat(db.ask("SELECT first_sent_at FROM fence.effect")).isEqualTo(first);
        assertThat(db.ask("SELECT last_sent_at > first_sent_at FROM fence.effect"))
                .isEqualTo("t");
        assertThat(db.ask("SELECT attempts || '/' || attempts_since_decision FROM fence.effect"))
                .isEqualTo("2/2");
        take(UNKNOWN, resolve(KEY, "unknown", false));
        assertThat(db.ask("SELECT attempts || '/' || attempts_since_decision FROM fence.effect"))
                .isEqualTo("2/0");
    }

    @Test
    void whoeverRepeatsACallAnswersForItAndNobodyElse() throws Exception {
        take(CALL);
        Lease next = db.successor();
        db.fence.seal(next, PostgresJournal.resource(next.name()));
        lease = next;
        take(REPEAT);

        assertThat(db.ask("SELECT sent_holder FROM fence.effect"))
                .isEqualTo(next.grant().holder().toString());
        assertThat(refusalOf(UNKNOWN)).isEmpty();
    }

    @Test
    void aProofThatWasGivenOnceStays() throws SQLException {
        take(CALL, move(KEY, "sent", "unknown", "answer", "'proof'"), move(KEY, "unknown", "manual", "limit", "NULL"));

        assertThat(db.ask("SELECT reference FROM fence.effect")).isEqualTo("proof");
    }

    @Test
    void aStepIsDecidedOnWhatTheOneBeforeItLeft() throws Exception {
        assertThat(refusalBehind(CALL, CALL)).isEqualTo(MOVED_MEANWHILE);
    }

    @Test
    void aDecisionIsMadeOnWhatTheOneBeforeItLeft() throws Exception {
        take(CALL, UNKNOWN);

        assertThat(refusalBehind(resolve(KEY, "unknown", false), resolve(KEY, "unknown", true)))
                .isEqualTo(MOVED_MEANWHILE);
    }

    /** Of {@code second}, which comes while {@code first} is not committed yet. */
    private String refusalBehind(String first, String second) throws Exception {
        try (Connection one = db.dataSource.getConnection();
                Connection other = db.dataSource.getConnection()) {
            one.setAutoCommit(false);
            JournalDatabase.ask(one, filled(first));
            String waiting = JournalDatabase.ask(other, "SELECT pg_backend_pid()");
            CompletableFuture<String> refusal = CompletableFuture.supplyAsync(() -> {
                try {
                    return JournalDatabase.ask(other, filled(second));
                } catch (SQLException e) {
                    return e.getSQLState();
                }
            });
            await().until(() -> db.ask("SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + waiting)
                    .equals("1"));
            one.commit();
            return refusal.get(30, TimeUnit.SECONDS);
        }
    }

    private void take(String... steps) throws SQLException {
        for (String step : steps) {
            db.ask(filled(step));
        }
    }

    private String refusalOf(String... steps) throws SQLException {
        String[] all = new String[steps.length];
        for (int i = 0; i < steps.length; i++) {
            all[i] = filled(steps[i]);
        }
        return db.refusalOf(all);
    }

    private String filled(String step) {
        return step.replace("GRANT", JournalDatabase.sql(lease.grant()));
    }

    private static String move(String key, String from, String to, String evidence, String reference) {
        return "SELECT key FROM fence.effect_move_v1('" + key + "', GRANT, '" + from + "', '" + to + "', '" + evidence
                + "', " + reference + ", NULL, false, '')";
    }

    private static String resolve(String key, String from, boolean happened) {
        return "SELECT key FROM fence.effect_resolve_v1('" + key + "', '" + from + "', " + happened
                + ", 'proof', 'me', 'because')";
    }
}
