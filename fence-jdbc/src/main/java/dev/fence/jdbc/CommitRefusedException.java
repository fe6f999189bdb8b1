package dev.fence.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The database did not commit, for reasons that have nothing to do with the fence: a deferred constraint was violated, or the
 * body swallowed an SQL error, after which a transaction can only be rolled back. Nothing changed. The cause, where one was
 * seen, is the {@link SQLException}; the body's own exception type cannot carry it, because COMMIT comes after the body.
 */
public final class CommitRefusedException extends RuntimeException {

    private final String resource;

    CommitRefusedException(String resource, String why, @Nullable SQLException cause) {
        super("the write to resource \"" + resource + "\" was not committed: " + why + "; nothing changed", cause);
        this.resource = resource;
    }

    public String resource() {
        return resource;
    }
}
