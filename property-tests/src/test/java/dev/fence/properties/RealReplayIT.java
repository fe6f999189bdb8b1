package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.properties.RealStage.Store;
import dev.fence.properties.Script.Expectation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The named timelines go as they say when real processes are really paused before real servers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(90)
class RealReplayIT {

    private RealStage stage;

    @BeforeAll
    void open() {
        stage = new RealStage();
    }

    @AfterAll
    void close() {
        stage.close();
    }

    private static final String UNFENCED = Subjects.name(TwinFence.Design.UNFENCED);

    /** All with the fence. Without, the model plays all, and this some: each takes as long as a lease lives. */
    static Stream<Arguments> timelines() {
        Stream<Arguments> fenced = Library.names().stream()
                .flatMap(name -> Stream.of(Store.values()).map(store -> Arguments.of(name, store, Script.FENCED)));
        return Stream.concat(
                fenced,
                Stream.of(
                        Arguments.of("gc-pause-25s", Store.ROWS, UNFENCED),
                        Arguments.of("lost-reply", Store.ROWS, UNFENCED),
                        Arguments.of("aba", Store.OBJECTS, UNFENCED),
                        Arguments.of("pause-between-check-and-commit", Store.OBJECTS, UNFENCED)));
    }

    @ParameterizedTest
    @MethodSource("timelines")
    void eachTimelineGoesAsItsFileSays(String name, Store store, String subject) throws Exception {
        Script script = Library.script(name);
        Expectation expectation = script.expectations().stream()
                .filter(e -> e.subject().equals(subject))
                .findFirst()
                .orElseThrow();

        Judgement judgement = RealReplay.play(script, expectation, stage, store);

        assertThat(judgement.surprises()).as("%s", judgement).isEqualTo(List.of());
    }

    @Test
    void theScriptOfTheCommandLinePlaysEachStoreWithAndWithoutTheFence() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int exitCode = Replay.run(
                List.of("--real", "../timelines/failover-double-grant.timeline"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "fenced, on PostgreSQL",
                        "unfenced, on PostgreSQL",
                        "fenced, on an object store",
                        "unfenced, on an object store");
        assertThat(exitCode).as("%s", out).isEqualTo(0);
    }

    /** The line says nothing of its end, but an exception that is none of the fence's is never right. */
    @Test
    void anEndThatNoOperationMayHaveIsASurpriseInEveryLine() throws Exception {
        Script script = ScriptParser.parse("""
                timeline v1
                title: the body fails by a fault of its own
                processes: 2
                guard: present
                expect: fenced holds

                0.000 A acquire
                0.100 A seal
                0.200 A write
                """);
        stage.run("ALTER TABLE landed ADD CONSTRAINT broken CHECK (number <> 1) NOT VALID");
        try {
            Judgement judgement = RealReplay.play(script, script.expectations().get(0), stage, Store.ROWS);

            assertThat(judgement.surprises())
                    .singleElement()
                    .asString()
                    .contains(Invariant.EVERY_END_IS_THE_EXPECTED_ONE.name(), "write #1 ended BROKEN");
        } finally {
            stage.run("ALTER TABLE landed DROP CONSTRAINT broken");
        }
    }

    /** Here the lease is taken away past the script, as a machine that stalls does. */
    @Test
    void aLeaseThatIsLostThoughTheScriptHarmsNobodySpoilsTheRun() throws Exception {
        Script script = ScriptParser.parse("""
                timeline v1
                title: nobody is harmed
                processes: 2
                guard: absent
                expect: fenced holds

                0.000 A acquire
                0.300 A create
                0.600 A check seal
                0.900 A go-on
                1.200 A seal
                """);
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Future<?> thief = threads.submit(() -> {
            while (!stop.get()) {
                stage.giveAway();
            }
            return null;
        });
        try {
            assertThatThrownBy(() -> RealWorld.play(script, stage, Store.ROWS, true))
                    .isInstanceOf(SpoiltRunException.class)
                    .hasMessageContaining("A lost its lease though nothing harmed it");
        } finally {
            stop.set(true);
            thief.get(20, TimeUnit.SECONDS);
            threads.shutdown();
        }
    }
}
