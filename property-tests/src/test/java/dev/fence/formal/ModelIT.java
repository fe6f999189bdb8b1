package dev.fence.formal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.formal.Model.Result;
import dev.fence.formal.Model.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ModelIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> HARM = Set.of("NoOlderWriteAfterASeal", "NoUpdateIsLost");

    private final Model model = new Model(ROOT);

    @Test
    void theProtocolDoesNoHarmAndEachTwinDoes() throws IOException, InterruptedException {
        List<Run> runs = model.runs().stream().filter(run -> !run.large()).toList();
        assertThat(runs).anyMatch(Run::passes);

        assertThat(model.check(runs)).allMatch(Result::asExpected);
    }

    @Test
    void eachRuleHasATwinWithoutItThatMustDoHarm() throws IOException {
        String constants = Files.readString(ROOT.resolve("formal/Fence.cfg"));
        Set<String> rules = Pattern.compile("(?m)^CONSTANT (\\w+) = TRUE$")
                .matcher(constants)
                .results()
                .map(rule -> rule.group(1) + "=FALSE")
                .collect(Collectors.toSet());

        Set<String> removed = model.runs().stream()
                .filter(run -> HARM.contains(run.end()))
                .flatMap(run -> run.changes().stream().filter(change -> change.endsWith("=FALSE")))
                .collect(Collectors.toSet());

        assertThat(removed).isNotEmpty().isEqualTo(rules);
    }
}
