package dev.fence.effects;

import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.OutcomeUnknownException;
import dev.fence.UnsupportedStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The slots in PostgreSQL, as the holder of a lease moves them. Which moves there are is decided by {@code slot_move_v1}. */
final class SlotJournal {

    static final int MAX_LIST = 10_000;
    private static final int TRIES = 3;
    private static final String COLUMNS =
            "e.job, e.scheduled_at, e.state, e.run, e.attempts, e.token, e.detail, e.changed_at";

    private final FencedWriter<Connection> writer;
    private final String schema;

    SlotJournal(FencedWriter<Connection> writer, String schema) {
        this.writer = writer;
        this.schema = schema;
    }

    /** A wish. */
    record Move(String job, Instant scheduled, SlotState to, String evidence, UUID run, String detail) {
        Move to(SlotState next, String because, String why) {
            return new Move(job, scheduled, next, because, run, why);
        }
    }

    /** Whether it was granted, and the slot then; if not, the slot that is in the way. */
    record Moved(Slot slot, boolean moved) {}

    /** Asked again with the same run, a move that was made is granted again: so an answer that was lost is no question. */
    Moved move(Move move) {
        for (int tries = 1; ; tries++) {
            try {
                return inJournal(c -> moved(c, move));
            } catch (OutcomeUnknownException | BusyException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private Moved moved(Connection c, Move move) throws SQLException {
        try (PreparedStatement statement = c.prepareStatement("SELECT " + COLUMNS + ", m.moved FROM " + schema
                + ".slot_move_v1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) m, LATERAL (SELECT (m.entry).*) e")) {
            Grant grant = writer.grant();
            statement.setString(1, move.job());
            statement.setObject(2, move.scheduled().atOffset(ZoneOffset.UTC));
            statement.setString(3, grant.leaseName());
            statement.setString(4, grant.source());
            statement.setLong(5, grant.token().value());
            statement.setObject(6, grant.holder());
            statement.setString(7, move.to().sql());
            statement.setString(8, move.evidence());
            statement.setObject(9, move.run());
            statement.setString(10, Rows.storable(move.detail()));
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next() || rows.getString("job") == null) {
                    throw new IllegalArgumentException("slot " + move.scheduled() + " of job \"" + move.job()
                            + "\" was never started or skipped: there is nothing to run again");
                }
                return new Moved(slot(rows), rows.getBoolean("moved"));
            }
        }
    }

    List<Slot> list(String job, int limit) {
        return inJournal(c -> {
            try (PreparedStatement statement = c.prepareStatement("SELECT " + COLUMNS + " FROM " + schema
                    + ".slot e WHERE e.job = ? ORDER BY e.scheduled_at DESC LIMIT ?")) {
                statement.setString(1, job);
                statement.setInt(2, limit);
                List<Slot> found = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(slot(rows));
                    }
                }
                return found;
            }
        });
    }

    private static Slot slot(ResultSet row) throws SQLException {
        return new Slot(
                row.getString("job"),
                row.getObject("scheduled_at", OffsetDateTime.class).toInstant(),
                SlotState.ofSql(row.getString("state")),
                row.getObject("run", UUID.class),
                row.getInt("attempts"),
                new FencingToken(row.getLong("token")),
                row.getString("detail"),
                Rows.instant(row, "changed_at"));
    }

    private <T> T inJournal(FencedWriter.Call<Connection, T, SQLException> body) {
        try {
            return writer.call(body);
        } catch (SQLException e) {
            throw new UnsupportedStoreException(
                    "the journal of slots refused a step: " + e.getMessage() + " (SQLSTATE " + e.getSQLState() + ")",
                    e);
        }
    }
}
