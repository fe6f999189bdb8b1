package dev.fence.effects;

import dev.fence.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The list of effects for people: what stands where, what happened to it, and a decision where nobody else can make one. Needs no
 * lease and no running application, only a connection of the operator role.
 *
 * <p>There is no "retry" here. What may have been sent is looked up by the next run; a person who knows better says what happened,
 * with name and reason, and the key stays the same.
 *
 * <p>Safe for use by several threads.
 */
public final class EffectDesk {

    private static final Set<String> REFUSALS = Set.of("ZF020", "ZF021", "ZF022");
    private static final int MAX_LIMIT = 10_000;
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    private final DataSource dataSource;
    private final String schema;

    private EffectDesk(DataSource dataSource, String schema) {
        this.dataSource = dataSource;
        this.schema = schema;
    }

    /** The journals in schema {@code fence}. */
    public static EffectDesk on(DataSource dataSource) {
        return on(dataSource, "fence");
    }

    /**
     * The journals in another schema.
     *
     * @throws IllegalArgumentException if its name is malformed
     */
    public static EffectDesk on(DataSource dataSource, String schema) {
        if (!SCHEMA.matcher(schema).matches()) {
            throw new IllegalArgumentException("schema \"" + schema + "\" is malformed: it must match " + SCHEMA);
        }
        return new EffectDesk(dataSource, schema);
    }

    /**
     * The effects in one of {@code states}, of all journals, those that changed least recently first.
     *
     * @param states at least one; {@link EffectState#UNKNOWN} and {@link EffectState#MANUAL} are what waits for a decision
     * @param limit 1 to 10,000
     */
    public List<EffectEntry> list(Set<EffectState> states, int limit) throws SQLException {
        if (states.isEmpty() || limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("states " + states + ", limit " + limit
                    + ": at least one state and a limit of 1 to " + MAX_LIMIT + " are permitted");
        }
        return query(
                "SELECT " + Rows.COLUMNS + " FROM " + schema
                        + ".effect e WHERE e.state = ANY (?) ORDER BY e.changed_at, e.key LIMIT ?",
                statement -> {
                    statement.setArray(
                            1,
                            statement
                                    .getConnection()
                                    .createArrayOf(
                                            "text",
                                            states.stream()
                                                    .map(EffectState::sql)
                                                    .toArray()));
                    statement.setInt(2, limit);
                },
                Rows::entry);
    }

    /** Where an effect stands; empty if there is none. */
    public Optional<EffectEntry> show(EffectKey key) throws SQLException {
        return query(
                        "SELECT " + Rows.COLUMNS + " FROM " + schema + ".effect e WHERE e.key = ?",
                        statement -> statement.setString(1, key.text()),
                        Rows::entry)
                .stream()
                .findFirst();
    }

    /** Every step it ever took, the first first. */
    public List<EffectStep> history(EffectKey key) throws SQLException {
        return query(
                "SELECT * FROM " + schema + ".effect_history WHERE key = ? ORDER BY id",
                statement -> statement.setString(1, key.text()),
                EffectDesk::step);
    }

    /**
     * Writes down a person's decision. Of two persons who decide at once, one is refused.
     *
     * @param entry as the person saw it: if it has moved since, the decision is refused
     * @return where it stands now
     * @throws DecisionRefusedException if it is neither unknown nor manual, or no longer what the person saw; nothing changed
     */
    public EffectEntry resolve(EffectEntry entry, Decision decision) throws SQLException {
        try {
            return query(
                            "SELECT " + Rows.COLUMNS + " FROM " + schema + ".effect_resolve_v1(?, ?, ?, ?, ?, ?) e",
                            statement -> {
                                statement.setString(1, entry.key().text());
                                statement.setString(2, entry.state().sql());
                                statement.setBoolean(3, decision.happened());
                                statement.setString(4, decision.happened() ? decision.reference() : null);
                                statement.setString(5, decision.operator());
                                statement.setString(6, decision.reason());
                            },
                            Rows::entry)
                    .get(0);
        } catch (SQLException e) {
            if (REFUSALS.contains(String.valueOf(e.getSQLState()))) {
                throw new DecisionRefusedException(
                        e.getMessage()
                                + "; nothing changed. What may have been sent is looked up by the next run of its holder",
                        e);
            }
            throw e;
        }
    }

    private static EffectStep step(ResultSet row) throws SQLException {
        long token = row.getLong("token");
        boolean byAHolder = !row.wasNull();
        return new EffectStep(
                Rows.instant(row, "at"),
                row.getString("database_user"),
                optional(row.getString("from_state")).map(EffectState::ofSql),
                EffectState.ofSql(row.getString("to_state")),
                row.getString("evidence"),
                byAHolder ? Optional.of(new FencingToken(token)) : Optional.empty(),
                optional(row.getString("reference")),
                row.getString("detail"),
                optional(row.getString("operator")),
                optional(row.getString("reason")));
    }

    private static Optional<String> optional(@Nullable String text) {
        return Optional.ofNullable(text);
    }

    private <T> List<T> query(String sql, Parameters parameters, RowMapper<T> mapper) throws SQLException {
        try (Connection c = dataSource.getConnection();
                PreparedStatement statement = c.prepareStatement(sql)) {
            parameters.set(statement);
            List<T> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(mapper.map(rows));
                }
            }
            if (!c.getAutoCommit()) {
                c.commit();
            }
            return found;
        }
    }

    private interface Parameters {
        void set(PreparedStatement statement) throws SQLException;
    }

    private interface RowMapper<T> {
        T map(ResultSet row) throws SQLException;
    }
}
