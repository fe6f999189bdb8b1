package dev.fence.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MutantFileTest {

    private static final Path ROOT = Path.of("..");

    /** A rule that was reworded is found here, and not only when somebody runs the mutants. */
    @Test
    void everyMutantFindsItsRuleExactlyOnce() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("mutants"))) {
            List<Path> all = files.sorted().toList();
            assertThat(all).isNotEmpty();
            Set<String> names = new HashSet<>();
            for (Path file : all) {
                for (Mutant mutant : MutantFile.parse(file.toString(), Files.readString(file))) {
                    assertThat(names.add(mutant.name())).as(mutant.name()).isTrue();
                    String text = Files.readString(ROOT.resolve(mutant.file()));
                    assertThat(mutant.applyTo(text)).as(mutant.name()).isNotEqualTo(text);
                }
            }
        }
    }

    @Test
    void aRuleThatIsThereTwiceOrNotAtAllIsRefused() {
        Mutant mutant = new Mutant("m", "f.java", null, "b", "c", "fence-core", List.of("XTest"), null, null);

        assertThat(mutant.applyTo("abd")).isEqualTo("acd");
        assertThatThrownBy(() -> mutant.applyTo("abbd")).hasMessageContaining("more than one");
        assertThatThrownBy(() -> mutant.applyTo("ad")).hasMessageContaining("no place");
    }

    @Test
    void onlyTheNamedFunctionIsSearched() {
        Mutant mutant = new Mutant("m", "f.sql", "check_v1", "x", "y", "fence-jdbc", List.of("XIT"), null, null);
        String text = "x CREATE FUNCTION ${schema}.check_v1( x $check_v1$; x";

        assertThat(mutant.applyTo(text)).isEqualTo("x CREATE FUNCTION ${schema}.check_v1( y $check_v1$; x");
    }

    @Test
    void whyATestMayNotNoticeOrMayNotEndHoldsForOneMutant() {
        List<Mutant> mutants = MutantFile.parse("m", """
                file f
                tests t T
                mutant a
                may-live why a lives
                - x

                mutant b
                may-hang why b hangs
                - y

                mutant c
                - z
                """);

        assertThat(mutants).extracting(Mutant::mayLive).containsExactly("why a lives", null, null);
        assertThat(mutants).extracting(Mutant::mayHang).containsExactly(null, "why b hangs", null);
    }

    @Test
    void whatIsIncompleteOrUnknownIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> MutantFile.parse("m", "mutant a\n- x\n\n")).hasMessageContaining("mutant a lacks");
        assertThatThrownBy(() -> MutantFile.parse("m", "file f\nkill all\n")).hasMessageContaining("m:2: \"kill\"");
        assertThatThrownBy(() -> MutantFile.parse("m", "file f\ntests t T\nmutant a\n- x\n\nmutant a\n- y\n"))
                .hasMessageContaining("a second mutant a");
    }
}
