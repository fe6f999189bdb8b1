package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What must hold after every timeline, whatever went wrong in it. */
final class EffectTimelines {

    private EffectTimelines() {}

    /** A journal for one timeline, and what is in it at the end. */
    interface Journals {
        /** Of the lease and of the run. */
        String name();

        BiFunction<Lease, String, Journal> hands();

        Optional<EffectState> state(EffectKey key);
    }

    /** With a provider that knows keys again each effect happens once, and it is known that it did. */
    static void requireOnce(List<Integer> chance, Function<SimulatedWorld, Journals> journals) {
        play(chance, journals, true, true, true);
    }

    /** With one that does not, at most once; and what is not known is on the list for a person. */
    static void requireAtMostOnce(List<Integer> chance, Function<SimulatedWorld, Journals> journals) {
        play(chance, journals, false, false, false);
    }

    static void play(
            List<Integer> chance,
            Function<SimulatedWorld, Journals> journals,
            boolean declaresKeys,
            boolean honoursKeys,
            boolean endsKnown) {
        SimulatedWorld world = new SimulatedWorld(new Choices(chance));
        SimulatedProvider provider = new SimulatedProvider(world, declaresKeys, honoursKeys);
        Journals used = journals.apply(world);
        world.play(used, provider, 4);
        world.calm();
        world.time().advance(SimulatedProvider.SEARCH_DELAY.multipliedBy(2));
        Map<String, Outcome<String>> said = world.play(used, provider, 1);

        for (String item : SimulatedWorld.ITEMS) {
            EffectKey key = new EffectKey("pay", used.name() + "/" + item);
            EffectState state = used.state(key).orElseThrow(() -> new AssertionError(item + " was lost"));
            int times = provider.times(key);
            assertThat(times).as("%s is %s and happened", item, state).isLessThanOrEqualTo(1);
            if (state == EffectState.DONE) {
                assertThat(times).as("%s is done, and happened", item).isEqualTo(1);
            }
            if (state == EffectState.REFUSED || state == EffectState.PLANNED || state == EffectState.NOT_EXECUTED) {
                assertThat(times).as("%s is %s, and happened", item, state).isZero();
            }
            if (endsKnown) {
                assertThat(state).as(item).isIn(EffectState.DONE, EffectState.REFUSED);
            }
            assertThat(said.get(item)).as("what the last run said of %s", item).isNotNull();
        }
    }
}
