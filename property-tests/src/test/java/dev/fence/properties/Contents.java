package dev.fence.properties;

import dev.fence.properties.Register.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was written by which write. */
final class Contents {

    private final Map<Long, Long> contents = new HashMap<>();

    /** What a write writes: something new, or for a {@link Op#WRITE_BACK}, what was there before the newest write. */
    Value value(Op op, long number, List<Long> landed) {
        long before = landed.size() < 2 ? 0 : landed.get(landed.size() - 2);
        long content = op == Op.WRITE_BACK ? of(before) : number;
        contents.put(number, content);
        return new Value(number, content);
    }

    long of(long number) {
        return contents.getOrDefault(number, number);
    }
}
