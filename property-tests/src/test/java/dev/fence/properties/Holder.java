package dev.fence.properties;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Leases;
import dev.fence.SessionTiming;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.jdbc.JdbcFence;
import dev.fence.jdbc.JdbcFenceSettings;
import dev.fence.properties.RealStage.Store;
import dev.fence.s3.S3Fence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A process of a timeline that is played for real, in a JVM of its own. It does what it is told on standard input, one command
 * a line, and answers each with one {@link HolderReply}. It knows nothing of pauses: it goes on where it was.
 */
final class Holder {

    /** As short as it can be had: timelines wait for it. */
    static final SessionTiming TIMING = SessionTiming.forcedTtl(Duration.ofSeconds(2));

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
    private static final JdbcFenceSettings SETTINGS = JdbcFenceSettings.DEFAULTS
            .withCommitWait(Duration.ofSeconds(1))
            .withSealWait(Duration.ofSeconds(5))
            // a third of so short a lease would cut a body off that only stands for two events
            .withLongestTransaction(Duration.ofMillis(1500));

    private final Leases leases;
    private final HikariDataSource pool;
    private final S3Client objects;
    private final BufferedReader commands;

    private Fence<Register> fence;
    private String resource = "";
    private String leaseName = "";
    private @Nullable PausableLease lease;
    private @Nullable FencedWriter<Register> writer;
    private @Nullable FencedWriter<Register> worker;

    private Holder(Leases leases, HikariDataSource pool, S3Client objects, BufferedReader commands) {
        this.leases = leases;
        this.pool = pool;
        this.objects = objects;
        this.commands = commands;
        this.fence = fence(Store.ROWS, true);
    }

    /** Arguments: name, JDBC URL, user, etcd endpoint, namespace, endpoint of the object store. The password: environment. */
    public static void main(String[] args) throws IOException {
        EtcdSettings etcd = EtcdSettings.of(args[3])
                .withTiming(TIMING)
                .withNamespace(args[4])
                .withLabel("holder " + args[0]);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[1]);
        config.setUsername(args[2]);
        config.setPassword(System.getenv(RealStage.PASSWORD));
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                Leases leases = EtcdLeases.open(etcd);
                S3Client objects = RealStage.client(URI.create(args[5]));
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            new Holder(leases, pool, objects, commands).serve();
        }
    }

    private void serve() throws IOException {
        say(HolderReply.done(0));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            say(answer(List.of(line.split(" ", -1))));
        }
    }

    private static void say(HolderReply reply) {
        System.out.println(reply);
    }

    private HolderReply answer(List<String> command) {
        try {
            HolderReply reply = run(command);
            if (!command.get(0).equals("check") && lease != null) {
                lease.forget();
            }
            return reply;
        } catch (RuntimeException e) {
            if (lease != null) {
                lease.forget();
            }
            return HolderReply.failed(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HolderReply run(List<String> command) throws InterruptedException {
        switch (command.get(0)) {
            case "begin" -> begin(command);
            case "acquire" -> {
                lease = new PausableLease(leases.acquire(leaseName, LONGEST_WAIT));
                return HolderReply.granted(lease.grant());
            }
            case "release" -> {
                Actor.present(lease).release();
                lease = null;
                writer = null;
            }
            case "create" -> fence.create(Actor.present(lease), resource);
            case "seal" -> writer = fence.seal(Actor.present(lease), resource);
            case "check" -> Actor.present(lease).checkNow();
            case "read" -> {
                return HolderReply.done(Actor.present(writer).call(Register::read));
            }
            case "write" -> write(Actor.present(writer), value(command), () -> {});
            case "write-and-fail" ->
                write(Actor.present(writer), value(command), () -> {
                    throw new Verdict.BodyFailed();
                });
            case "park" -> write(Actor.present(writer), value(command), this::stand);
            case "hand-over" ->
                worker = fence.attach(Grant.parse(Actor.present(lease).grant().toString()), resource);
            case "worker-write" -> write(Actor.present(worker), value(command), () -> {});
            default -> throw new IllegalArgumentException("unknown command: " + command);
        }
        return HolderReply.done(0);
    }

    private void begin(List<String> command) {
        if (lease != null) {
            lease.release();
        }
        lease = null;
        writer = null;
        worker = null;
        fence = fence(Store.valueOf(command.get(1)), Boolean.parseBoolean(command.get(2)));
        resource = command.get(3);
        leaseName = command.get(4);
    }

    private Fence<Register> fence(Store store, boolean fenced) {
        return switch (store) {
            case ROWS ->
                fenced
                        ? new RegisterFence<>(JdbcFence.on(pool, SETTINGS), c -> new Row(c, resource))
                        : new PlainFence(name -> new PlainRow(pool, name));
            case OBJECTS ->
                fenced
                        ? new RegisterFence<>(S3Fence.on(objects, RealStage.BUCKET), SlotRegister::new)
                        : new PlainFence(name -> new PlainObject(objects, RealStage.BUCKET, name));
        };
    }

    private static void write(FencedWriter<Register> by, Register.Value value, Runnable then) {
        by.<RuntimeException>write(register -> {
            register.write(value);
            then.run();
        });
    }

    private void stand() {
        say(HolderReply.inside());
        try {
            commands.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Register.Value value(List<String> command) {
        return new Register.Value(Long.parseLong(command.get(1)), Long.parseLong(command.get(2)));
    }
}
