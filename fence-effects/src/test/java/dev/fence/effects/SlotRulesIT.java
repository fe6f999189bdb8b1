package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fence.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code slot_move_v1} and the tables of slots, as the database has them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SlotRulesIT {

    private static final String EVIDENCE = "ZF013";
    private static final String FIRST = "2026-11-29 02:30:00Z";
    private static final String LATER = "2026-11-29 02:40:00Z";
    private static final UUID RUN = UUID.randomUUID();
    private static final UUID OTHER_RUN = UUID.randomUUID();

    private final JournalDatabase db = new JournalDatabase();
    private Lease lease;

    @BeforeEach
    void hold() throws Exception {
        lease = db.holder();
        db.fence.seal(lease, PostgresJournal.resource(lease.name()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM fence.slot",
                "TRUNCATE fence.slot",
                "UPDATE fence.slot_history SET detail = 'changed'",
                "DELETE FROM fence.slot_history",
                "TRUNCATE fence.slot_history"
            })
    void whatIsWrittenStaysEvenForAReplica(String change) throws SQLException {
        start(FIRST, RUN);

        assertThat(db.refusalOf(change)).isEqualTo(EVIDENCE);
        assertThat(db.refusalOf("SET LOCAL session_replication_role = replica", change))
                .isEqualTo(EVIDENCE);
        assertThat(db.refusalOf("UPDATE fence.slot SET state = 'lost'")).isEqualTo("23514");
    }

    @Test
    void aSlotRunsOnceAndEveryStepOfItIsWrittenDown() throws SQLException {
        assertThat(start(FIRST, RUN)).isEqualTo("running t");
        assertThat(start(FIRST, OTHER_RUN)).as("while it runs").isEqualTo("running f");
        assertThat(end(FIRST, OTHER_RUN)).as("by another run").isEqualTo("running f");
        assertThat(move("job", FIRST, "running", "end", RUN))
                .as("an end that is none")
                .isEqualTo("running t");
        assertThat(move("job", FIRST, "skipped", "end", RUN))
                .as("an end that is none")
                .isEqualTo("running f");
        assertThat(move("job", FIRST, "done", "hearsay", RUN)).isEqualTo("running f");
        assertThat(move("job", FIRST, "skipped", "skip", OTHER_RUN))
                .as("while it runs")
                .isEqualTo("running f");
        assertThat(end(FIRST, RUN)).isEqualTo("done t");
        assertThat(end(FIRST, RUN)).as("asked again").isEqualTo("done t");
        assertThat(end(FIRST, OTHER_RUN)).as("by another run").isEqualTo("done f");
        assertThat(move("job", FIRST, "failed", "end", RUN))
                .as("what has ended")
                .isEqualTo("done f");
        assertThat(start(FIRST, OTHER_RUN)).isEqualTo("done f");
        assertThat(move("job", FIRST, "running", "rerun", OTHER_RUN)).isEqualTo("done f");

        assertThat(db.ask("SELECT string_agg(coalesce(from_state, '') || '>' || to_state || ' ' || evidence, ','"
                        + " ORDER BY id) FROM fence.slot_history"))
                .isEqualTo(">running start,running>done end");
    }

    @Test
    void whatWasNeverThereHasNothingToEndOrToRunAgain() throws SQLException {
        assertThat(end(FIRST, RUN)).isEqualTo("null f");
        assertThat(move("job", FIRST, "running", "rerun", RUN)).isEqualTo("null f");
        assertThat(move("job", FIRST, "done", "hearsay", RUN)).isEqualTo("null f");
        assertThat(db.ask("SELECT count(*) FROM fence.slot")).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({"failed, end", "skipped, skip"})
    void whatFailedOrWasSkippedStartsAgainOnlyOnSomebodysWord(String state, String evidence) throws SQLException {
        if (evidence.equals("end")) {
            start(FIRST, RUN);
        }
        assertThat(move("job", FIRST, state, evidence, RUN)).isEqualTo(state + " t");
        assertThat(start(FIRST, OTHER_RUN)).isEqualTo(state + " f");
        assertThat(move("job", FIRST, "running", "rerun", OTHER_RUN)).isEqualTo("running t");
        assertThat(db.ask("SELECT attempts FROM fence.slot")).isEqualTo(evidence.equals("end") ? "2" : "1");
    }

    @Test
    void slotsOfOneJobDoNotOverlapUnderOneHolder() throws SQLException {
        start(FIRST, RUN);
        assertThat(start(LATER, OTHER_RUN)).as("the one in the way").isEqualTo("running f");
        assertThat(db.ask("SELECT count(*) FROM fence.slot")).isEqualTo("1");
        assertThat(move("another job", LATER, "running", "start", OTHER_RUN)).isEqualTo("running t");
        end(FIRST, RUN);

        assertThat(start(LATER, OTHER_RUN)).isEqualTo("running t");
    }

    @Test
    void whatAFormerHolderLeftRunningStartsAgainAndIsInNobodysWay() throws Exception {
        start(FIRST, RUN);
        Lease former = lease;
        next();
        assertThat(end(FIRST, RUN)).as("of a run that is not mine").isEqualTo("running f");
        assertThat(start(LATER, OTHER_RUN)).isEqualTo("running t");
        end(LATER, OTHER_RUN);
        assertThat(start(FIRST, OTHER_RUN)).isEqualTo("running t");
        assertThat(db.ask("SELECT attempts || ' ' || token || ' ' || holder FROM fence.slot WHERE scheduled_at = '"
                        + FIRST + "'"))
                .isEqualTo("2 " + lease.token() + " " + lease.grant().holder());
        assertThat(end(FIRST, OTHER_RUN)).isEqualTo("done t");

        next();
        assertThat(start(FIRST, RUN)).as("what was done by a former holder").isEqualTo("done f");
        lease = former;
        assertThat(db.refusalOf(sql("job", FIRST, "running", "start", RUN))).isEqualTo("ZF002");
    }

    @Test
    void aSlotBelongsToTheLeaseThatStartedIt() throws Exception {
        start(FIRST, RUN);
        lease = db.process().acquire("other", Duration.ofSeconds(1));
        db.effects.create(lease);

        assertThat(db.refusalOf(sql("job", FIRST, "running", "start", OTHER_RUN)))
                .isEqualTo("ZF023");
    }

    /** Both threads have the guard; nothing but the lock of the job is between them. */
    @Test
    void twoThreadsOfOneHolderStartASlotOneAfterTheOther() throws Exception {
        try (Connection one = db.dataSource.getConnection();
                Connection other = db.dataSource.getConnection()) {
            one.setAutoCommit(false);
            assertThat(JournalDatabase.ask(one, sql("job", FIRST, "running", "start", RUN)))
                    .isEqualTo("running t");
            String waiting = JournalDatabase.ask(other, "SELECT pg_backend_pid()");
            CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> {
                try {
                    return JournalDatabase.ask(other, sql("job", LATER, "running", "start", OTHER_RUN));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> second.isDone()
                    || db.ask("SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + waiting)
                            .equals("1"));
            one.commit();

            assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("running f");
        }
    }

    private void next() throws InterruptedException {
        lease = db.successor();
        db.fence.seal(lease, PostgresJournal.resource(lease.name()));
    }

    private String start(String slot, UUID run) throws SQLException {
        return move("job", slot, "running", "start", run);
    }

    private String end(String slot, UUID run) throws SQLException {
        return move("job", slot, "done", "end", run);
    }

    private String move(String job, String slot, String to, String evidence, UUID run) throws SQLException {
        return db.ask(sql(job, slot, to, evidence, run));
    }

    /** The state of the slot that is told, and whether it moved. */
    private String sql(String job, String slot, String to, String evidence, UUID run) {
        return "SELECT coalesce((m.entry).state, 'null') || ' ' || left(m.moved::text, 1) FROM fence.slot_move_v1('"
                + job + "', '" + slot + "', '" + lease.name() + "', " + JournalDatabase.sql(lease.grant()) + ", '" + to
                + "', '" + evidence + "', '" + run + "', '') m";
    }
}
