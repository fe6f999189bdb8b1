package dev.fence.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fence.fixtures.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link Worker} in a JVM of its own, told what to do line by line. It is gone on close and when this JVM ends. */
final class WorkerProcess implements AutoCloseable {

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(40);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final Path log;
    private final Process process;
    private final Writer commands;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Thread endWithUs;

    WorkerProcess(String name, Stage stage, boolean fenced) throws IOException {
        this.name = name;
        this.log = Files.createTempFile("fence-demo-worker-" + name + "-", ".log");
        ProcessBuilder builder = new ProcessBuilder(command(name, stage, fenced));
        builder.environment().put("DEMO_PASSWORD", Stage.APPLICATION_PASSWORD);
        this.process = builder.redirectError(log.toFile()).start();
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        this.endWithUs = new Thread(this::end, "fence-demo-end-of-" + name);
        Runtime.getRuntime().addShutdownHook(endWithUs);
        Thread reader = new Thread(this::readLines, "fence-demo-reader-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private static List<String> command(String name, Stage stage, boolean fenced) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                name,
                fenced ? "fenced" : "unfenced",
                stage.jdbcUrl(),
                stage.applicationUser(),
                String.join(",", stage.etcdEndpoints()),
                stage.namespace());
    }

    long pid() {
        return process.pid();
    }

    /** Tells the worker what to do and waits for its answer. */
    Reply ask(String command) throws IOException, InterruptedException {
        tell(command);
        return answer();
    }

    void tell(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }

    Reply answer() throws IOException, InterruptedException {
        String line = lines.poll(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        if (line == null || line.isEmpty()) {
            throw new IOException(
                    "worker " + name + (line == null ? " did not answer within " + LONGEST_ANSWER : " ended")
                            + "; its log:\n" + Files.readString(log));
        }
        return JSON.readValue(line, Reply.class);
    }

    void pause() {
        Processes.pause(pid());
    }

    void resume() {
        Processes.resume(pid());
    }

    /** An empty line marks the end. */
    private void readLines() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (@Nullable String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("");
            return;
        }
        lines.add("");
    }

    private void end() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            Files.deleteIfExists(log);
        } catch (IOException | InterruptedException e) {
            System.err.println("worker " + name + " (process " + pid() + ") was not cleaned up: " + e);
        }
    }

    @Override
    public void close() {
        end();
        Runtime.getRuntime().removeShutdownHook(endWithUs);
    }
}
