package dev.fence.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MutantFileTest {

    private static final Path ROOT = Path.of("..");

    private static final List<String> PROTOCOL = List.of(
            "fence-core",
            "fence-effects",
            "fence-jdbc",
            "fence-lease-etcd",
            "fence-reconcile",
            "fence-s3",
            "migrations");
    /** A line of code, not of comment, that goes one way or the other. */
    private static final Pattern DECISION =
            Pattern.compile("(?m)^(?! *(?:\\*|//|/\\*)).*(?:\\b(?:if|while|switch) \\(| \\? (?!super|extends))");

    /** A rule that was reworded is found here, and not only when somebody runs the mutants. */
    @Test
    void everyMutantFindsItsRuleExactlyOnce() throws IOException {
        Set<String> names = new HashSet<>();
        for (Mutant mutant : mutants()) {
            assertThat(names.add(mutant.name())).as(mutant.name()).isTrue();
            String text = Files.readString(ROOT.resolve(mutant.file()));
            assertThat(mutant.applyTo(text)).as(mutant.name()).isNotEqualTo(text);
        }
        assertThat(names).isNotEmpty();
    }

    /** A new class comes to the mutants, or to {@code mutants/unmutated} with a reason. */
    @Test
    void everyClassThatDecidesHasAMutantOrAReasonWhyNot() throws IOException {
        Set<String> deciding = new TreeSet<>();
        for (String module : PROTOCOL) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    if (DECISION.matcher(Files.readString(file)).find()) {
                        deciding.add(className(module, file));
                    }
                }
            }
        }
        for (Mutant mutant : mutants()) {
            deciding.remove(className(mutant.file().split("/", 2)[0], Path.of(mutant.file())));
        }

        assertThat(explained()).containsExactlyInAnyOrderElementsOf(deciding);
    }

    private static List<Mutant> mutants() throws IOException {
        List<Mutant> mutants = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("mutants"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".mutants")).toList()) {
                mutants.addAll(MutantFile.parse(file.toString(), Files.readString(file)));
            }
        }
        return mutants;
    }

    /** Lines like {@code   fence-core: Checks WriteId}, below a reason. */
    private static Set<String> explained() throws IOException {
        Set<String> explained = new TreeSet<>();
        for (String line : Files.readAllLines(ROOT.resolve("mutants/unmutated"))) {
            if (line.startsWith("  ")) {
                String[] parts = line.strip().split(": ", 2);
                for (String name : parts[1].split(" ", -1)) {
                    assertThat(explained.add(parts[0] + " " + name)).as(name).isTrue();
                }
            }
        }
        return explained;
    }

    private static String className(String module, Path file) {
        return module + " " + file.getFileName().toString().replace(".java", "");
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
