package dev.fence.effects;

import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.UnsupportedStoreException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The journal in PostgreSQL. Which steps there are is decided by {@code effect_move_v1} in the migrations, not here. */
final class PostgresJournal implements Journal {

    private static final String MOVED = "ZF021";

    private final FencedWriter<Connection> writer;
    private final String schema;

    PostgresJournal(FencedWriter<Connection> writer, String schema) {
        this.writer = writer;
        this.schema = schema;
    }

    /** The resource whose guard protects the journal of a lease. */
    static String resource(String leaseName) {
        return "effects/" + leaseName;
    }

    @Override
    public List<Planned> plan(String effect, boolean keyed, @Nullable String run, List<Plan> plans, Acceptance accept) {
        return inJournal(c -> {
            List<Planned> found = plan(c, schema, writer.grant().leaseName(), effect, keyed, run, plans);
            accept.examine(found); // inside: what it throws rolls the plan back
            return found;
        });
    }

    /** The same in whatever transaction {@code c} is in. */
    static List<Planned> plan(
            Connection c,
            String schema,
            String journal,
            String effect,
            boolean keyed,
            @Nullable String run,
            List<Plan> plans)
            throws SQLException {
        try (PreparedStatement statement = c.prepareStatement("SELECT " + Rows.COLUMNS + ", p.fresh FROM " + schema
                + ".effect_plan_v1(?, ?, ?, ?, ?, ?, ?) p, LATERAL (SELECT (p.entry).*) e")) {
            statement.setString(1, journal);
            statement.setString(2, effect);
            statement.setBoolean(3, keyed);
            statement.setString(4, run);
            statement.setArray(5, texts(c, plans.stream().map(p -> p.key().text())));
            statement.setArray(6, texts(c, plans.stream().map(p -> p.key().businessKey())));
            statement.setArray(7, texts(c, plans.stream().map(Plan::request)));
            List<Planned> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new Planned(Rows.entry(rows), rows.getBoolean("fresh")));
                }
            }
            return found;
        }
    }

    private static Array texts(Connection c, Stream<String> values) throws SQLException {
        return c.createArrayOf("text", values.toArray());
    }

    @Override
    public EffectEntry move(EffectEntry entry, Step step) {
        return inJournal(c -> {
            try (PreparedStatement statement = c.prepareStatement("SELECT " + Rows.COLUMNS + " FROM " + schema
                    + ".effect_move_v1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) e")) {
                Grant grant = writer.grant();
                statement.setString(1, entry.key().text());
                statement.setString(2, grant.source());
                statement.setLong(3, grant.token().value());
                statement.setObject(4, grant.holder());
                statement.setString(5, entry.state().sql());
                statement.setString(6, step.to().sql());
                statement.setString(7, step.evidence().name().toLowerCase(Locale.ROOT));
                statement.setString(8, step.reference());
                statement.setString(9, step.result());
                statement.setBoolean(10, step.replayed());
                statement.setString(11, Rows.storable(step.detail()));
                return only(statement, entry.key());
            }
        });
    }

    @Override
    public EffectEntry read(EffectKey key) {
        return inJournal(c -> {
            try (PreparedStatement statement =
                    c.prepareStatement("SELECT " + Rows.COLUMNS + " FROM " + schema + ".effect e WHERE e.key = ?")) {
                statement.setString(1, key.text());
                return only(statement, key);
            }
        });
    }

    @Override
    public List<EffectEntry> open(String effect, String after, int limit) {
        return inJournal(c -> {
            try (PreparedStatement statement = c.prepareStatement("SELECT " + Rows.COLUMNS + " FROM " + schema
                    + ".effect e WHERE e.journal = ? AND e.effect = ? AND e.key > ?"
                    + " AND e.state NOT IN ('done', 'refused') ORDER BY e.key LIMIT ?")) {
                statement.setString(1, writer.grant().leaseName());
                statement.setString(2, effect);
                statement.setString(3, after);
                statement.setInt(4, limit);
                List<EffectEntry> found = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(Rows.entry(rows));
                    }
                }
                return found;
            }
        });
    }

    private static EffectEntry only(PreparedStatement statement, EffectKey key) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                throw new IllegalStateException("the journal has no effect " + key);
            }
            return Rows.entry(rows);
        }
    }

    private <T> T inJournal(FencedWriter.Call<Connection, T, SQLException> body) {
        try {
            return writer.call(body);
        } catch (SQLException e) {
            if (MOVED.equals(e.getSQLState())) {
                throw new MovedMeanwhileException(String.valueOf(e.getMessage()), e);
            }
            throw new UnsupportedStoreException(
                    "the journal of effects refused a step: " + e.getMessage() + " (SQLSTATE " + e.getSQLState() + ")",
                    e);
        }
    }
}
