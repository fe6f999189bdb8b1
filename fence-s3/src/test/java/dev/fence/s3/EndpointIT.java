package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The contract on the store that {@code FENCE_S3_ENDPOINT} and {@code FENCE_S3_BUCKET} name, with the usual credentials. Runs
 * in the Maven profile {@code s3-endpoint} alone. It makes the bucket if it is not there.
 */
class EndpointIT extends ObjectRaceContract {

    private static final URI ENDPOINT = URI.create(environment("FENCE_S3_ENDPOINT"));
    private static final String BUCKET = environment("FENCE_S3_BUCKET");
    private static S3Client client;

    @BeforeAll
    static void connect() {
        client = Clients.withoutRetries(
                ENDPOINT, DefaultCredentialsProvider.builder().build());
        Clients.requireBucket(client, BUCKET);
    }

    @AfterAll
    static void disconnect() {
        client.close();
    }

    @Override
    S3Client client() {
        return client;
    }

    @Override
    String bucket() {
        return BUCKET;
    }

    @Test
    void everyCheckOfTheProbePasses() {
        ProbeReport report = S3Fence.probe(client, BUCKET, SETTINGS);

        report.checks().forEach(check -> System.out.println("CHECK probe " + check));
        assertThat(report.passed()).as(report.toString()).isTrue();
    }

    @Test
    void holdersThatRaceInProcessesAreToldTheTruthAndTokensNeverFall() throws Exception {
        ExecutorService readers = Executors.newCachedThreadPool();
        try {
            race((grant, says) -> {
                Process process = start(grant.toString());
                return readers.submit(() -> {
                    hear(process, says);
                    return null;
                });
            });
        } finally {
            readers.shutdownNow();
        }
    }

    private Process start(String grant) {
        try {
            return new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-Xmx128m",
                            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            Racer.class.getName(),
                            ENDPOINT.toString(),
                            BUCKET,
                            resource,
                            grant)
                    .redirectError(new File("/dev/stderr"))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void hear(Process process, Consumer<String> says) throws IOException, InterruptedException {
        try (BufferedReader out = process.inputReader(UTF_8)) {
            out.lines().forEach(says);
        } finally {
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        }
        assertThat(process.exitValue()).isZero();
    }

    private static String environment(String name) {
        return Objects.requireNonNull(System.getenv(name), name + " must be set in the environment");
    }
}
