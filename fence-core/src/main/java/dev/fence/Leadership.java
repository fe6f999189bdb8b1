package dev.fence;

import java.util.Map;

/**
 * One term of a leader: a lease, and writers under it.
 *
 * <p>Safe for use by several threads. Like its lease it can be old news by the time it is read: what a former leader must not
 * do is refused at the resource.
 */
public final class Leadership {

    private final Lease lease;
    private final Map<ElectionResource<?>, FencedWriter<?>> writers;
    private final Runnable stepDown;

    Leadership(Lease lease, Map<ElectionResource<?>, FencedWriter<?>> writers, Runnable stepDown) {
        this.lease = lease;
        this.writers = Map.copyOf(writers);
        this.stepDown = stepDown;
    }

    /** The token of the leader's lease: higher than every epoch before. */
    public FencingToken epoch() {
        return lease.token();
    }

    /** The lease: to ask how it stands, to register work in flight, to seal more. To end it, {@link #resign}. */
    public Lease lease() {
        return lease;
    }

    /** Whether the term is over, as of this call and by our own clock; computed when asked. */
    public boolean isOver() {
        return lease.state() instanceof LeaseState.Lost;
    }

    /**
     * The writer to a declared resource, under this term's grant.
     *
     * @throws IllegalArgumentException if the resource was not declared in {@link ElectionSettings}
     */
    @SuppressWarnings("unchecked") // put in by the election under the very same type
    public <C> FencedWriter<C> writer(ElectionResource<C> resource) {
        FencedWriter<?> writer = writers.get(resource);
        if (writer == null) {
            throw new IllegalArgumentException("resource \"" + resource.name()
                    + "\" is not declared: the election seals only those in its settings");
        }
        return (FencedWriter<C>) writer;
    }

    /** Steps down soon and returns at once; the candidate goes on campaigning, behind those who wait. */
    public void resign() {
        stepDown.run();
    }

    @Override
    public String toString() {
        return "epoch " + epoch() + " of " + lease;
    }
}
