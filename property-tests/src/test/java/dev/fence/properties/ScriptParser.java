package dev.fence.properties;

import dev.fence.properties.Script.Expectation;
import dev.fence.properties.Script.Line;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads a {@link Script}. What it does not know it refuses, with the number of the line. */
final class ScriptParser {

    private static final Pattern HEADER = Pattern.compile("([a-z]+): (.+)");
    private static final Pattern EVENT = Pattern.compile("(\\S+) (\\S+) ([a-z-]+)(?: ([^>]*?))??(?: -> (\\S+))?");
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})\\.(\\d{3})");
    private static final Pattern EXPECTATION = Pattern.compile("(\\S+) (?:(holds)|violates (\\S+))");
    private static final Set<String> HEADERS = Set.of("title", "processes", "guard");
    private static final int LONGEST_LINE = 200;
    private static final int MOST_LINES = 1000;

    private final Map<String, String> headers = new HashMap<>();
    private final List<Expectation> expectations = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private int number;

    private ScriptParser() {}

    /** @throws IllegalArgumentException naming the line, what is wrong with it, and what is permitted */
    static Script parse(String text) {
        return new ScriptParser().read(text);
    }

    private Script read(String text) {
        List<String> all = text.lines().toList();
        if (all.size() > MOST_LINES) {
            throw new IllegalArgumentException(all.size() + " lines are too many: " + MOST_LINES + " are permitted");
        }
        for (String line : all) {
            number++;
            if (number == 1) {
                require(line.equals(Script.FIRST_LINE), "\"" + line + "\" is no beginning", Script.FIRST_LINE);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                readLine(line);
            }
        }
        number++;
        String title = header("title", "one line that tells the story");
        require(!expectations.isEmpty(), "nothing is expected", "at least one line \"expect: SUBJECT holds\"");
        require(!lines.isEmpty(), "nothing happens", "at least one event");
        return new Script(title, processes(), isBare(), List.copyOf(expectations), List.copyOf(lines));
    }

    private void readLine(String line) {
        require(line.length() <= LONGEST_LINE, line.length() + " characters", "at most " + LONGEST_LINE);
        Matcher header = HEADER.matcher(line);
        if (header.matches()) {
            require(lines.isEmpty(), "a header after the first event", "headers first, then events");
            readHeader(header.group(1), header.group(2));
            return;
        }
        Matcher event = EVENT.matcher(line);
        require(event.matches(), "\"" + line + "\" is no event", "SECONDS ACTOR ACTION [HOW] [-> END|END]");
        header("processes", "2 to 4, before the first event");
        Kind kind = kind(event.group(3));
        String argument = event.group(4) == null ? "" : event.group(4);
        permitted("how to " + kind.word(), argument, kind.arguments().isEmpty() ? List.of("") : kind.arguments());
        lines.add(new Line(
                new Action(time(event.group(1)), actor(event.group(2), kind), kind, argument), ends(event.group(5))));
    }

    private void readHeader(String name, String value) {
        if (name.equals("expect")) {
            Matcher expectation = EXPECTATION.matcher(value);
            require(expectation.matches(), "\"" + value + "\" expects nothing", "SUBJECT holds, SUBJECT violates RULE");
            permitted("subject", expectation.group(1), Subjects.names());
            String violated = expectation.group(3);
            expectations.add(new Expectation(
                    expectation.group(1),
                    violated == null ? null : constant("invariant", violated, Invariant.values())));
            return;
        }
        permitted(
                "header",
                name,
                Stream.concat(HEADERS.stream().sorted(), Stream.of("expect")).toList());
        require(headers.put(name, value) == null, "a second " + name, "one");
        if (name.equals("processes")) {
            processes();
        } else if (name.equals("guard")) {
            isBare();
        }
    }

    private int processes() {
        String value = header("processes", "2 to 4");
        permitted("number of processes", value, List.of("2", "3", "4"));
        return Integer.parseInt(value);
    }

    private boolean isBare() {
        String value = header("guard", "present or absent");
        permitted("guard", value, List.of("present", "absent"));
        return value.equals("absent");
    }

    private long time(String text) {
        Matcher time = TIME.matcher(text);
        require(time.matches(), "time \"" + text + "\"", "seconds with three decimals, as 25.000");
        long millis = Long.parseLong(time.group(1)) * 1000 + Long.parseLong(time.group(2));
        long before = lines.isEmpty() ? 0 : lines.get(lines.size() - 1).action().at();
        require(millis >= before, "time " + text + " goes backwards", "no earlier than the event before");
        return millis;
    }

    private String actor(String name, Kind kind) {
        List<String> names = kind.by() == Kind.By.PROCESS
                ? IntStream.range(0, processes())
                        .mapToObj(i -> String.valueOf((char) ('A' + i)))
                        .toList()
                : List.of(kind.by().word());
        permitted("who can " + kind.word(), name, names);
        return name;
    }

    private Kind kind(String word) {
        List<Kind> kinds =
                Stream.of(Kind.values()).filter(k -> k.by() != Kind.By.TIME).toList();
        permitted("action", word, kinds.stream().map(Kind::word).toList());
        return kinds.stream().filter(k -> k.word().equals(word)).findFirst().orElseThrow();
    }

    private Set<Verdict> ends(String text) {
        Set<Verdict> ends = EnumSet.noneOf(Verdict.class);
        if (text != null) {
            for (String end : text.split("\\|", -1)) {
                ends.add(constant("end", end, Verdict.values()));
            }
        }
        return ends;
    }

    private <E extends Enum<E>> E constant(String what, String name, E[] values) {
        permitted(what, name, Arrays.stream(values).map(Enum::name).toList());
        return Arrays.stream(values)
                .filter(v -> v.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String header(String name, String permitted) {
        String value = headers.get(name);
        require(value != null, "the header \"" + name + "\" is missing", permitted);
        return String.valueOf(value);
    }

    private void permitted(String what, String value, Collection<String> values) {
        require(
                values.contains(value),
                what + " \"" + value + "\"",
                values.stream().allMatch(String::isEmpty) ? "nothing" : String.join(", ", values));
    }

    private void require(boolean holds, String wrong, String permitted) {
        if (!holds) {
            throw new IllegalArgumentException("line " + number + ": " + wrong + "; permitted: " + permitted);
        }
    }
}
