package dev.fence.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fence.fixtures.ChildJvm;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A {@link Worker} in a JVM of its own. */
final class WorkerProcess implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ChildJvm jvm;

    WorkerProcess(String name, Stage stage, boolean fenced) {
        jvm = ChildJvm.start(
                "worker-" + name,
                Worker.class,
                List.of(
                        name,
                        fenced ? "fenced" : "unfenced",
                        stage.jdbcUrl(),
                        stage.applicationUser(),
                        String.join(",", stage.etcdEndpoints()),
                        stage.namespace()),
                Map.of("DEMO_PASSWORD", Stage.APPLICATION_PASSWORD));
    }

    /** Tells the worker what to do and waits for its answer. */
    Reply ask(String command) throws IOException, InterruptedException {
        tell(command);
        return answer();
    }

    void tell(String command) {
        jvm.tell(command);
    }

    Reply answer() throws IOException, InterruptedException {
        return JSON.readValue(jvm.answer(), Reply.class);
    }

    void pause() {
        jvm.pause();
    }

    void resume() {
        jvm.resume();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
