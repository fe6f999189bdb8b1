package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the tables of the journal refuse by themselves, whoever writes: here the owner of everything. */
class JournalTablesIT {

    private static final String CHECK_VIOLATION = "23514";
    private static final String EVIDENCE = "ZF013";
    private static final String KEY = "repeat('a', 32)";

    private static JournalDatabase db;

    @BeforeAll
    static void plant() {
        db = new JournalDatabase();
        db.sql(
                effect(KEY, "planned", "NULL", "NULL"),
                effect("repeat('b', 32)", "refused", "NULL", "NULL"),
                effect("repeat('c', 32)", "done", "NULL", "'proof'"),
                "INSERT INTO fence.effect_history (key, to_state, evidence) SELECT key, state, 'plan' FROM fence.effect");
    }

    private static String effect(String key, String state, String holder, String reference) {
        return "INSERT INTO fence.effect (key, effect, business_key, journal, keyed, request, state, sent_holder, reference)"
                + " VALUES (" + key + ", 'e', 'k', 'j', true, '', '" + state + "', " + holder + ", " + reference + ")";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "'short'; planned; NULL; NULL",
                "repeat('X', 32); planned; NULL; NULL",
                "repeat('d', 32); lost; NULL; NULL",
                "repeat('d', 32); done; NULL; NULL",
                "repeat('d', 32); done; NULL; ''",
                "repeat('d', 32); sent; NULL; NULL"
            })
    void anEffectHasAKeyAKnownStateAndWhatItsStateNeeds(String key, String state, String holder, String reference)
            throws SQLException {
        assertThat(db.refusalOf(effect(key, state, holder, reference))).isEqualTo(CHECK_VIOLATION);
        assertThat(db.refusalOf(effect("repeat('d', 32)", "sent", "gen_random_uuid()", "NULL")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "operator, '', because",
        "operator, NULL, because",
        "operator, me, ''",
        "operator, me, NULL",
        "call, me, because",
        "call, NULL, because",
        "call, me, NULL"
    })
    void aPersonsStepHasNameAndReasonAndAHoldersStepHasNone(String evidence, String operator, String reason)
            throws SQLException {
        assertThat(db.refusalOf(step(evidence, operator, reason))).isEqualTo(CHECK_VIOLATION);
        assertThat(db.refusalOf(step("operator", "me", "because"), step("call", "NULL", "NULL")))
                .isEmpty();
    }

    private static String step(String evidence, String operator, String reason) {
        return "INSERT INTO fence.effect_history (key, to_state, evidence, operator, reason) VALUES (" + KEY
                + ", 'sent', '" + evidence + "', nullif('" + operator + "', 'NULL'), nullif('" + reason + "', 'NULL'))";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE fence.effect SET state = 'planned' WHERE state = 'done'",
                "UPDATE fence.effect SET state = 'planned' WHERE state = 'refused'",
                "DELETE FROM fence.effect WHERE state = 'planned'",
                "UPDATE fence.effect_history SET detail = 'changed'",
                "DELETE FROM fence.effect_history",
                "TRUNCATE fence.effect_history",
                "TRUNCATE fence.effect CASCADE"
            })
    void whatIsWrittenStaysEvenForAReplica(String change) throws SQLException {
        assertThat(db.refusalOf(change)).isEqualTo(EVIDENCE);
        assertThat(db.refusalOf("SET LOCAL session_replication_role = replica", change))
                .isEqualTo(EVIDENCE);
    }

    /** The history would refuse to be truncated along with the effects. */
    @Test
    void effectsCannotBeTruncatedEither() throws SQLException {
        assertThat(db.refusalOf(
                        "ALTER TABLE fence.effect_history DISABLE TRIGGER protect_table",
                        "TRUNCATE fence.effect CASCADE"))
                .isEqualTo(EVIDENCE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key = repeat('e', 32)", "effect = 'other'", "business_key = 'other'", "journal = 'other'",
                "run = 'other'", "keyed = false", "request = 'other'", "planned_at = now()"
            })
    void whatAnEffectIsNeverChanges(String change) throws SQLException {
        assertThat(db.refusalOf("UPDATE fence.effect SET " + change + " WHERE state = 'planned'"))
                .isEqualTo(EVIDENCE);
        assertThat(db.refusalOf("UPDATE fence.effect SET detail = 'waits' WHERE state = 'planned'"))
                .isEmpty();
    }
}
