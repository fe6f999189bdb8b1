package dev.fence.chaos;

import dev.fence.fixtures.Processes;
import dev.fence.fixtures.Station;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A {@link Worker} in a virtual machine of its own. It ends with this one, whose death it sees at its input. */
final class WorkerProcess {

    private final String name;
    private final Consumer<Event> history;
    private final Path log;
    private final Process process;
    private final Thread reading;
    private @Nullable Pause pause;

    WorkerProcess(
            String name,
            Consumer<Event> history,
            Path folder,
            Map<String, String> environment,
            Station station,
            List<String> arguments)
            throws IOException {
        this.name = name;
        this.history = history;
        this.log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                name));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(station.inside(command)).redirectError(log.toFile());
        builder.environment().putAll(environment);
        this.process = builder.start();
        this.reading = new Thread(this::read, "chaos-reading-" + name);
        reading.setDaemon(true);
        reading.start();
    }

    void pause() throws IOException {
        pause = Pause.of(process.pid());
        note(What.PAUSED, "");
    }

    void resume() throws IOException, InterruptedException {
        note(What.RESUMED, "");
        if (pause != null) {
            pause.end();
        }
    }

    void kill() throws InterruptedException {
        Processes.kill(process.pid());
        reading.join();
        note(What.KILLED, "");
    }

    /** Tells it to end; {@link #awaitEnd} waits for it. */
    void stop() throws IOException {
        process.getOutputStream().close();
    }

    /** A process that does not end in time is made to say what its threads do, and is killed. */
    void awaitEnd(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            note(What.STUCK, "see " + log);
            dumpThreads();
            process.destroyForcibly();
            process.waitFor(10, TimeUnit.SECONDS);
        }
        reading.join();
    }

    private void dumpThreads() throws InterruptedException {
        try {
            Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jstack");
            new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start()
                    .waitFor(10, TimeUnit.SECONDS);
        } catch (IOException e) {
            System.err.println("no thread dump of " + name + ": " + e);
        }
    }

    private void note(What what, String detail) {
        history.accept(Event.of(System.nanoTime(), name, what, detail));
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                read(line);
            }
        } catch (IOException e) {
            System.err.println("what " + name + " said cannot be read: " + e);
        }
    }

    private void read(String line) throws IOException {
        try {
            history.accept(Event.parse(line));
        } catch (IllegalArgumentException e) {
            // cut off by a kill, or what a virtual machine says by itself
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
