package dev.fence.stress;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Tells from the server's write-ahead log what was committed, in the order of the commits: by logical decoding, which knows
 * nothing of locks, snapshots or fences.
 */
final class Witness {

    private static final String SLOT = "stress";

    private static final Pattern SEALED = Pattern.compile(
            "table fence\\.guard: (?:INSERT|UPDATE): resource\\[text]:'(?:register/)?([^']*)' .*? token\\[bigint]:(\\d+) .*");

    private static final Pattern WRITTEN = Pattern.compile(
            "table public\\.(?:protected_)?register: UPDATE: resource\\[text]:'([^']*)' token\\[bigint]:(\\d+)"
                    + " last\\[bigint]:(\\d+) seen\\[bigint]:(\\d+).*");

    private final DataSource dataSource;

    private Witness(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    sealed interface Event {
        String resource();

        long token();
    }

    record Sealed(String resource, long token) implements Event {}

    /**
     * A register was changed.
     *
     * @param last the id of the write
     * @param seen the id that its writer had read
     */
    record Written(String resource, long token, long last, long seen) implements Event {}

    /** Sees what is committed from now on. */
    static Witness of(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_create_logical_replication_slot('" + SLOT + "', 'test_decoding')");
        }
        return new Witness(dataSource);
    }

    /** What was committed since the last call. */
    List<Event> events() throws SQLException {
        String sql = "SELECT data FROM pg_logical_slot_get_changes(?, NULL, NULL, 'include-xids', '0',"
                + " 'skip-empty-xacts', '1')";
        List<Event> events = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, SLOT);
            try (ResultSet changes = statement.executeQuery()) {
                while (changes.next()) {
                    add(changes.getString(1), events);
                }
            }
        }
        return events;
    }

    private static void add(String change, List<Event> events) {
        Matcher written = WRITTEN.matcher(change);
        Matcher sealed = SEALED.matcher(change);
        if (written.matches()) {
            events.add(new Written(
                    written.group(1),
                    Long.parseLong(written.group(2)),
                    Long.parseLong(written.group(3)),
                    Long.parseLong(written.group(4))));
        } else if (sealed.matches()) {
            events.add(new Sealed(sealed.group(1), Long.parseLong(sealed.group(2))));
        } else if (change.matches("table public\\.(protected_)?register: UPDATE.*")
                || change.startsWith("table fence.guard: UPDATE")) {
            throw new IllegalStateException("the witness does not understand: " + change);
        }
    }
}
