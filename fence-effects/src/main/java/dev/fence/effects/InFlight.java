package dev.fence.effects;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which effects this process is driving at this moment. An entry that is marked sent looks abandoned to a second thread of the same
 * holder, whose grant the journal cannot tell from the first one's; only the process knows that the call is under way.
 */
final class InFlight {

    private record Driven(UUID holder, EffectKey key) {}

    // of the process and not of an instance: there may be two for one lease
    private static final Set<Driven> DRIVEN = ConcurrentHashMap.newKeySet();

    private InFlight() {}

    /** False if another thread is at it. */
    static boolean enter(UUID holder, EffectKey key) {
        return DRIVEN.add(new Driven(holder, key));
    }

    static void leave(UUID holder, EffectKey key) {
        DRIVEN.remove(new Driven(holder, key));
    }
}
