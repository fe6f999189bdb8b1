package dev.fence;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FenceExceptionTest {

    private static final Grant OLD = grant(41, "11111111-1111-1111-1111-111111111111");
    private static final Grant NEW = grant(42, "22222222-2222-2222-2222-222222222222");
    private static final LossReason REASON = new LossReason(LossReason.Kind.PAUSED, "no heartbeat for 25000 ms");

    static Stream<FenceException> all() {
        return Stream.of(
                new StaleTokenException("ledger/EU", OLD, NEW, null),
                new LeaseLostException(OLD, REASON),
                new LeaseTimeoutException("payouts/EU", Duration.ofSeconds(1), "pod-7"),
                new BusyException("lock wait", null),
                new OutcomeUnknownException("ledger/EU", OLD, null),
                new GuardMissingException("ledger/EU", OLD, null),
                new TokenSourceException(
                        TokenSourceException.Problem.REUSED_TOKEN,
                        "ledger/EU",
                        OLD,
                        "the guard carries token 41",
                        null),
                new UnsupportedStoreException("it is a standby", null));
    }

    @Test
    void theListIsClosedAndEveryTypeOfItIsFinal() {
        assertThat(FenceException.class.isSealed()).isTrue();
        assertThat(all().map(Object::getClass))
                .containsExactlyInAnyOrder(FenceException.class.getPermittedSubclasses())
                .allMatch(type -> Modifier.isFinal(type.getModifiers()));
    }

    @ParameterizedTest
    @MethodSource("all")
    void noneBelongsToAFamilyThatRetryAspectsCatch(FenceException e) {
        assertThat(e.getClass().getSuperclass()).isEqualTo(FenceException.class);
        assertThat(FenceException.class.getSuperclass()).isEqualTo(RuntimeException.class);
        assertThat(e.getClass().getInterfaces()).isEmpty();
    }

    @Test
    void aRefusalNamesResourceLeaseBothTokensAndBothHolders() {
        assertThat(new StaleTokenException("ledger/EU", OLD, NEW, null))
                .hasMessageContaining("\"ledger/EU\"")
                .hasMessageContaining("\"payouts/EU\"")
                .hasMessageContaining("41")
                .hasMessageContaining("42")
                .hasMessageContaining("11111111-1111-1111-1111-111111111111")
                .hasMessageContaining("22222222-2222-2222-2222-222222222222");
    }

    @Test
    void aLostLeaseNamesItsReasonWithTheMeasuredGap() {
        assertThat(new LeaseLostException(OLD, REASON))
                .hasMessageContaining("\"payouts/EU\"")
                .hasMessageContaining("41")
                .hasMessageContaining("PAUSED")
                .hasMessageContaining("25000 ms")
                .hasMessageContaining("nothing was sent");
    }

    @Test
    void aTimeoutNamesTheWaitAndTheHolder() {
        assertThat(new LeaseTimeoutException("payouts/EU", Duration.ofSeconds(1), "pod-7"))
                .hasMessageContaining("\"payouts/EU\"")
                .hasMessageContaining("PT1S")
                .hasMessageContaining("pod-7");
    }

    private static Grant grant(long token, String holder) {
        return new Grant("etcd", "payouts/EU", new FencingToken(token), UUID.fromString(holder));
    }
}
