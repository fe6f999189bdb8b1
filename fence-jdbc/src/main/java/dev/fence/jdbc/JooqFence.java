package dev.fence.jdbc;

import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import java.sql.Connection;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;
import org.jspecify.annotations.Nullable;

/**
 * A {@link JdbcFence} for bodies that write with jOOQ: the same guards, the same protocol, the same outcomes.
 *
 * <pre>{@code
 * JooqFence ledger = JooqFence.over(JdbcFence.on(dataSource));
 * FencedWriter<DSLContext> writer = ledger.seal(lease, "ledger/EU");
 * writer.write(dsl -> dsl.update(INVOICE).set(INVOICE.STATE, "paid").where(INVOICE.ID.eq(17)).execute());
 * }</pre>
 *
 * <p>A body's context writes in the fence's own transaction and refuses {@code transaction()} and all that ends one; it is of no
 * use once the body has returned. A collision is a {@code BusyException}, also where jOOQ has wrapped it.
 *
 * <p>Needs {@code org.jooq:jooq}, which fence does not bring along. Safe for use by several threads.
 */
public final class JooqFence implements Fence<DSLContext> {

    private final Fence<Connection> fence;
    private final Configuration configuration;

    private JooqFence(Fence<Connection> fence, Configuration configuration) {
        this.fence = fence;
        this.configuration = configuration;
    }

    /** With jOOQ's default settings. */
    public static JooqFence over(Fence<Connection> fence) {
        return over(fence, new DefaultConfiguration());
    }

    /**
     * With the caller's settings and listeners.
     *
     * @param fence a {@link JdbcFence} or a {@link RowFence}
     * @param configuration where settings, listeners and mappings come from, for bodies and at the time of each call; its
     *     dialect, connection and transactions are the fence's
     */
    public static JooqFence over(Fence<Connection> fence, Configuration configuration) {
        return new JooqFence(fence, configuration);
    }

    @Override
    public boolean create(Lease lease, String resource) {
        return fence.create(lease, resource);
    }

    @Override
    public FencedWriter<DSLContext> seal(Lease lease, String resource) {
        return over(fence.seal(lease, resource));
    }

    @Override
    public FencedWriter<DSLContext> attach(Grant grant, String resource) {
        return over(fence.attach(grant, resource));
    }

    /** The same writer for jOOQ, such as one to several resources. */
    public FencedWriter<DSLContext> over(FencedWriter<Connection> writer) {
        return new Writer(writer, configuration);
    }

    private record Writer(FencedWriter<Connection> writer, Configuration configuration)
            implements FencedWriter<DSLContext> {

        @Override
        public String resource() {
            return writer.resource();
        }

        @Override
        public Grant grant() {
            return writer.grant();
        }

        @Override
        public <R extends @Nullable Object, X extends Exception> R call(Call<? super DSLContext, R, X> body) throws X {
            return writer.call(connection -> body.run(DSL.using(configuration
                    .derive(SQLDialect.POSTGRES)
                    .derive(new DefaultConnectionProvider(connection))
                    .derive(new NoTransactions(writer.resource())))));
        }
    }

    /** jOOQ would end the transaction with its own, and with it the check. */
    private record NoTransactions(String resource) implements TransactionProvider {

        @Override
        public void begin(TransactionContext context) {
            throw new IllegalStateException("transaction() is refused within a write to resource \"" + resource
                    + "\": the writer alone controls the transaction; savepoints are the body's own");
        }

        @Override
        public void commit(TransactionContext context) {
            begin(context);
        }

        @Override
        public void rollback(TransactionContext context) {} // nothing was begun
    }
}
