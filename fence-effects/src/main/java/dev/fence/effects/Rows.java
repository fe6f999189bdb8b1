package dev.fence.effects;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** An effect as a row: which columns, and what they become. */
final class Rows {

    /** Behind an alias {@code e}. Ages are by the database's clock alone: those of the holders differ. */
    static final String COLUMNS =
            "e.key, e.effect, e.business_key, e.journal, e.run, e.keyed, e.request, e.state, e.attempts,"
                    + " e.attempts_since_decision, e.doubt, e.reference, e.result, e.replayed, e.detail, e.planned_at, e.changed_at,"
                    + " extract(epoch FROM clock_timestamp() - e.first_sent_at) * 1000 AS since_first_sent,"
                    + " extract(epoch FROM clock_timestamp() - e.last_sent_at) * 1000 AS since_last_sent";

    private Rows() {}

    static EffectEntry entry(ResultSet row) throws SQLException {
        return new EffectEntry(
                new EffectKey(row.getString("effect"), row.getString("business_key")),
                row.getString("journal"),
                Optional.ofNullable(row.getString("run")),
                row.getBoolean("keyed"),
                row.getString("request"),
                EffectState.ofSql(row.getString("state")),
                row.getInt("attempts"),
                row.getInt("attempts_since_decision"),
                row.getBoolean("doubt"),
                age(row, "since_first_sent"),
                age(row, "since_last_sent"),
                Optional.ofNullable(row.getString("reference")),
                Optional.ofNullable(row.getString("result")),
                row.getBoolean("replayed"),
                row.getString("detail"),
                instant(row, "planned_at"),
                instant(row, "changed_at"));
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static Optional<Duration> age(ResultSet row, String column) throws SQLException {
        double millis = row.getDouble(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis((long) millis));
    }

    /** What a step says is for people, and comes from anywhere: it must not stop the step. PostgreSQL's text has no U+0000. */
    static String storable(String detail) {
        String clean = detail.replace('\0', ' ');
        return clean.length() <= Journal.MAX_TEXT_LENGTH ? clean : clean.substring(0, Journal.MAX_TEXT_LENGTH);
    }
}
