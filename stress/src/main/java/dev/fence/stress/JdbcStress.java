package dev.fence.stress;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Races every mode of the fence at every isolation level for some minutes. Before that, it lets each broken design fall, since a
 * race that catches none of them proves nothing.
 */
@Command(name = "script/stress jdbc", mixinStandardHelpOptions = true)
final class JdbcStress implements Callable<Integer> {

    private static final Duration LENGTH = Duration.ofSeconds(2);

    /** A broken design that has not been caught by then was not broken, or the race is of no use. */
    private static final int MOST_RACES_TO_CATCH = 15;

    private static final int SEALS = 300;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "3",
            description = "1 to 1440, default ${DEFAULT-VALUE}")
    private int minutes;

    @Option(names = "--seed", paramLabel = "S", description = "of the pauses; default: of the clock, and printed")
    private long seed = System.currentTimeMillis();

    @Option(
            names = "--isolation",
            paramLabel = "LEVEL",
            converter = ToLevel.class,
            description = "read-committed, repeatable-read or serializable; default: all")
    private @Nullable Level isolation;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            converter = ToDesign.class,
            description = "a mode of the fence, or a broken design; default: all")
    private @Nullable Design mode;

    private long commits;
    private long violations;

    public static void main(String[] args) {
        System.exit(new CommandLine(new JdbcStress()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (minutes < 1 || minutes > 1440) {
            System.err.println("--minutes " + minutes + ": 1 to 1440 are permitted");
            return 2;
        }
        System.out.println("seed " + seed);
        boolean allCaught = true;
        try (Arena.Site site = new Arena.Site()) {
            long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
            if (mode == null) {
                for (Design design : BrokenDesigns.all()) {
                    allCaught &= isCaught(site, design);
                }
            }
            List<Design> designs = mode == null ? Modes.all() : List.of(mode);
            do {
                for (Design design : designs) {
                    race(site, design);
                }
            } while (System.nanoTime() < end);
            System.out.println(SealWait.measure(site.at(Level.READ_COMMITTED), SEALS));
        }
        System.out.println(commits + " commits, " + violations + " violations");
        return allCaught && violations == 0 ? 0 : 1;
    }

    private boolean isCaught(Arena.Site site, Design design) throws Exception {
        for (int n = 1; n <= MOST_RACES_TO_CATCH; n++) {
            Verdict verdict = Race.run(site.at(design.levels().get(0)), design, seed + n, LENGTH);
            if (!verdict.violations().isEmpty()) {
                System.out.printf(
                        "caught %s: %s%n", design.name(), verdict.violations().get(0));
                return true;
            }
        }
        System.out.printf("NOT CAUGHT: %s, in %d races%n", design.name(), MOST_RACES_TO_CATCH);
        return false;
    }

    private void race(Arena.Site site, Design design) throws Exception {
        for (Level level : design.levels()) {
            if (isolation != null && isolation != level) {
                continue;
            }
            seed++;
            Verdict verdict = Race.run(site.at(level), design, seed, LENGTH);
            commits += verdict.commits();
            violations += verdict.violations().size();
            System.out.printf(
                    "%s, %s, seed %d: %d commits, %d seals, %d violations%n",
                    design.name(),
                    level.sql(),
                    seed,
                    verdict.commits(),
                    verdict.seals(),
                    verdict.violations().size());
            verdict.violations().stream().limit(5).forEach(violation -> System.out.println("  " + violation));
        }
    }

    static final class ToLevel implements ITypeConverter<Level> {
        @Override
        public Level convert(String text) {
            try {
                return Level.valueOf(text.toUpperCase(Locale.ROOT).replaceAll("[- ]", "_"));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(
                        "\"" + text + "\" is none of read-committed, repeatable-read and serializable");
            }
        }
    }

    static final class ToDesign implements ITypeConverter<Design> {
        @Override
        public Design convert(String text) {
            return Design.all().stream()
                    .filter(design -> design.name().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("\"" + text + "\" is none of "
                            + String.join(
                                    ", ",
                                    Design.all().stream().map(Design::name).toList())));
        }
    }
}
