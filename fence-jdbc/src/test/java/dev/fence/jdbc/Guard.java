package dev.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** One grant that calls the guard's functions by plain SQL, as they are. */
record Guard(String resource, String source, String leaseName, long token, UUID holder) {

    static Guard of(String resource, long token) {
        return new Guard(resource, "src", "lease", token, UUID.randomUUID());
    }

    Guard withSource(String source) {
        return new Guard(resource, source, leaseName, token, holder);
    }

    Guard withLeaseName(String leaseName) {
        return new Guard(resource, source, leaseName, token, holder);
    }

    Guard withToken(long token) {
        return new Guard(resource, source, leaseName, token, holder);
    }

    Guard withHolder(UUID holder) {
        return new Guard(resource, source, leaseName, token, holder);
    }

    String create(Connection connection) throws SQLException {
        return Ledger.ask(connection, "SELECT fence.create_v1(" + grant() + ", '', 2000, fence.timeline_v1())");
    }

    String createConfirmedOn(Connection connection, String timeline) throws SQLException {
        return Ledger.ask(connection, "SELECT fence.create_v1(" + grant() + ", '', 2000, " + timeline + ")");
    }

    String seal(Connection connection) throws SQLException {
        return seal(connection, 2000, false);
    }

    String seal(Connection connection, int waitMillis, boolean confirmed) throws SQLException {
        return seal(connection, waitMillis, confirmed ? "fence.timeline_v1()" : "NULL");
    }

    String seal(Connection connection, int waitMillis, String confirmedOn) throws SQLException {
        return Ledger.ask(
                connection, "SELECT fence.seal_v1(" + grant() + ", '', " + waitMillis + ", " + confirmedOn + ")");
    }

    void check(Connection connection) throws SQLException {
        check(connection, 2000);
    }

    void check(Connection connection, int waitMillis) throws SQLException {
        Ledger.ask(connection, "SELECT fence.check_v1(" + grant() + ", " + waitMillis + ", 10000)");
    }

    private String grant() {
        return "'" + resource + "', '" + source + "', '" + leaseName + "', " + token + ", '" + holder + "'";
    }
}
