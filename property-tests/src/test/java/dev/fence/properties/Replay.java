package dev.fence.properties;

import dev.fence.fixtures.FixtureException;
import dev.fence.picture.Page;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code script/replay}: plays a timeline from a file, and tells whether it goes as the file says. */
final class Replay {

    private static final String USAGE = """
            usage: script/replay FILE [--real] [--html OUT]
            Plays the timeline in FILE in memory, or with --real against a real PostgreSQL, a real etcd and an object store in
            this process, with real pauses of real processes. Writes a page that shows what happened to OUT. Timelines are in the folder timelines, their form is told in
            docs/properties.md. Exit codes: 0 all went as the file says; 1 it did not; 2 bad use, or a bad file.
            """;
    private static final int BAD_USE = 2;

    private Replay() {}

    public static void main(String[] args) throws InterruptedException {
        System.exit(run(List.of(args), System.out, System.err));
    }

    /** The exit code. */
    static int run(List<String> args, PrintStream out, PrintStream err) throws InterruptedException {
        List<String> rest = new ArrayList<>(args);
        boolean real = rest.remove("--real");
        int html = rest.indexOf("--html");
        Path page = html >= 0 && html + 1 < rest.size() ? Path.of(rest.get(html + 1)) : null;
        if (page != null) {
            rest.subList(html, html + 2).clear();
        }
        if (rest.size() == 1 && List.of("-h", "--help").contains(rest.get(0))) {
            out.print(USAGE);
            return 0;
        }
        if (rest.size() != 1 || rest.get(0).startsWith("-")) {
            err.print("script/replay: one FILE is wanted, and no options but --real and --html OUT: " + args + "\n"
                    + USAGE);
            return BAD_USE;
        }
        Path file = Path.of(rest.get(0));
        try {
            Script script = ScriptParser.parse(Files.readString(file));
            out.println(script.title() + "\n");
            List<Judgement> judgements = real ? playForReal(script) : ModelReplay.play(script);
            judgements.forEach(out::println);
            if (page != null) {
                Files.writeString(page, page(script, judgements));
            }
            return judgements.stream().allMatch(Judgement::isAsExpected) ? 0 : 1;
        } catch (IOException e) {
            err.println("script/replay: " + file + (page == null ? "" : " or " + page) + ": " + e);
        } catch (IllegalArgumentException | FixtureException | SpoiltRunException e) {
            err.println("script/replay: " + file + ": " + e.getMessage());
        }
        return BAD_USE;
    }

    static String page(Script script, List<Judgement> judgements) {
        return Page.html(
                script.title(),
                judgements.stream()
                        .map(judgement -> Drawing.of(script, judgement))
                        .toList());
    }

    private static List<Judgement> playForReal(Script script) throws IOException, InterruptedException {
        Script playable = RealReplay.requirePlayable(script);
        try (RealStage stage = new RealStage()) {
            return RealReplay.play(playable, stage);
        }
    }
}
