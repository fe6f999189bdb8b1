package dev.fence.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * What a body may do with its connection: everything, except to end or reshape the transaction that carries the check, to
 * change what outlives it, or to get at the connection behind it. Refused with an {@link IllegalStateException} that
 * names the rule, before anything is sent. After the body has returned nothing works any more, also on other threads.
 */
final class GuardedConnection {

    private static final Set<String> ENDS_THE_TRANSACTION =
            Set.of("commit", "setAutoCommit", "close", "abort", "setTransactionIsolation", "setReadOnly");
    private static final Set<String> OUTLIVES_THE_TRANSACTION = Set.of(
            "setSchema",
            "setCatalog",
            "setClientInfo",
            "setNetworkTimeout",
            "setHoldability",
            "setTypeMap",
            "setShardingKey",
            "setShardingKeyIfValid",
            "beginRequest",
            "endRequest");
    private static final Set<String> TAKES_SQL = Set.of(
            "execute",
            "executeQuery",
            "executeUpdate",
            "executeLargeUpdate",
            "addBatch",
            "prepareStatement",
            "prepareCall");

    /** What leads back to a connection, most special first. */
    private static final List<Class<?>> LEADS_BACK = List.of(
            CallableStatement.class,
            PreparedStatement.class,
            Statement.class,
            ResultSet.class,
            DatabaseMetaData.class,
            Array.class);

    private final String resource;
    private final Connection guarded;
    /** Calls read, the end writes: no call of another thread is on its way when COMMIT goes out, and none comes after. */
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

    private boolean ended;
    private volatile @Nullable SQLException lastFailure;

    GuardedConnection(Connection raw, String resource) {
        this.resource = resource;
        this.guarded = (Connection) guard(Connection.class, raw);
    }

    /** For the body. */
    Connection connection() {
        return guarded;
    }

    String resource() {
        return resource;
    }

    /** The body has returned. */
    void end() {
        use.writeLock().lock();
        try {
            ended = true;
        } finally {
            use.writeLock().unlock();
        }
    }

    /** The last SQL error that the body has seen, whether or not it swallowed it. */
    @Nullable
    SQLException lastFailure() {
        return lastFailure;
    }

    private Object guard(Class<?> type, Object raw) {
        return Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {type}, new Handler(type, raw));
    }

    private @Nullable Object guardIfItLeadsBack(@Nullable Object value) {
        if (value instanceof Connection) {
            return guarded;
        }
        for (Class<?> type : LEADS_BACK) {
            if (type.isInstance(value)) {
                return guard(type, value);
            }
        }
        return value;
    }

    private void requireAllowed(Method method, @Nullable Object[] args) {
        String name = method.getName();
        if (Connection.class.isAssignableFrom(method.getDeclaringClass())) {
            if (ENDS_THE_TRANSACTION.contains(name) || (name.equals("rollback") && args.length == 0)) {
                throw refused(name + "()", "the writer alone ends the transaction; to give up, throw an exception");
            }
            if (OUTLIVES_THE_TRANSACTION.contains(name)) {
                throw refused(name + "()", "the connection goes back to its pool as it came; use SET LOCAL");
            }
        }
        if (TAKES_SQL.contains(name) && args.length > 0 && args[0] instanceof String sql) {
            TransactionControl.in(sql).ifPresent(words -> {
                throw refused(words, "the writer alone controls the transaction; savepoints are the body's own");
            });
        }
    }

    private IllegalStateException refused(String what, String rule) {
        return new IllegalStateException(what + " is refused within a write to resource \"" + resource + "\": " + rule);
    }

    private final class Handler implements InvocationHandler {

        private final Class<?> type;
        private final Object raw;

        Handler(Class<?> type, Object raw) {
            this.type = type;
            this.raw = raw;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] passed)
                throws Throwable {
            Object[] args = passed == null ? new Object[0] : unguarded(passed);
            return switch (method.getName()) {
                case "equals" -> args[0] != null && args[0].equals(raw);
                case "hashCode" -> raw.hashCode();
                case "toString" -> "guarded " + raw;
                case "isWrapperFor" -> ((Class<?>) args[0]).isInstance(proxy);
                case "unwrap" -> unwrap(proxy, (Class<?>) args[0]);
                default -> call(method, args);
            };
        }

        private Object unwrap(Object proxy, Class<?> wanted) {
            if (!wanted.isInstance(proxy)) {
                throw refused("unwrap(" + wanted.getName() + ")", "what is behind could end the transaction");
            }
            return proxy;
        }

        private @Nullable Object call(Method method, Object[] args) throws Throwable {
            use.readLock().lock();
            try {
                if (ended) {
                    return afterTheEnd(method);
                }
                requireAllowed(method, args);
                return guardIfItLeadsBack(method.invoke(raw, args));
            } catch (InvocationTargetException e) {
                Throwable thrown = e.getTargetException();
                if (thrown instanceof SQLException sql) {
                    lastFailure = sql;
                }
                throw thrown;
            } finally {
                use.readLock().unlock();
            }
        }

        private @Nullable Object afterTheEnd(Method method) {
            boolean isConnection = type == Connection.class;
            return switch (method.getName()) {
                case "isClosed" -> true;
                case "close" -> {
                    if (isConnection) {
                        throw refused("close()", "the writer gives the connection back");
                    }
                    yield null;
                }
                default -> throw refused(method.getName() + "()", "the body has returned, its connection is gone");
            };
        }

        /** The driver knows its own arrays only. */
        private Object[] unguarded(@Nullable Object[] passed) {
            Object[] args = passed.clone();
            for (int i = 0; i < args.length; i++) {
                if (args[i] != null
                        && Proxy.isProxyClass(args[i].getClass())
                        && Proxy.getInvocationHandler(args[i]) instanceof Handler handler) {
                    args[i] = handler.raw;
                }
            }
            return args;
        }
    }
}
