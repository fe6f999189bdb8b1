package dev.fence.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of the demo as a user starts it, in a process of its own. */
final class DemoRun {

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Process process;
    private final Path output;
    private final Path errors;

    private DemoRun(Process process, Path output, Path errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    static DemoRun start(Path folder, List<String> environment, String... options) throws IOException {
        Path output = Files.createTempFile(folder, "demo", ".out");
        Path errors = Files.createTempFile(folder, "demo", ".err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName()));
        command.addAll(List.of(options));
        // whoever started us may have had SIGINT ignored, as shells do in the background, and children inherit that
        command.addAll(0, List.of("env", "--default-signal=INT"));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        environment.forEach(entry -> builder.environment()
                .put(entry.substring(0, entry.indexOf('=')), entry.substring(entry.indexOf('=') + 1)));
        return new DemoRun(builder.start(), output, errors);
    }

    int exitCode() throws InterruptedException, IOException {
        if (!process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the demo did not end within " + LONGEST + ":\n" + output() + errors());
        }
        return process.exitValue();
    }

    Process process() {
        return process;
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    JsonNode lastLine() throws IOException {
        String[] lines = output().strip().split("\n", -1);
        return new ObjectMapper().readTree(lines[lines.length - 1]);
    }
}
