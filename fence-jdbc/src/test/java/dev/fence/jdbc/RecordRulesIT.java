package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The records of statements that can be verified, as the database has them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RecordRulesIT {

    private final UUID id = UUID.randomUUID();
    private Ledger ledger;
    private Connection first;
    private Connection second;

    @BeforeEach
    void connect() throws SQLException {
        ledger = Ledger.create();
        first = ledger.dataSource.getConnection();
        Guard.of("r", 1).create(first);
        second = ledger.dataSource.getConnection();
        for (Connection each : new Connection[] {first, second}) { // a bound that is missing must not hang the test
            Ledger.ask(each, "SELECT set_config('statement_timeout', '20s', false)");
        }
    }

    @AfterEach
    void disconnect() throws SQLException {
        first.close();
        second.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"P1D", "-P1D"})
    void aRecordOfAClientWhoseClockIsFarOffIsRefused(String off) {
        GuardRulesIT.assertRefused("ZF015", () -> Ledger.ask(first, record(Duration.parse(off))));
    }

    @Test
    void whatIsRecordedIsAppliedAndWhatIsNotIsKeptOut() throws SQLException {
        Ledger.ask(first, record(Duration.ZERO));
        assertThat(Ledger.ask(first, settle(id, Duration.ZERO, 1000))).isEqualTo("applied");

        UUID late = UUID.randomUUID();
        assertThat(Ledger.ask(first, settle(late, Duration.ZERO, 1000))).isEqualTo("refused");
        assertThat(Ledger.ask(first, settle(late, Duration.ZERO, 1000))).isEqualTo("refused");
        GuardRulesIT.assertRefused(
                "23505", () -> Ledger.ask(first, "SELECT fence.record_v1('" + late + "', " + at(Duration.ZERO) + ")"));
    }

    @Test
    void aStatementInFlightIsUnknownAfterTheWaitAndToldIfItEndsWithinIt() throws Exception {
        first.setAutoCommit(false);
        Ledger.ask(first, record(Duration.ZERO));
        assertThat(Ledger.ask(second, settle(id, Duration.ZERO, 50))).isEqualTo("unknown");

        String waiting = Ledger.ask(second, "SELECT pg_backend_pid()");
        CompletableFuture<String> settled = CompletableFuture.supplyAsync(() -> {
            try {
                return Ledger.ask(second, settle(id, Duration.ZERO, 15_000));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        Await.until(() -> ledger.ask("SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + waiting)
                .equals("1"));
        first.commit();
        assertThat(settled.get(30, TimeUnit.SECONDS)).isEqualTo("applied");
    }

    /** The record may be among those that are removed at this moment: to call its statement refused would be a lie. */
    @Test
    void aPruningInFlightIsWaitedForWithABound() throws SQLException {
        first.setAutoCommit(false);
        Ledger.ask(first, prune("2 days"));

        GuardRulesIT.assertRefused("55P03", () -> Ledger.ask(second, settle(id, Duration.ofDays(-3), 50)));
    }

    @Test
    void whatIsGivenUpStaysSoAfterACrash() throws SQLException {
        first.setAutoCommit(false);
        Ledger.ask(first, "SELECT set_config('synchronous_commit', 'off', true)");
        Ledger.ask(first, settle(id, Duration.ZERO, 1000));

        assertThat(Ledger.ask(first, "SHOW synchronous_commit")).isEqualTo("on");
    }

    @Test
    void onlyWhatIsOldIsPrunedAndItStaysUnknown() throws SQLException {
        Ledger.ask(first, record(Duration.ZERO));
        UUID old = UUID.randomUUID();
        assertThat(Ledger.ask(first, settle(old, Duration.ofDays(-3), 1000))).isEqualTo("refused");
        for (String age : new String[] {"'1 day'", "'47 hours'", "NULL"}) {
            GuardRulesIT.assertRefused("22023", () -> Ledger.ask(first, "SELECT fence.prune_writes_v1(" + age + ")"));
        }

        assertThat(Ledger.ask(first, prune("2 days"))).isEqualTo("1");
        assertThat(Ledger.ask(first, prune("30 days"))).isEqualTo("0");
        assertThat(Ledger.ask(first, settle(old, Duration.ofDays(-3), 1000))).isEqualTo("unknown");
        assertThat(Ledger.ask(first, settle(id, Duration.ZERO, 1000))).isEqualTo("applied");
    }

    private String record(Duration off) {
        return "SELECT fence.record_v1('" + id + "', " + at(off) + ")";
    }

    private static String settle(UUID write, Duration off, int waitMillis) {
        return "SELECT fence.settle_v1('r', 1, '" + write + "', " + at(off) + ", " + waitMillis + ")";
    }

    private static String prune(String age) {
        return "SELECT fence.prune_writes_v1('" + age + "')";
    }

    private static long at(Duration off) {
        return Trace.Row.make().madeAtMicros() + off.toNanos() / 1000;
    }
}
