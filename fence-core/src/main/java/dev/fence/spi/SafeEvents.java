package dev.fence.spi;

import dev.fence.FenceEvents;
import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.LossReason;
import dev.fence.OutcomeUnknownException;
import dev.fence.ReleaseOutcome;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps an exception of a listener from changing the outcome of what it listens to. */
public final class SafeEvents implements FenceEvents {

    private static final Logger LOG = LoggerFactory.getLogger(SafeEvents.class);

    private final FenceEvents listener;

    private SafeEvents(FenceEvents listener) {
        this.listener = listener;
    }

    /** {@code listener}, whose exceptions are logged. */
    public static FenceEvents of(FenceEvents listener) {
        return listener instanceof SafeEvents ? listener : new SafeEvents(listener);
    }

    @Override
    public void waiting(String leaseName) {
        tell(() -> listener.waiting(leaseName));
    }

    @Override
    public void acquired(Grant grant, Duration waited) {
        tell(() -> listener.acquired(grant, waited));
    }

    @Override
    public void lost(Grant grant, LossReason reason) {
        tell(() -> listener.lost(grant, reason));
    }

    @Override
    public void released(Grant grant, ReleaseOutcome outcome) {
        tell(() -> listener.released(grant, outcome));
    }

    @Override
    public void sealed(Grant grant, String resource) {
        tell(() -> listener.sealed(grant, resource));
    }

    @Override
    public void refused(Grant grant, String resource, FenceException refusal) {
        tell(() -> listener.refused(grant, resource, refusal));
    }

    @Override
    public void unknown(Grant grant, String resource, OutcomeUnknownException outcome) {
        tell(() -> listener.unknown(grant, resource, outcome));
    }

    private static void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.warn("a fence event listener failed", e);
        }
    }
}
