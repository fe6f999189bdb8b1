package dev.fence.properties;

import dev.fence.Fence;
import dev.fence.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is tried: a fence, and the one resource behind it, which can be looked at past the fence. */
interface Subject extends AutoCloseable {

    /** As files name it. */
    String name();

    /** For people. */
    default String where() {
        return "in memory";
    }

    Fence<Register> fence();

    String resource();

    Sight look();

    @Override
    default void close() {}

    /**
     * The resource as it is.
     *
     * @param guard null if there is none
     * @param landed the numbers of all writes that took effect, in their order, whatever their callers were told
     */
    record Sight(@Nullable Grant guard, List<Long> landed) {

        long value() {
            return landed.isEmpty() ? 0 : landed.get(landed.size() - 1);
        }
    }
}
