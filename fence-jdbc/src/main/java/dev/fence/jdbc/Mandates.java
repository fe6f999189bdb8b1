package dev.fence.jdbc;

import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.spi.Checks;
import dev.fence.spi.Mandate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** On whose behalf a writer writes to each of its resources, by name. Almost always there is one resource only. */
final class Mandates {

    /** More advisory locks, times connections, than that exhaust the shared memory of a server in its default set-up. */
    static final int MOST_RESOURCES = 1000;

    private final SortedMap<String, Mandate> byResource;

    private Mandates(SortedMap<String, Mandate> byResource) {
        if (byResource.isEmpty() || byResource.size() > MOST_RESOURCES) {
            throw new IllegalArgumentException(
                    byResource.size() + " resources in one transaction: 1 to " + MOST_RESOURCES + " are permitted");
        }
        this.byResource = Collections.unmodifiableSortedMap(byResource);
    }

    static Mandates of(Mandate mandate, String resource) {
        return of(mandate, List.of(resource));
    }

    /** @throws IllegalArgumentException if a name breaks its rule, or there are none or too many */
    static Mandates of(Mandate mandate, Collection<String> resources) {
        SortedMap<String, Mandate> byResource = new TreeMap<>();
        resources.forEach(resource -> byResource.put(Checks.name("resource", resource), mandate));
        return new Mandates(byResource);
    }

    /** @throws IllegalArgumentException if two of them disagree about the grant of a resource, or there are too many */
    static Mandates together(Collection<Mandates> all) {
        SortedMap<String, Mandate> byResource = new TreeMap<>();
        all.forEach(each -> each.byResource.forEach((resource, mandate) ->
                byResource.merge(resource, mandate, (one, other) -> theOneWithALease(resource, one, other))));
        return new Mandates(byResource);
    }

    private static Mandate theOneWithALease(String resource, Mandate one, Mandate other) {
        if (!one.grant().equals(other.grant())) {
            throw new IllegalArgumentException("two writers to resource \"" + resource + "\" have different grants, "
                    + one.grant() + " and " + other.grant() + ": at most one of them can be the newest");
        }
        return one.remaining().isPresent() ? one : other;
    }

    /** The resources, by name. */
    List<String> resources() {
        return List.copyOf(byResource.keySet());
    }

    String firstResource() {
        return byResource.firstKey();
    }

    Grant firstGrant() {
        return grant(firstResource());
    }

    Grant grant(String resource) {
        return mandate(resource).grant();
    }

    private Mandate mandate(String resource) {
        Mandate mandate = byResource.get(resource);
        if (mandate == null) {
            throw new IllegalArgumentException("resource \"" + resource + "\" is none of " + byResource.keySet());
        }
        return mandate;
    }

    /**
     * Registers work in flight with every lease.
     *
     * @throws LeaseLostException if one of the leases is over; then it is registered with none
     */
    Lease.Work begin() {
        List<Lease.Work> begun = new ArrayList<>();
        Lease.Work all = () -> begun.forEach(Lease.Work::close);
        try {
            byResource.values().stream().distinct().forEach(mandate -> begun.add(mandate.begin()));
        } catch (RuntimeException | Error e) {
            all.close();
            throw e;
        }
        return all;
    }

    /** What is left of the lease that ends first; empty if all leases are elsewhere. */
    Optional<Duration> remaining() {
        return byResource.values().stream()
                .distinct()
                .flatMap(mandate -> mandate.remaining().stream())
                .min(Duration::compareTo);
    }

    FenceException explain(StaleTokenException refusal) {
        return mandate(refusal.resource()).explain(refusal);
    }

    /**
     * The resource that an error of the guard's functions is about. Their messages begin with its name in quotes; where one
     * name goes on like another name's message, the longer one is meant.
     */
    String resourceIn(String message) {
        String found = firstResource();
        int longest = -1;
        for (String resource : byResource.keySet()) {
            if (resource.length() > longest && message.startsWith("resource \"" + resource + "\"")) {
                found = resource;
                longest = resource.length();
            }
        }
        return found;
    }

    /** The resource that a refusal is about, as far as it is about one. */
    String resourceOf(FenceException refusal) {
        if (refusal instanceof StaleTokenException stale) {
            return stale.resource();
        } else if (refusal instanceof TokenSourceException source) {
            return source.resource();
        } else if (refusal instanceof GuardMissingException missing) {
            return missing.resource();
        } else if (refusal instanceof LeaseLostException lost) {
            return byResource.keySet().stream()
                    .filter(resource -> grant(resource).leaseName().equals(lost.leaseName()))
                    .findFirst()
                    .orElse(firstResource());
        }
        return firstResource();
    }

    /** For messages. */
    @Override
    public String toString() {
        int others = byResource.size() - 1;
        return "resource \"" + firstResource() + "\"" + (others == 0 ? "" : " and " + others + " more");
    }
}
