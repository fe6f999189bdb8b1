package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.Fence;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.UnsupportedStoreException;
import dev.fence.spi.Mandate;
import java.sql.Connection;

/**
 * A {@link JdbcFence} for resources that are one row each and carry their token themselves, so that a write is one UPDATE, as
 * without a fence.
 *
 * <pre>{@code
 * RowFence accounts = RowFence.over(JdbcFence.on(dataSource), RowTable.of("accounts", "id"));
 * RowWriter account = accounts.seal(lease, "accounts/17");
 * account.update("balance = balance - ?", 100);
 * }</pre>
 *
 * <p>The guard stays where it is, and seals raise it as ever. In the same transaction they copy token and holder into the row,
 * and wait for the writes to it that are in flight. What a writer changes, it changes under that copy: {@code token = ? AND
 * holder = ?} on the history of the database it was sealed on. Whoever changes these columns by other means, or rows without
 * asking for them, is not fenced.
 *
 * <p>{@code write} and {@code call} lock the row first, and may change others along with it. For several such rows under leases
 * of their own use {@link JdbcFence#together}. Safe for use by several threads.
 */
public final class RowFence implements Fence<Connection> {

    private final JdbcFence fence;
    private final RowTable table;
    private final RowStatements statements;

    private RowFence(JdbcFence fence, RowTable table, RowStatements statements) {
        this.fence = fence;
        this.table = table;
        this.statements = statements;
    }

    /**
     * Asks the database whether the table can carry tokens, on one connection, and fails if it cannot.
     *
     * @throws UnsupportedStoreException if it cannot; the message says what to fix
     * @throws BusyException if the database could not be asked
     */
    public static RowFence over(JdbcFence fence, RowTable table) {
        String keyType = RowTableCheck.require(fence.dataSource(), table);
        return new RowFence(fence, table, new RowStatements(table, keyType, fence.settings()));
    }

    /** Creates the guard and seals the row, two steps; where only the first succeeded, {@link #seal} does the second. */
    @Override
    public boolean create(Lease lease, String resource) {
        table.keyOf(resource);
        boolean created = fence.create(lease, resource);
        if (created) {
            seal(lease, resource);
        }
        return created;
    }

    @Override
    public RowWriter seal(Lease lease, String resource) {
        String key = table.keyOf(resource);
        Mandates mandates = Mandates.of(Mandate.of(lease), resource);
        fence.seal(lease, mandates, connection -> statements.raise(connection, mandates, key));
        return new RowWriter(fence, statements, mandates, key);
    }

    @Override
    public RowWriter attach(Grant grant, String resource) {
        return new RowWriter(fence, statements, Mandates.of(Mandate.of(grant), resource), table.keyOf(resource));
    }
}
