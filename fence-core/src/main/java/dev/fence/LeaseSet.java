package dev.fence;

import dev.fence.spi.Checks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Several leases that are held together: acquired all or none, and with one of them lost all are. Each seals its own resources.
 *
 * <p>They are acquired one after the other in the order of their names' UTF-8 bytes, the same for everybody, so that two who
 * want the same names in another order do not wait for each other.
 *
 * <p>Safe for use by several threads.
 */
public final class LeaseSet implements AutoCloseable {

    private static final int MOST = 100;
    private static final Comparator<String> CANONICAL =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final Map<String, Lease> held;
    private final Map<String, Lease> members = new LinkedHashMap<>();
    private volatile @Nullable LossReason firstLoss;
    private final AtomicBoolean releasing = new AtomicBoolean();

    private LeaseSet(Map<String, Lease> held) {
        this.held = held;
        held.forEach((name, lease) -> members.put(name, new LeaseOfSet(this, lease)));
    }

    static LeaseSet acquire(Leases leases, Set<String> names, Duration wait, LeaseSettings settings)
            throws InterruptedException {
        if (names.isEmpty() || names.size() > MOST) {
            throw new IllegalArgumentException(
                    "a set of " + names.size() + " lease names is out of range: 1 to " + MOST + " are permitted");
        }
        names.forEach(name -> Checks.name("lease name", name));
        long asked = System.nanoTime();
        Map<String, Lease> held = new LinkedHashMap<>();
        try {
            for (String name : names.stream().sorted(CANONICAL).toList()) {
                Duration left = wait.minusNanos(System.nanoTime() - asked);
                // The first wait is the caller's own, to be refused if it is out of range.
                held.put(name, leases.acquire(name, held.isEmpty() ? wait : longer(left, Duration.ZERO), settings));
            }
            LeaseSet set = new LeaseSet(held);
            set.requireNotLost();
            held.values().forEach(lease -> lease.onLoss(reason -> set.lostOne(lease, reason)));
            return set;
        } catch (InterruptedException | RuntimeException e) {
            releaseAll(held.values());
            throw e;
        }
    }

    /**
     * The lease of one of the names. It is over as soon as any lease of the set is, by its own clock or the service's word, and
     * closing it closes the set.
     *
     * @throws IllegalArgumentException if the set was acquired without this name
     */
    public Lease lease(String name) {
        Lease lease = members.get(name);
        if (lease == null) {
            throw new IllegalArgumentException(
                    "lease name \"" + name + "\" is not in the set: permitted are " + members.keySet());
        }
        return lease;
    }

    /** All leases, in the order in which they were acquired. */
    public List<Lease> leases() {
        return List.copyOf(members.values());
    }

    /** Closes every lease, all at once, each as {@link Lease} describes. Closing twice is harmless. */
    @Override
    public void close() {
        releaseAll(held.values());
    }

    /** Why the set is over, as of this call: computed, since a thread that should have told may not have run. */
    Optional<LossReason> loss() {
        LossReason known = firstLoss;
        if (known != null) {
            return Optional.of(known);
        }
        for (Lease lease : held.values()) {
            if (lease.state() instanceof LeaseState.Lost lost) {
                return Optional.of(first(lease, lost.reason()));
            }
        }
        return Optional.empty();
    }

    /** The first reason stays. */
    private synchronized LossReason first(Lease lease, LossReason reason) {
        LossReason known = firstLoss;
        if (known == null) {
            known = new LossReason(reason.kind(), "lease \"" + lease.name() + "\" of the set: " + reason.detail());
            firstLoss = known;
        }
        return known;
    }

    Duration remaining() {
        return loss().isPresent()
                ? Duration.ZERO
                : held.values().stream()
                        .map(Lease::remaining)
                        .min(Comparator.naturalOrder())
                        .orElse(Duration.ZERO);
    }

    private void requireNotLost() {
        for (Lease lease : members.values()) {
            if (lease.state() instanceof LeaseState.Lost lost) {
                throw new LeaseLostException(lease.grant(), lost.reason());
            }
        }
    }

    /** Those who wait for the others must not wait for ever. */
    private void lostOne(Lease lease, LossReason reason) {
        first(lease, reason); // before the others are closed, and their reason is that
        if (releasing.compareAndSet(false, true)) {
            releaseAll(held.values());
        }
    }

    /** Each on a thread of its own: the grace time of one must not delay the end of another. */
    private static void releaseAll(Collection<Lease> leases) {
        List<Thread> threads = new ArrayList<>();
        for (Lease lease : leases) {
            Thread thread = new Thread(lease::release, "fence-release-" + lease.token());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join(); // bounded, as a release is
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    @Override
    public String toString() {
        return members.values().toString();
    }
}
