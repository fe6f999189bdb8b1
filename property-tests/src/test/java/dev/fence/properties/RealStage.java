package dev.fence.properties;

import dev.fence.Fence;
import dev.fence.Lease;
import dev.fence.Leases;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.fixtures.ChildJvm;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.EtcdServer;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.TcpProxy;
import dev.fence.jdbc.JdbcFence;
import dev.fence.migrations.FenceMigrations;
import dev.fence.properties.Subject.Sight;
import dev.fence.s3.FakeStore;
import dev.fence.s3.S3Fence;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A real PostgreSQL, a real etcd, an object store in this process, and holders in JVMs of their own that reach the first two
 * through a network that can be harmed. For many timelines, one after the other: each has a resource and a lease of its own.
 */
final class RealStage implements AutoCloseable {

    static final String PASSWORD = "HOLDER_PASSWORD";
    static final String BUCKET = "timelines";
    private static final String NAMESPACE = "timelines";
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    /** Where the value is. */
    enum Store {
        ROWS("on PostgreSQL"),
        OBJECTS("on an object store");

        private final String words;

        Store(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** A process, and its ways to the servers. */
    record HolderProcess(ChildJvm jvm, TcpProxy toPostgres, TcpProxy toEtcd) {

        HolderReply ask(String command) throws InterruptedException {
            return HolderReply.parse(jvm.ask(command));
        }
    }

    private final PostgresServer postgres = PostgresServer.start();
    private final EtcdServer etcd = EtcdServer.startNative();
    private final FakeStore store = new FakeStore();
    private final String database = postgres.createDatabase();
    private final DataSource administrator = postgres.dataSource(database);
    private final S3Client objects = client(store.endpoint());
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<HolderProcess> processes = new ArrayList<>();

    RealStage() {
        FenceMigrations.migrate(administrator);
        Row.createTables(administrator);
    }

    /** As long as the stage is there, one process of each name is too. */
    HolderProcess process(int index) throws InterruptedException {
        while (processes.size() <= index) {
            processes.add(start(String.valueOf((char) ('A' + processes.size()))));
        }
        return processes.get(index);
    }

    private HolderProcess start(String name) throws InterruptedException {
        TcpProxy toPostgres = TcpProxy.to("127.0.0.1", postgres.port());
        URI endpoint = URI.create(etcd.endpoint());
        TcpProxy toEtcd = TcpProxy.to(endpoint.getHost(), endpoint.getPort());
        List<String> arguments = List.of(
                name,
                "jdbc:postgresql://" + toPostgres.host() + ":" + toPostgres.port() + "/" + database,
                postgres.user(),
                "http://" + toEtcd.host() + ":" + toEtcd.port(),
                NAMESPACE,
                store.endpoint().toString());
        ChildJvm jvm = ChildJvm.start("holder-" + name, Holder.class, arguments, Map.of(PASSWORD, postgres.password()));
        HolderProcess process = new HolderProcess(jvm, toPostgres, toEtcd);
        jvm.answer();
        return process;
    }

    /** What an installation does once. */
    void prepare(Store where, String resource, String leaseName, boolean withGuard) throws InterruptedException {
        if (where == Store.ROWS) {
            Row.create(administrator, resource);
        }
        if (withGuard) {
            Fence<?> fence = where == Store.ROWS ? JdbcFence.on(administrator) : S3Fence.on(objects, BUCKET);
            EtcdSettings settings = EtcdSettings.of(etcd.endpoint()).withNamespace(NAMESPACE);
            try (Leases leases = EtcdLeases.open(settings);
                    Lease lease = leases.acquire(leaseName, LONGEST_WAIT)) {
                fence.create(lease, resource);
            }
        }
    }

    /** As an administrator of the database. */
    void run(String sql) {
        Row.execute(administrator, sql);
    }

    /** Past the fence. Of objects, which know no history, the guard alone. */
    Sight look(Store where, String resource) {
        return where == Store.ROWS ? Row.look(administrator, resource) : new Sight(store.guard(resource), List.of());
    }

    /** How often something was stored under the object's key. */
    int objectWrites(String resource) {
        return store.writes(resource);
    }

    void loseReply(Store where, HolderProcess process) {
        if (where == Store.ROWS) {
            process.toPostgres().drop(Direction.TO_CLIENT);
        } else {
            store.loseNextReply();
        }
    }

    Path snapshot() {
        return etcd.snapshot();
    }

    void restore(Path snapshot) {
        etcd.restore(snapshot);
    }

    /** Every lease ends by the service's word, as after a change of leader that revokes live sessions. */
    void giveAway() throws IOException, InterruptedException {
        String range = String.format(
                "{\"key\":\"%s\",\"range_end\":\"%s\"}", base64(NAMESPACE + "/v1/q/"), base64(NAMESPACE + "/v1/q0"));
        HttpRequest request = HttpRequest.newBuilder(URI.create(etcd.endpoint() + "/v3/kv/deleterange"))
                .timeout(LONGEST_WAIT)
                .POST(BodyPublishers.ofString(range))
                .build();
        int status = http.send(request, BodyHandlers.ofString()).statusCode();
        if (status != 200) {
            throw new IOException("etcd answered " + status + " to the removal of a lease");
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static S3Client client(URI endpoint) {
        return S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .forcePathStyle(true)
                .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }

    @Override
    public void close() {
        processes.forEach(process -> {
            process.jvm().close();
            process.toPostgres().close();
            process.toEtcd().close();
        });
        objects.close();
        store.close();
        etcd.close();
        postgres.close();
    }
}
