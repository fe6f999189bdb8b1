package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Example;

class SearchProperties {

    private final AtomicInteger played = new AtomicInteger();
    private final Search search = Search.forAll(
            EnumSet.allOf(Kind.class),
            () -> {
                played.incrementAndGet();
                return ModelFence.without(Rule.A_WRITE_COMPARES_THE_TOKEN);
            },
            1000);

    /** A clock would make what is found depend on how fast the machine is. */
    @Example
    void shrinkingEndsAfterSoManyTimelines() {
        int found =
                search.withMostShrinks(0).run(Search.FIXED_SEED).orElseThrow().timelinesPlayed();
        assertThat(played).hasValue(found);

        played.set(0);
        assertThat(search.withMostShrinks(7).run(Search.FIXED_SEED)).isPresent();

        assertThat(played).hasValue(found + 7);
    }

    @Example
    void oneSeedTellsOneStory() {
        String once = search.run(Search.FIXED_SEED).orElseThrow().toString();

        assertThat(search.run(Search.FIXED_SEED).orElseThrow()).hasToString(once);
    }
}
