package dev.fence.jdbc;

import dev.fence.FenceEvents;
import dev.fence.spi.Checks;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Options of a {@link JdbcFence}.
 *
 * @param schema where the guard lives, as it was migrated; matches {@code [a-z_][a-z0-9_]{0,62}}, default {@code fence}
 * @param label who we are, for people: stands in the guard and in the seal log; at most 255 UTF-8 bytes, default empty
 * @param sealWait how long creating and sealing wait for writers of the previous holder, at most what is left of the lease;
 *     1 ms to 10 min, default 10 s: twice the longest transaction by default, so that one that was stopped is cut off before
 * @param checkWait how long a write waits for a sealer; 1 ms to 10 min, default 2 s
 * @param commitWait how long the answer to COMMIT is waited for before the outcome is unknown; 100 ms to 10 min, default 10 s
 * @param longestTransaction how long the server lets a write's transaction idle (from PostgreSQL 17 on: last) before it cuts
 *     it off, so that a holder that is stopped in mid-transaction does not block the next; 1 ms to 1 h, default empty: 5 s, or
 *     a third of what is left of the lease if that is less
 * @param isolation of the transactions of writes; default empty: the connection's own. Seals are always at READ COMMITTED
 * @param verification which writes can be verified when their outcome is unknown; default {@link Verification#TRANSACTIONS}
 * @param evictAfter how long creating and sealing wait before they end the backends that are in the way, of the fence's own
 *     database user and no other; 1 ms to 10 min, less than {@code sealWait}; default empty: never
 * @param events told about seals, refusals and unknown outcomes
 */
public record JdbcFenceSettings(
        String schema,
        String label,
        Duration sealWait,
        Duration checkWait,
        Duration commitWait,
        Optional<Duration> longestTransaction,
        Optional<Isolation> isolation,
        Verification verification,
        Optional<Duration> evictAfter,
        FenceEvents events) {

    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Duration MIN = Duration.ofMillis(1);
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);

    /** Schema {@code fence}, no label, the default times, nobody listening. */
    public static final JdbcFenceSettings DEFAULTS = new JdbcFenceSettings(
            "fence",
            "",
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            Optional.empty(),
            Optional.empty(),
            Verification.TRANSACTIONS,
            Optional.empty(),
            FenceEvents.NONE);

    /** @throws IllegalArgumentException if a name breaks its rule or a duration is out of its range */
    public JdbcFenceSettings {
        if (!SCHEMA.matcher(schema).matches()) {
            throw new IllegalArgumentException("schema \"" + schema + "\" is malformed: it must match " + SCHEMA
                    + ", so that it never needs quotes");
        }
        Checks.label("label", label);
        Checks.duration("sealWait", sealWait, MIN, MAX_WAIT);
        Checks.duration("checkWait", checkWait, MIN, MAX_WAIT);
        Checks.duration("commitWait", commitWait, Duration.ofMillis(100), MAX_WAIT);
        longestTransaction.ifPresent(d -> Checks.duration("longestTransaction", d, MIN, Duration.ofHours(1)));
        evictAfter.ifPresent(d -> {
            Checks.duration("evictAfter", d, MIN, MAX_WAIT);
            if (d.compareTo(sealWait) >= 0) {
                throw new IllegalArgumentException(
                        "evictAfter " + d + " is not less than sealWait " + sealWait + ": nobody would be evicted");
            }
        });
    }

    public JdbcFenceSettings withSchema(String schema) {
        return with(changed -> changed.schema = schema);
    }

    public JdbcFenceSettings withLabel(String label) {
        return with(changed -> changed.label = label);
    }

    public JdbcFenceSettings withSealWait(Duration sealWait) {
        return with(changed -> changed.sealWait = sealWait);
    }

    public JdbcFenceSettings withCheckWait(Duration checkWait) {
        return with(changed -> changed.checkWait = checkWait);
    }

    public JdbcFenceSettings withCommitWait(Duration commitWait) {
        return with(changed -> changed.commitWait = commitWait);
    }

    public JdbcFenceSettings withLongestTransaction(Duration longestTransaction) {
        return with(changed -> changed.longestTransaction = Optional.of(longestTransaction));
    }

    public JdbcFenceSettings withIsolation(Isolation isolation) {
        return with(changed -> changed.isolation = Optional.of(isolation));
    }

    public JdbcFenceSettings withVerification(Verification verification) {
        return with(changed -> changed.verification = verification);
    }

    public JdbcFenceSettings withEvictAfter(Duration evictAfter) {
        return with(changed -> changed.evictAfter = Optional.of(evictAfter));
    }

    public JdbcFenceSettings withEvents(FenceEvents events) {
        return with(changed -> changed.events = events);
    }

    private JdbcFenceSettings with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.settings();
    }

    /** One that may be changed, until it is checked as a whole. */
    private static final class Copy {

        private String schema;
        private String label;
        private Duration sealWait;
        private Duration checkWait;
        private Duration commitWait;
        private Optional<Duration> longestTransaction;
        private Optional<Isolation> isolation;
        private Verification verification;
        private Optional<Duration> evictAfter;
        private FenceEvents events;

        private Copy(JdbcFenceSettings original) {
            schema = original.schema;
            label = original.label;
            sealWait = original.sealWait;
            checkWait = original.checkWait;
            commitWait = original.commitWait;
            longestTransaction = original.longestTransaction;
            isolation = original.isolation;
            verification = original.verification;
            evictAfter = original.evictAfter;
            events = original.events;
        }

        private JdbcFenceSettings settings() {
            return new JdbcFenceSettings(
                    schema,
                    label,
                    sealWait,
                    checkWait,
                    commitWait,
                    longestTransaction,
                    isolation,
                    verification,
                    evictAfter,
                    events);
        }
    }
}
