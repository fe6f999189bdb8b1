package dev.fence;

import dev.fence.spi.Checks;
import java.time.Duration;
import java.util.List;

/**
 * Options of a {@link LeaderElection}.
 *
 * @param resources sealed for each new leader, in this order; default none, which fences nothing
 * @param lease the longest term ({@code maxHold}) and the time for work in flight when stepping down ({@code grace}); default
 *     {@link LeaseSettings#DEFAULTS}
 * @param longestDemotion how long after the end of a term the next term of this candidate waits for
 *     {@link Candidate#onDemoted} to return; zero to one hour, default 30 s; it waits for the grace time in any case
 */
public record ElectionSettings(List<ElectionResource<?>> resources, LeaseSettings lease, Duration longestDemotion) {

    /** No resources, terms as long as the session lives, 30 s for the demotion. */
    public static final ElectionSettings DEFAULTS =
            new ElectionSettings(List.of(), LeaseSettings.DEFAULTS, Duration.ofSeconds(30));

    /** @throws IllegalArgumentException if a duration is out of its range */
    public ElectionSettings {
        resources = List.copyOf(resources);
        Checks.duration("longestDemotion", longestDemotion, Duration.ZERO, Duration.ofHours(1));
    }

    public ElectionSettings withResources(ElectionResource<?>... resources) {
        return new ElectionSettings(List.of(resources), lease, longestDemotion);
    }

    public ElectionSettings withLease(LeaseSettings lease) {
        return new ElectionSettings(resources, lease, longestDemotion);
    }

    public ElectionSettings withLongestDemotion(Duration longestDemotion) {
        return new ElectionSettings(resources, lease, longestDemotion);
    }
}
