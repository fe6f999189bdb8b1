package dev.fence.examples.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.fence.Lease;
import dev.fence.effects.EffectKey;
import dev.fence.effects.Outcome;
import dev.fence.examples.Journal;
import dev.fence.examples.http.TestGateway.Fate;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HttpGatewayIT {

    private static final Payment PAYMENT = new Payment("DE02120300000000202051", new BigDecimal("40.00"), "EUR");
    private static final EffectKey KEY = new EffectKey("payment", "inv-7");

    /** Nothing here waits for silence; less than the journal's lease lasts. */
    private static final Duration PATIENT = Duration.ofSeconds(8);

    private final Journal journal = new Journal();
    private TestGateway server;
    private HttpGateway gateway;

    @BeforeEach
    void start() throws Exception {
        server = new TestGateway();
        gateway = gateway(server.base(), Duration.ofHours(24), PATIENT);
    }

    private static HttpGateway gateway(URI base, Duration keysKept, Duration callTimeout) {
        return new HttpGateway(base, keysKept, callTimeout, Duration.ofMillis(100));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Outcome<String> pay(HttpGateway by) throws InterruptedException {
        return journal.effects.run(journal.holder(), by, "inv-7", PAYMENT);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REFUSE"},
            mode = EnumSource.Mode.EXCLUDE)
    void whateverTheGatewayDoesItPaysOnceUnderOneKey(Fate fate) throws Exception {
        server.then(fate);
        assertThat(pay(gateway)).isInstanceOf(Outcome.Done.class);
        assertThat(pay(gateway)).as("the next holder").isInstanceOf(Outcome.Done.class);
        assertThat(server.payments).containsExactly(PAYMENT.line());
        assertThat(server.calls).containsOnly(KEY.text());
    }

    @Test
    void aRefusalIsFinalAndNothingWasPaid() throws Exception {
        server.then(Fate.REFUSE);
        assertThat(pay(gateway)).isEqualTo(new Outcome.Refused<>("no funds"));
        assertThat(pay(gateway)).isInstanceOf(Outcome.Refused.class);
        assertThat(server.payments).isEmpty();
        assertThat(server.calls).hasSize(1);
    }

    /** The reply is lost and the search has nothing yet: the repeat says what the first call did. */
    @Test
    void aSearchThatLagsBehindDoesNotMakeASecondPayment() throws Exception {
        server.searchDelayMillis = 60_000;
        server.then(Fate.LOSE_THE_REPLY);
        assertThat(pay(gateway))
                .isInstanceOfSatisfying(
                        Outcome.Done.class, done -> assertThat(done.replayed()).isTrue());
        assertThat(server.payments).hasSize(1);
    }

    /** Kept for as long as one call may take: after a lost reply nothing is repeated. */
    @Test
    void aGatewayThatMayHaveForgottenTheKeyIsNotCalledAgain() throws Exception {
        server.then(Fate.LOSE_THE_REPLY);
        HttpGateway forgetful = gateway(server.base(), PATIENT, PATIENT);
        server.searchDelayMillis = 60_000;
        assertThat(pay(forgetful)).isInstanceOf(Outcome.Manual.class);
        server.forgetKeys();
        assertThat(pay(forgetful)).isInstanceOf(Outcome.Manual.class);
        assertThat(server.calls).hasSize(1);
        assertThat(server.payments).hasSize(1);
    }

    @Test
    void aGatewayThatIsNotThereWasNotCalled() throws Exception {
        Lease lease = journal.holder();
        URI gone = server.base();
        server.close();
        assertThat(journal.effects.run(lease, gateway(gone, Duration.ofHours(1), PATIENT), "inv-7", PAYMENT))
                .isInstanceOfSatisfying(
                        Outcome.Planned.class,
                        planned -> assertThat(planned.detail()).contains("no connection"));
    }

    @ParameterizedTest
    @CsvSource({"'DE 02'", "''", "'x\n'"})
    void anAccountThatIsNoneIsRefusedBeforeAnythingIsPlanned(String account) {
        assertThat(catchThrowable(() -> new Payment(account, BigDecimal.ONE, "EUR")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("account");
    }
}
