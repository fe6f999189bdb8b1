package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptParserTest {

    private static final String GOOD = """
            timeline v1
            # told before
            title: two words
            processes: 2
            guard: present
            expect: fenced holds
            expect: unfenced violates EACH_UPDATE_REPLACES_WHAT_WAS_READ

            0.000 A acquire
            0.100 A check update
            1.000 service give-away
            25.400 A resume -> STALE|LEASE_LOST
            """;

    @Test
    void allPartsOfALineAreRead() {
        Script script = ScriptParser.parse(GOOD);

        assertThat(script.title()).isEqualTo("two words");
        assertThat(script.processes()).isEqualTo(2);
        assertThat(script.bare()).isFalse();
        assertThat(script.expectations())
                .containsExactly(
                        new Script.Expectation("fenced", null),
                        new Script.Expectation("unfenced", Invariant.EACH_UPDATE_REPLACES_WHAT_WAS_READ));
        assertThat(script.actions())
                .containsExactly(
                        new Action(0, "A", Kind.ACQUIRE, ""),
                        new Action(100, "A", Kind.CHECK, "update"),
                        new Action(1000, "service", Kind.GIVE_AWAY, ""),
                        new Action(25_400, "A", Kind.RESUME, ""));
        assertThat(script.lines().get(3).ends()).isEqualTo(EnumSet.of(Verdict.STALE, Verdict.LEASE_LOST));
    }

    /** Each replaces a piece of what is good, and says where that is found out, and by which words. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "timeline v1; timeline v2; line 1: \"timeline v2\" is no beginning; timeline v1",
                "processes: 2; processes: 5; line 4: number of processes \"5\"; 2, 3, 4",
                "guard: present; guard: perhaps; line 5: guard \"perhaps\"; present, absent",
                "guard: present; lock: redis; line 5: header \"lock\"; guard, processes, title, expect",
                "guard: present; title: again; line 5: a second title; one",
                "fenced holds; fenced falls; line 6: \"fenced falls\" expects nothing; SUBJECT holds",
                "unfenced violates; nobody violates; line 7: subject \"nobody\"; fenced, unfenced",
                "violates EACH; violates SUCH; line 7: invariant \"SUCH_UPDATE; THE_GUARD_NEVER_FALLS",
                "0.000 A acquire; 0.0 A acquire; line 9: time \"0.0\"; three decimals",
                "0.000 A acquire; 0.000 C acquire; line 9: who can acquire \"C\"; A, B",
                "0.000 A acquire; 0.000 A acquires; line 9: action \"acquires\"; acquire, acquire-another, release",
                "0.000 A acquire; 0.000 A acquire now; line 9: how to acquire \"now\"; nothing",
                "0.000 A acquire; A acquire; line 9: \"A acquire\" is no event; SECONDS ACTOR ACTION",
                "check update; check; line 10: how to check \"\"; update, write, read, seal",
                "1.000 service; 0.050 service; line 11: time 0.050 goes backwards; no earlier",
                "1.000 service; 1.000 A; line 11: who can give-away \"A\"; service",
                "STALE; OLD; line 12: end \"OLD\"; DONE, ROLLED_BACK, STALE",
                "1.000 service give-away; title: late; line 11: a header after the first event; headers first"
            })
    void whatIsNotKnownIsRefusedWithItsLine(String piece, String instead, String where, String permitted) {
        assertThatThrownBy(() -> ScriptParser.parse(GOOD.replaceFirst(piece, instead)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(where)
                .hasMessageMatching("(?s).*; permitted: .*")
                .hasMessageContaining(permitted);
    }

    @Test
    void aFileInWhichNothingHappensOrNothingIsExpectedIsRefused() {
        assertThatThrownBy(() -> ScriptParser.parse(GOOD.substring(0, GOOD.indexOf("0.000"))))
                .hasMessageContaining("nothing happens");
        assertThatThrownBy(() -> ScriptParser.parse(GOOD.replaceAll("expect: .*\n", "")))
                .hasMessageContaining("nothing is expected");
        assertThatThrownBy(() -> ScriptParser.parse("")).hasMessageContaining("title");
    }
}
