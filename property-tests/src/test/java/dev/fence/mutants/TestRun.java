package dev.fence.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs some tests of a module in a process of its own, with a copy of some module's classes in place of the original. */
final class TestRun {

    private static final Pattern FAILED = Pattern.compile("(?m)^  \\S[^\\n]*?:(\\w+):(\\w+)\\(?");
    private static final Map<String, String> PACKAGES = Map.of(
            "fence-core", "dev.fence.spi.",
            "fence-effects", "dev.fence.effects.",
            "fence-jdbc", "dev.fence.jdbc.",
            "fence-lease-etcd", "dev.fence.etcd.",
            "fence-reconcile", "dev.fence.reconcile.",
            "fence-s3", "dev.fence.s3.",
            "migrations", "dev.fence.migrations.",
            "property-tests", "dev.fence.properties.");

    /** SQL that Flyway could not apply: whatever test comes first fails then, and says nothing of the rule. */
    private static final Pattern NOT_APPLIED = Pattern.compile("FlywayMigrateException[^\\n]*");

    private final Path root;
    private final Path console;

    /** A folder of the class path, and what takes its place. */
    record Copy(Path original, Path changed) {}

    TestRun(Path root, Path console) {
        this.root = root;
        this.console = console;
    }

    /** The class path of a module's tests, as the build has written it down. */
    String classPath(String module) throws IOException {
        Path target = root.resolve(module).resolve("target");
        // Resources too: Flyway finds every folder of the class path, also one that is hidden by another.
        return target.resolve("test-classes") + ":" + target.resolve("classes") + ":"
                + Files.readString(target.resolve("mutants-classpath")).strip();
    }

    /**
     * The first test that failed, or empty if all passed.
     *
     * @throws IOException if the tests could not be run at all, or not on this SQL
     * @throws TimeoutException if they did not end in time: which of them would have failed is not known
     */
    Optional<String> failure(String module, List<String> tests, Copy copy, Path log, long longestSeconds)
            throws IOException, InterruptedException, TimeoutException {
        String packageName = Optional.ofNullable(PACKAGES.get(module))
                .orElseThrow(() -> new IllegalArgumentException(module + " is none of " + PACKAGES.keySet()));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-ea",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                classPath(module)
                                .replace(
                                        copy.original().toString(),
                                        copy.changed().toString()) + ":" + console,
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--details=summary",
                "--fail-if-no-tests"));
        for (String test : tests) {
            command.add((test.contains("#") ? "--select-method=" : "--select-class=") + packageName + test);
        }
        Process process = new ProcessBuilder(command)
                .directory(root.resolve(module).toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(longestSeconds, TimeUnit.SECONDS)) {
            try (Stream<ProcessHandle> children = process.descendants()) {
                children.forEach(ProcessHandle::destroyForcibly);
            }
            process.destroyForcibly().waitFor();
            throw new TimeoutException("no end within " + longestSeconds + " s, see " + log);
        }
        if (process.exitValue() == 0) {
            return Optional.empty();
        }
        String said = Files.readString(log);
        Matcher notApplied = NOT_APPLIED.matcher(said);
        if (notApplied.find()) {
            throw new IOException("the migrations could not be applied: " + notApplied.group() + ", see " + log);
        }
        Matcher failed = FAILED.matcher(said);
        if (!failed.find()) {
            throw new IOException("the tests did not run, see " + log);
        }
        return Optional.of(failed.group(1) + "." + failed.group(2));
    }
}
