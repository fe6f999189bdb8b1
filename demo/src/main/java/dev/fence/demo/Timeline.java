package dev.fence.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells what happens while it happens: lanes for people, or one JSON object an event. Times count from the first chapter. */
final class Timeline {

    /** Who acts. */
    enum Lane {
        A("A", 0),
        ETCD("etcd", 1),
        POSTGRESQL("PostgreSQL", 2),
        B("B", 3);

        private final String title;
        private final int column;

        Lane(String title, int column) {
            this.title = title;
            this.column = column;
        }

        /** From left to right. */
        int column() {
            return column;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /** What was told, for those who draw it. */
    record Told(Lane lane, String event, long token, String text, double seconds) {}

    private static final int LANE_WIDTH = 28;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final boolean json;
    private final PrintStream out;
    private final Map<String, List<Told>> chapters = new LinkedHashMap<>();
    private List<Told> current = new ArrayList<>();
    private long startNanos;

    Timeline(boolean json, PrintStream out) {
        this.json = json;
        this.out = out;
    }

    /** A heading between events. */
    void chapter(String title) {
        if (startNanos == 0) {
            startNanos = System.nanoTime();
        }
        current = new ArrayList<>();
        chapters.put(title, current);
        if (!json) {
            StringBuilder titles = new StringBuilder(" seconds");
            StringBuilder rules = new StringBuilder(" -------");
            for (Lane lane : Lane.values()) {
                titles.append("  ").append(String.format("%-" + LANE_WIDTH + "s", lane.title));
                rules.append("  ").append("-".repeat(LANE_WIDTH));
            }
            out.println("\n" + title + "\n\n" + titles.toString().stripTrailing() + "\n" + rules);
        }
    }

    /** @param token the fencing token concerned; 0 if none */
    void event(Lane lane, String event, long token, String text) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        current.add(new Told(lane, event, token, text, seconds));
        if (json) {
            ObjectNode line = JSON.createObjectNode()
                    .put("seconds", Math.round(seconds * 1000) / 1000.0)
                    .put("lane", lane.title)
                    .put("event", event)
                    .put("token", token == 0 ? null : Long.toString(token))
                    .put("text", text);
            print(line);
        } else {
            printInLane(String.format(Locale.ROOT, "%8.3f", seconds), lane, text);
        }
    }

    /** What was told in each chapter, by its title. */
    Map<String, List<Told>> chapters() {
        return chapters;
    }

    /** The last word: for people a few lines, else one JSON object. */
    void verdict(ObjectNode verdict, List<String> forPeople) {
        if (json) {
            print(verdict);
        } else {
            out.println();
            forPeople.forEach(out::println);
        }
    }

    private void print(ObjectNode line) {
        try {
            out.println(JSON.writeValueAsString(line));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void printInLane(String time, Lane lane, String text) {
        String indent = " ".repeat(2 + lane.column * (LANE_WIDTH + 2));
        @Nullable String prefix = time;
        for (String line : wrap(text)) {
            out.println((prefix == null ? " ".repeat(time.length()) : prefix) + indent + line);
            prefix = null;
        }
    }

    private static List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > LANE_WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
