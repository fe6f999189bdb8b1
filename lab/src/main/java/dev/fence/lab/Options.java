package dev.fence.lab;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code script/lab}.
 *
 * @param json the file to write the results to, if any
 * @param page the page to renew, if any
 * @param only by "--lock", "--resource" and "--fault", what the combinations to try must have
 */
record Options(@Nullable Path json, @Nullable Path page, int timelines, long seed, Map<String, String> only) {

    static Options parse(String... args) {
        Options options = new Options(null, null, 10_000, 1, Map.of());
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
            case "--json" -> new Options(Path.of(value), page, timelines, seed, only);
            case "--page" -> new Options(json, Path.of(value), timelines, seed, only);
            case "--timelines" -> new Options(json, page, (int) number(name, value, 1, 100_000_000), seed, only);
            case "--seed" ->
                new Options(json, page, timelines, number(name, value, Long.MIN_VALUE, Long.MAX_VALUE), only);
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
        return new Options(json, page, timelines, seed, more);
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
        throw new IllegalArgumentException(name + " " + value + " is no whole number from " + least + " to " + most);
    }
}
