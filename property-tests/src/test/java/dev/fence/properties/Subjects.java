package dev.fence.properties;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a timeline can be played against in virtual time, by name: models, and the real fence. */
final class Subjects {

    private static final String WITHOUT = "without-";
    private static final String JDBC = "jdbc-";
    private static final String JDBC_WITH = "jdbc-with-";

    private Subjects() {}

    static List<String> names() {
        List<String> names = new ArrayList<>(List.of(Script.FENCED));
        Stream.of(TwinFence.Design.values()).map(Subjects::name).forEach(names::add);
        Stream.of(Rule.values()).map(Subjects::name).forEach(names::add);
        Stream.of(Isolation.values()).map(Subjects::name).forEach(names::add);
        Stream.of(PlantedBug.values()).map(Subjects::name).forEach(names::add);
        return names;
    }

    static Subject named(String name) {
        if (name.equals(Script.FENCED)) {
            return ModelFence.withAllRules();
        }
        Stream<Subject> twins = Stream.of(TwinFence.Design.values())
                .filter(design -> name(design).equals(name))
                .map(TwinFence::new);
        Stream<Subject> models =
                Stream.of(Rule.values()).filter(rule -> name(rule).equals(name)).map(ModelFence::without);
        Stream<Subject> real = Stream.of(Isolation.values())
                .filter(isolation -> name(isolation).equals(name))
                .map(isolation -> new RealDatabase(isolation).onlySubject());
        Stream<Subject> planted = Stream.of(PlantedBug.values())
                .filter(bug -> name(bug).equals(name))
                .map(bug -> RealDatabase.with(bug).onlySubject());
        return Stream.of(twins, models, real, planted)
                .flatMap(subjects -> subjects)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is none of " + names()));
    }

    /** Whether it has all rules: then the ends that lines name are its ends too. */
    static boolean hasAllRules(String name) {
        return name.equals(Script.FENCED)
                || Stream.of(Isolation.values())
                        .anyMatch(isolation -> name(isolation).equals(name));
    }

    static String name(TwinFence.Design design) {
        return word(design);
    }

    static String name(Rule rule) {
        return WITHOUT + word(rule);
    }

    static String name(Isolation isolation) {
        return JDBC + word(isolation);
    }

    static String name(PlantedBug bug) {
        return JDBC_WITH + word(bug);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
