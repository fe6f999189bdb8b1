package dev.fence.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The story as {@code script/demo} runs it. */
class DemoIT {

    @TempDir
    private Path folder;

    @Test
    void theFencedStoryLeavesNoTraceAndThePlainLockCorruptsTheLedger() throws Exception {
        Path page = folder.resolve("fenced.html");
        Path plainPage = folder.resolve("plain.html");
        DemoRun fenced = DemoRun.start(folder, List.of(), "--json", "--html", page.toString());
        DemoRun plain = DemoRun.start(folder, List.of(), "--json", "--unfenced", "--html", plainPage.toString());

        assertThat(fenced.exitCode()).as(fenced.output() + fenced.errors()).isZero();
        assertThat(plain.exitCode()).as(plain.output() + plain.errors()).isZero();

        JsonNode verdict = fenced.lastLine();
        assertThat(verdict.path("verdict").asText()).isEqualTo("fenced");
        assertThat(verdict.path("staleOutcomes"))
                .extracting(JsonNode::asText)
                .containsExactly("LeaseLostException", "StaleTokenException", "BusyException");
        assertThat(verdict.path("missing").asInt(-1)).isZero();
        assertThat(verdict.path("stray").asInt(-1)).isZero();
        assertThat(verdict.path("acknowledged").asInt()).isEqualTo(3);
        assertThat(Long.parseLong(verdict.path("currentToken").textValue()))
                .isGreaterThan(Long.parseLong(verdict.path("staleToken").textValue()));

        assertThat(Files.readString(page))
                .contains("Act 1", "Act 2", "stale", "cut off")
                .doesNotContain("paid twice");
        assertThat(Files.readString(plainPage)).contains("Act 1", "Act 2", "paid twice");

        JsonNode corrupted = plain.lastLine();
        assertThat(corrupted.path("verdict").asText()).isEqualTo("corrupted");
        assertThat(corrupted.path("stray").asInt()).isEqualTo(3);
        assertThat(corrupted.path("staleOutcomes")).extracting(JsonNode::asText).containsOnly("applied");
    }

    @Test
    void afterCtrlCInTheMiddleEveryProcessAndEveryFileIsGone() throws Exception {
        DemoRun run = DemoRun.start(folder, List.of());
        await().atMost(Duration.ofMinutes(1)).until(() -> run.output().contains("SIGSTOP"));
        List<ProcessHandle> children = run.process().descendants().toList();
        assertThat(children).hasSizeGreaterThan(3);

        new ProcessBuilder("sh", "-c", "kill -INT " + run.process().pid())
                .start()
                .waitFor();

        assertThat(run.exitCode()).isNotZero();
        await().atMost(Duration.ofSeconds(30)).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        await().atMost(Duration.ofSeconds(30)).until(() -> leftBehind().isEmpty());
    }

    @Test
    void badUseIsRefusedWithExitCodeTwo() throws Exception {
        DemoRun unknownOption = DemoRun.start(folder, List.of(), "--fence");
        DemoRun noEtcd = DemoRun.start(folder, List.of("FENCE_ETCD_BIN=/nonexistent/etcd", "FENCE_ETCD_ENDPOINTS="));

        assertThat(unknownOption.exitCode()).isEqualTo(2);
        assertThat(unknownOption.errors()).contains("--fence").contains("Usage: script/demo");
        assertThat(noEtcd.exitCode()).isEqualTo(2);
        assertThat(noEtcd.errors()).contains("/nonexistent/etcd");
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void aTakenOrImpossiblePortIsNamedWithExitCodeTwo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            DemoRun onTaken = DemoRun.start(folder, List.of(), "--postgres-port", port);
            DemoRun onImpossible = DemoRun.start(folder, List.of(), "--postgres-port", "65536");

            assertThat(onTaken.exitCode()).isEqualTo(2);
            assertThat(onTaken.errors()).contains("port " + port + ": it is taken");
            assertThat(onImpossible.exitCode()).isEqualTo(2);
            assertThat(onImpossible.errors()).contains("65536").contains("1 to 65535");
        }
        assertThat(leftBehind()).isEmpty();
    }

    private List<Path> leftBehind() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.getFileName().toString().startsWith("fence-"))
                    .toList();
        }
    }
}
