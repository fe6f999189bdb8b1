package dev.fence.properties;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a timeline can be played against in memory, by name. */
final class Subjects {

    private static final String WITHOUT = "without-";

    private Subjects() {}

    static List<String> names() {
        List<String> names = new ArrayList<>(List.of(Script.FENCED));
        Stream.of(TwinFence.Design.values()).map(Subjects::name).forEach(names::add);
        Stream.of(Rule.values()).map(Subjects::name).forEach(names::add);
        return names;
    }

    static Subject named(String name) {
        if (name.equals(Script.FENCED)) {
            return ModelFence.withAllRules();
        }
        return Stream.concat(
                        Stream.of(TwinFence.Design.values())
                                .filter(design -> name(design).equals(name))
                                .map(TwinFence::new),
                        Stream.of(Rule.values())
                                .filter(rule -> name(rule).equals(name))
                                .map(ModelFence::without))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is none of " + names()));
    }

    static String name(TwinFence.Design design) {
        return word(design);
    }

    static String name(Rule rule) {
        return WITHOUT + word(rule);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
