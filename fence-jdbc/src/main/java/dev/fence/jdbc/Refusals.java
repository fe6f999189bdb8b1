package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import dev.fence.UnsupportedStoreException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What an error means that came before COMMIT was sent, so that nothing changed. */
final class Refusals {

    private static final Set<String> UNAVAILABLE_CLASSES = Set.of("", "08", "40", "53", "55", "57", "58");
    private static final Set<String> SET_UP_CLASSES = Set.of("0A", "28", "3D", "3F", "42");

    private Refusals() {}

    /** An error of one of the guard's functions. */
    static FenceException ofGuard(SQLException e, Mandates mandates) {
        return byGuard(e, mandates).orElseGet(() -> ofStore(e, "the guard of " + mandates + " could not be reached"));
    }

    /** What the guard has decided; empty if the error is not of its functions. */
    static Optional<FenceException> byGuard(SQLException e, Mandates mandates) {
        for (SQLException each : SqlStates.within(e)) {
            String resource = mandates.resourceIn(text(each));
            FenceException refusal = ofState(each, resource, mandates.grant(resource), e);
            if (refusal != null) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }

    private static @Nullable FenceException ofState(SQLException each, String resource, Grant grant, SQLException e) {
        return switch (SqlStates.state(each)) {
            case SqlStates.GUARD_MISSING -> new GuardMissingException(resource, grant, e);
            case SqlStates.STALE -> new StaleTokenException(resource, grant, newest(each), e);
            case SqlStates.REUSED_TOKEN -> disagreement(Problem.REUSED_TOKEN, each, resource, grant, e);
            case SqlStates.FOREIGN_SOURCE -> disagreement(Problem.FOREIGN_SOURCE, each, resource, grant, e);
            case SqlStates.OTHER_LEASE_NAME -> disagreement(Problem.OTHER_LEASE_NAME, each, resource, grant, e);
            case SqlStates.HISTORY_LOST -> disagreement(Problem.HISTORY_LOST, each, resource, grant, e);
            case SqlStates.NOT_SEALED -> disagreement(Problem.NOT_SEALED, each, resource, grant, e);
            case SqlStates.BELOW_CREATION_FLOOR ->
                disagreement(Problem.SOURCE_WENT_BACKWARDS, each, resource, grant, e);
            case SqlStates.BEGAN_BEFORE_SEAL, SqlStates.CLOCK_BEHIND_SEAL ->
                new BusyException(text(each) + "; nothing changed", e);
            case SqlStates.NOT_WRITABLE, SqlStates.WRONG_ISOLATION, SqlStates.CHANGE_SWALLOWED ->
                new UnsupportedStoreException(text(each), e);
            default -> null;
        };
    }

    /** An error of the database that says nothing about a guard. */
    static FenceException ofStore(SQLException e, String what) {
        String state = SqlStates.state(e);
        String classOfState = state.length() < 2 ? "" : state.substring(0, 2);
        String message = what + ": " + text(e) + " (SQLSTATE " + state + ")";
        if (SqlStates.saysTryAgain(e) || UNAVAILABLE_CLASSES.contains(classOfState)) {
            return new BusyException(message + "; nothing changed", e);
        }
        if (state.equals("26000") || state.equals("42P05")) {
            message +=
                    "; a pooler in transaction mode that does not keep prepared statements apart (PgBouncer before 1.21)"
                            + " needs the driver setting prepareThreshold=0";
        } else if (SET_UP_CLASSES.contains(classOfState)) {
            message += "; are the migrations applied, and is the role of the application granted to this user?";
        }
        return new UnsupportedStoreException(message, e);
    }

    private static TokenSourceException disagreement(
            Problem problem, SQLException each, String resource, Grant grant, SQLException e) {
        String detail = detail(each);
        return new TokenSourceException(
                problem, resource, grant, text(each) + " [" + detail.replace("\t", ", ") + "]", e);
    }

    /** The guard travels in the error's DETAIL as source, lease name, token, holder, label, time and timeline. */
    private static Grant newest(SQLException e) {
        String[] fields = detail(e).split("\t", -1);
        if (fields.length != 7) {
            throw new UnsupportedStoreException(
                    "the guard's fields did not arrive with the error: does something between here and the server"
                            + " drop the DETAIL of errors?",
                    e);
        }
        return new Grant(fields[0], fields[1], FencingToken.parse(fields[2]), UUID.fromString(fields[3]));
    }

    static boolean isOfTheServer(SQLException e) {
        return SqlStates.within(e).stream().anyMatch(each -> serverMessage(each) != null);
    }

    private static String detail(SQLException e) {
        ServerErrorMessage server = serverMessage(e);
        String detail = server == null ? null : server.getDetail();
        return detail == null ? "" : detail;
    }

    private static String text(SQLException e) {
        ServerErrorMessage server = serverMessage(e);
        String message = server == null ? e.getMessage() : server.getMessage();
        return message == null ? e.toString() : message;
    }

    private static @Nullable ServerErrorMessage serverMessage(SQLException e) {
        return e instanceof PSQLException ofDriver ? ofDriver.getServerErrorMessage() : null;
    }
}
