package dev.fence.effects;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a run did, or found done before.
 *
 * @param outcomes by item (or by business key, if no run was given), in the order in which they were driven
 * @param totals their sums
 */
public record BatchReport<R>(Map<String, Outcome<R>> outcomes, Totals totals) {

    public BatchReport {
        outcomes = Collections.unmodifiableMap(new LinkedHashMap<>(outcomes));
    }
}
