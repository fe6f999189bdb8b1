package dev.fence.spi;

import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf a writer writes: a live lease, which is asked first and told about work in flight, or a grant that was
 * handed over, about which only the resource knows.
 */
public final class Mandate {

    private final Grant grant;
    private final @Nullable Lease lease;

    private Mandate(Grant grant, @Nullable Lease lease) {
        this.grant = grant;
        this.lease = lease;
    }

    public static Mandate of(Lease lease) {
        return new Mandate(lease.grant(), lease);
    }

    public static Mandate of(Grant grant) {
        return new Mandate(grant, null);
    }

    public Grant grant() {
        return grant;
    }

    /**
     * To be called before anything is sent, and closed when the work has ended.
     *
     * @throws LeaseLostException if the lease is over
     */
    public Lease.Work begin() {
        return lease == null ? () -> {} : lease.begin();
    }

    /** What is left of the lease; empty for a grant, whose lease is elsewhere. */
    public Optional<Duration> remaining() {
        return Optional.ofNullable(lease).map(Lease::remaining);
    }

    /**
     * What a higher token in the guard means. For most it is a newer holder. But if the service confirms, after the guard was
     * seen, that this lease is still the present one, no newer holder can exist: the source went backwards.
     */
    public FenceException explain(StaleTokenException refusal) {
        if (lease == null) {
            return refusal;
        }
        try {
            lease.confirm();
        } catch (FenceException e) {
            refusal.addSuppressed(e);
            return refusal;
        }
        return new TokenSourceException(
                TokenSourceException.Problem.SOURCE_WENT_BACKWARDS,
                refusal.resource(),
                grant,
                "the guard carries token " + refusal.newest().token() + " (holder "
                        + refusal.newest().holder()
                        + "), though the lease service confirmed this holder as the present one",
                refusal);
    }
}
