package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.effects.Journal.Evidence;
import dev.fence.effects.Journal.Step;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the database permits, whoever asks. */
class JournalRulesIT {

    private final JournalDatabase db = new JournalDatabase();

    /** Every step there could be, in the SQL and in the table of docs/effects.md. */
    @Test
    void theFunctionPermitsTheStepsOfTheTableAndNoOthers() throws Exception {
        Lease lease = db.holder();
        db.fence.seal(lease, PostgresJournal.resource(lease.name()));
        List<String> differing = new ArrayList<>();
        int permitted = 0;
        try (Connection c = db.dataSource.getConnection()) {
            for (EffectState from : EffectState.values()) {
                for (int flags = 0; flags < 16; flags++) {
                    EffectKey key = new EffectKey("rules", from + "/" + flags);
                    boolean keyed = (flags & 1) != 0;
                    boolean doubt = (flags & 2) != 0;
                    boolean replayed = (flags & 4) != 0;
                    boolean own = (flags & 8) != 0;
                    insert(c, key, from, keyed, doubt, own ? lease.grant().holder() : Grant.newHolder(), lease.grant());
                    EffectEntry entry = db.desk.show(key).orElseThrow();
                    for (EffectState to : EffectState.values()) {
                        for (Evidence evidence : Evidence.values()) {
                            Step step = new Step(to, evidence, "proof", null, replayed, "");
                            boolean bySql = isPermitted(c, lease.grant(), entry, step);
                            permitted += bySql ? 1 : 0;
                            if (bySql != Transitions.permitted(entry, step, own)) {
                                differing.add(entry + " " + step + " own " + own + ": SQL says " + bySql);
                            }
                        }
                    }
                }
            }
        }
        assertThat(differing).isEmpty();
        assertThat(permitted).isPositive();
    }

    private static void insert(
            Connection c, EffectKey key, EffectState state, boolean keyed, boolean doubt, UUID sentBy, Grant grant)
            throws SQLException {
        try (PreparedStatement insert =
                c.prepareStatement("INSERT INTO fence.effect (key, effect, business_key, journal, keyed,"
                        + " request, state, doubt, sent_source, sent_token, sent_holder, reference)"
                        + " VALUES (?, ?, ?, ?, ?, '', ?, ?, ?, ?, ?, 'proof')")) {
            insert.setString(1, key.text());
            insert.setString(2, key.effect());
            insert.setString(3, key.businessKey());
            insert.setString(4, JournalDatabase.LEASE);
            insert.setBoolean(5, keyed);
            insert.setString(6, state.sql());
            insert.setBoolean(7, doubt);
            insert.setString(8, grant.source());
            insert.setLong(9, grant.token().value());
            insert.setObject(10, sentBy);
            insert.executeUpdate();
        }
    }

    private static boolean isPermitted(Connection c, Grant grant, EffectEntry entry, Step step) throws SQLException {
        c.setAutoCommit(false);
        try (PreparedStatement move =
                c.prepareStatement("SELECT fence.effect_move_v1(?, ?, ?, ?, ?, ?, ?, 'proof', NULL, ?, '')")) {
            move.setString(1, entry.key().text());
            move.setString(2, grant.source());
            move.setLong(3, grant.token().value());
            move.setObject(4, grant.holder());
            move.setString(5, entry.state().sql());
            move.setString(6, step.to().sql());
            move.setString(7, step.evidence().name().toLowerCase(Locale.ROOT));
            move.setBoolean(8, step.replayed());
            move.execute();
            return true;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).as(e.getMessage()).isIn("ZF022", "ZF013");
            return false;
        } finally {
            c.rollback();
            c.setAutoCommit(true);
        }
    }

    @Test
    void aStepOfAnOldGrantIsRefusedWhoeverSendsIt() throws Exception {
        Lease old = db.holder();
        db.effects.run(old, TestProvider.keyed(), "inv-1", TestProvider.payment("100 EUR"));
        Lease young = db.successor();
        db.fence.seal(young, PostgresJournal.resource(young.name()));
        try (Connection c = db.dataSource.getConnection();
                Statement statement = c.createStatement()) {
            db.sql("INSERT INTO fence.effect (key, effect, business_key, journal, keyed, request, state)"
                    + " VALUES (repeat('a', 32), 'x', 'y', '" + JournalDatabase.LEASE + "', true, '', 'planned')");
            String move =
                    "SELECT fence.effect_move_v1(repeat('a', 32), '%s', %s, '%s', 'planned', 'sent', 'call', NULL, NULL, false, '')";
            assertThatThrownBy(() -> statement.execute(String.format(
                            move, old.grant().source(), old.token(), old.grant().holder())))
                    .hasMessageContaining("a newer holder has sealed");
            statement.execute(String.format(
                    move, young.grant().source(), young.token(), young.grant().holder()));
        }
        assertThatThrownBy(() ->
                        db.fence.attach(old.grant(), "effects/" + old.name()).write(c -> {}))
                .isInstanceOf(StaleTokenException.class);
    }

    @Test
    void whatIsOverIsNeitherChangedNorRemoved() throws Exception {
        db.effects.run(db.holder(), TestProvider.keyed(), "inv-1", TestProvider.payment("100 EUR"));
        for (String wipe : List.of(
                "UPDATE fence.effect SET state = 'planned'",
                "UPDATE fence.effect SET reference = NULL",
                "DELETE FROM fence.effect",
                "TRUNCATE fence.effect CASCADE",
                "DELETE FROM fence.effect_history",
                "UPDATE fence.effect_history SET detail = ''",
                "TRUNCATE fence.effect_history",
                "SET session_replication_role = replica; DELETE FROM fence.effect_history")) {
            try (Connection c = db.dataSource.getConnection();
                    Statement statement = c.createStatement()) {
                assertThatThrownBy(() -> statement.execute(wipe)).as(wipe).hasMessageContaining("is refused");
            }
        }
        assertThat(db.entry("inv-1").state()).isEqualTo(EffectState.DONE);
    }

    @Test
    void theApplicationMayNeitherDecideNorWriteInTheTables() throws Exception {
        db.effects.run(db.holder(), TestProvider.keyed(), "inv-1", TestProvider.payment("100 EUR"));
        for (String forbidden : List.of(
                "INSERT INTO fence.effect_history (key, to_state, evidence) SELECT key, 'planned', 'plan' FROM fence.effect",
                "UPDATE fence.effect SET detail = ''",
                "SELECT fence.effect_resolve_v1('k', 'unknown', true, 'r', 'o', 'w')")) {
            try (Connection c = db.dataSource.getConnection();
                    Statement statement = c.createStatement()) {
                statement.execute("SET ROLE fence_application");
                assertThatThrownBy(() -> statement.execute(forbidden))
                        .as(forbidden)
                        .hasMessageContaining("permission denied");
            }
        }
    }
}
