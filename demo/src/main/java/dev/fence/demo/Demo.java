package dev.fence.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fence.fixtures.FixtureException;
import dev.fence.picture.Page;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code script/demo}: sets the stage, has the story played by real processes, audits the ledger, gives the verdict. */
@Command(
        name = "script/demo",
        mixinStandardHelpOptions = true,
        description = "A paused holder's late write is refused by a real PostgreSQL, with leases from a real etcd.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the late writes left no trace (with --unfenced: they corrupted the ledger, as they must)",
            "1:anything else",
            "2:bad use, or a server that the demo needs cannot be had"
        })
final class Demo implements Callable<Integer> {

    private static final List<String> EXPECTED = List.of("LeaseLostException", "StaleTokenException", "BusyException");

    @Option(names = "--unfenced", description = "The same timeline with a plain lock: shows the corruption.")
    private boolean unfenced;

    @Option(names = "--json", description = "One JSON object an event, and last the verdict.")
    private boolean json;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes a page that shows the story.")
    private @Nullable Path html;

    @Option(
            names = "--postgres-port",
            paramLabel = "PORT",
            description =
                    "Where PostgreSQL listens, for those who want to look into it meanwhile. Default: a free port.")
    private @Nullable Integer postgresPort;

    /** Held here, for the logging of the platform forgets levels of loggers that nobody holds. */
    private static final Logger GRPC_LOG = Logger.getLogger("io.grpc");

    public static void main(String[] args) {
        GRPC_LOG.setLevel(Level.WARNING);
        System.exit(new CommandLine(new Demo())
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    System.err.println(e instanceof FixtureException ? e.getMessage() : "The demo failed: " + e);
                    return e instanceof FixtureException ? ExitCode.USAGE : ExitCode.SOFTWARE;
                })
                .execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (postgresPort != null && (postgresPort < 1 || postgresPort > 65535)) {
            System.err.println("--postgres-port " + postgresPort + " is out of range: 1 to 65535 is permitted");
            return ExitCode.USAGE;
        }
        Timeline timeline = new Timeline(json, System.out);
        try (Stage stage = Stage.open(postgresPort)) {
            stage.prepare();
            Story story;
            try (WorkerProcess a = new WorkerProcess("A", stage, !unfenced);
                    WorkerProcess b = new WorkerProcess("B", stage, !unfenced)) {
                story = new Story(a, b, !unfenced, timeline);
                story.tell();
            }
            Audit audit = Audit.of(stage.administrator(), story.acknowledged());
            timeline.verdict(asJson(story, audit), forPeople(story, audit));
            if (html != null) {
                Files.writeString(html, page(timeline, audit));
            }
            return isAsItMustBe(story, audit) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private String page(Timeline timeline, Audit audit) {
        String verdict = audit.isClean()
                ? "with the fence: the late writes left no trace"
                : "without a fence: " + audit.stray() + " late writes took effect";
        return Page.html(
                "A paused holder",
                timeline.chapters().entrySet().stream()
                        .map(act -> Sketch.of(act.getKey(), act.getValue(), verdict, audit.isClean()))
                        .toList());
    }

    private boolean isAsItMustBe(Story story, Audit audit) {
        return unfenced
                ? audit.stray() > 0
                : audit.isClean() && story.staleOutcomes().equals(EXPECTED);
    }

    private static ObjectNode asJson(Story story, Audit audit) {
        ObjectNode verdict = new ObjectMapper()
                .createObjectNode()
                .put("verdict", audit.isClean() ? "fenced" : "corrupted")
                .put("staleToken", Long.toString(story.staleToken()))
                .put("currentToken", Long.toString(story.currentToken()));
        ArrayNode outcomes = verdict.putArray("staleOutcomes");
        story.staleOutcomes().forEach(outcomes::add);
        return verdict.put("acknowledged", audit.acknowledged())
                .put("missing", audit.missing())
                .put("stray", audit.stray());
    }

    private List<String> forPeople(Story story, Audit audit) {
        List<String> lines = new ArrayList<>();
        lines.add("Audit of the ledger, by plain SQL: " + audit.acknowledged() + " postings acknowledged, "
                + audit.missing() + " of them missing, " + audit.stray() + " stray.");
        audit.complaints().forEach(complaint -> lines.add("  ! " + complaint));
        lines.add("Late writes of A: " + String.join(", ", story.staleOutcomes()) + ".");
        if (!unfenced && !story.staleOutcomes().equals(EXPECTED)) {
            lines.add("  ! expected were: " + String.join(", ", EXPECTED));
        }
        lines.add("Verdict: " + (audit.isClean() ? "fenced" : "corrupted") + ".");
        return lines;
    }
}
