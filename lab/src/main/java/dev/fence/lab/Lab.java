package dev.fence.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command line of the lab: {@code script/lab}. */
final class Lab {

    private static final String USAGE =
            "usage: script/lab [--json FILE] [--timelines N] [--seed S] [--lock L] [--resource R] [--fault F]";
    private static final int BAD_USE = 2;

    /**
     * The command line.
     *
     * @param only by "--lock", "--resource" and "--fault", what the combinations to try must have
     */
    record Options(@Nullable Path json, int timelines, long seed, Map<String, String> only) {

        static Options parse(String... args) {
            Options options = new Options(null, 10_000, 1, Map.of());
            if (args.length % 2 != 0) {
                throw new IllegalArgumentException(args[args.length - 1] + " needs a value, or is no option");
            }
            for (int i = 0; i < args.length; i += 2) {
                options = options.with(args[i], args[i + 1]);
            }
            return options;
        }

        private Options with(String name, String value) {
            return switch (name) {
                case "--json" -> new Options(Path.of(value), timelines, seed, only);
                case "--timelines" -> new Options(json, (int) number(name, value, 1, 100_000_000), seed, only);
                case "--seed" ->
                    new Options(json, timelines, number(name, value, Long.MIN_VALUE, Long.MAX_VALUE), only);
                case "--lock" -> with(name, value, LockKind.values());
                case "--resource" -> with(name, value, ResourceKind.values());
                case "--fault" -> with(name, value, Fault.values());
                default -> throw new IllegalArgumentException("there is no option " + name);
            };
        }

        private Options with(String name, String value, Object[] known) {
            if (Stream.of(known).noneMatch(one -> one.toString().equals(value))) {
                throw new IllegalArgumentException(name + " " + value + " is none of " + Arrays.toString(known));
            }
            Map<String, String> more = new TreeMap<>(only);
            more.put(name, value);
            return new Options(json, timelines, seed, more);
        }

        /** The combinations to try. */
        List<Combination> combinations() {
            return Lab.combinations().stream()
                    .filter(combination -> has("--lock", combination.lock())
                            && has("--resource", combination.resource())
                            && has("--fault", combination.fault()))
                    .toList();
        }

        private boolean has(String name, Object value) {
            return only.getOrDefault(name, value.toString()).equals(value.toString());
        }

        private static long number(String name, String value, long least, long most) {
            try {
                long number = Long.parseLong(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // the message below says it
            }
            throw new IllegalArgumentException(
                    name + " " + value + " is no whole number from " + least + " to " + most);
        }
    }

    private Lab() {}

    public static void main(String[] args) throws IOException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("script/lab: " + e.getMessage());
            System.err.println(USAGE);
            System.exit(BAD_USE);
            return;
        }
        long began = System.nanoTime();
        Report report = run(options);
        System.out.print(report.stories());
        System.out.print(report.matrix());
        System.out.printf(
                Locale.ROOT,
                ".: no violation in %d timelines; a number: events of the shortest violated timeline found, told above.%n",
                options.timelines());
        System.out.printf(
                Locale.ROOT,
                "seed %d, %d combinations, %d timelines, %d s%n",
                options.seed(),
                report.results().size(),
                report.results().stream().mapToLong(Result::timelines).sum(),
                (System.nanoTime() - began) / 1_000_000_000);
        Path json = options.json();
        if (json != null) {
            Path folder = json.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(json, report.toJson());
        }
    }

    static Report run(Options options) {
        return new Report(options.combinations().parallelStream()
                .map(combination -> Result.of(combination, options.timelines(), options.seed()))
                .toList());
    }

    static List<Combination> combinations() {
        List<Combination> all = new ArrayList<>();
        for (LockKind lock : LockKind.values()) {
            for (ResourceKind resource : ResourceKind.values()) {
                Stream.of(Fault.values())
                        .map(fault -> new Combination(lock, resource, fault))
                        .forEach(all::add);
            }
        }
        return all;
    }
}
