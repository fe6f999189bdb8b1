package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FencingToken;
import dev.fence.Lease;
import dev.fence.LeaseTimeoutException;
import dev.fence.SessionTiming;
import dev.fence.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C06: skewed, stepped and DST clocks. The wall clock decides nothing; etcd's own count of elapsed time does. */
class C06ClocksIT extends EtcdCase {

    private final AtomicLong offMillis = new AtomicLong();

    private EtcdLeases openWithClockOff(Duration by) {
        return openWithClockOff(by, settings(etcd.endpoint()));
    }

    private EtcdLeases openWithClockOff(Duration by, EtcdSettings settings) {
        offMillis.set(by.toMillis());
        TimeSource time = new TimeSource(System::nanoTime, () -> System.currentTimeMillis() + offMillis.get());
        return closedAfterwards(EtcdLeases.open(settings, time));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT3M", "PT-3M", "PT24H", "PT-24H"})
    void whoseClockIsOffNeitherStealsNorIsStolenFrom(Duration by) throws Exception {
        EtcdLeases off = openWithClockOff(by);
        EtcdLeases right = open();
        try (Lease held = off.acquire("a", LONG)) {
            assertThatThrownBy(() -> right.acquire("a", SHORT)).isInstanceOf(LeaseTimeoutException.class);
            assertThat(isHeld(held)).isTrue();
        }
        try (Lease held = right.acquire("a", LONG)) {
            assertThatThrownBy(() -> off.acquire("a", SHORT)).isInstanceOf(LeaseTimeoutException.class);
            assertThat(isHeld(held)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H", "PT24H"})
    void aStepWhileHeldIsDoubtUntilTheServiceIsAskedAndChangesNothing(Duration step) throws Exception {
        // No heartbeat for 20 s, which would take the doubt away and add to what is left.
        EtcdSettings calm = settings(etcd.endpoint()).withTiming(SessionTiming.ofTtl(Duration.ofSeconds(60)));
        Lease held = openWithClockOff(Duration.ZERO, calm).acquire("a", LONG);
        FencingToken token = held.token();
        Duration before = held.remaining();
        offMillis.set(step.toMillis());

        assertThat(isUncertain(held)).isTrue();
        assertThat(held.remaining()).isLessThanOrEqualTo(before);
        held.confirm();
        assertThat(isHeld(held)).isTrue();
        assertThat(held.token()).isEqualTo(token);
        assertThatThrownBy(() -> open().acquire("a", SHORT)).isInstanceOf(LeaseTimeoutException.class);
    }

    @Test
    void withoutBeingAskedTheNextHeartbeatTakesTheDoubtAway() throws Exception {
        Lease held = openWithClockOff(Duration.ZERO, brisk(etcd.endpoint())).acquire("a", LONG);
        offMillis.set(TimeUnit.HOURS.toMillis(-1));
        soon().until(() -> isHeld(held)); // without a heartbeat it would be lost by then
    }

    /** The night in which an hour is missing, the one in which it comes twice, and a zone that has neither. */
    @ParameterizedTest
    @ValueSource(strings = {"Europe/Amsterdam", "America/New_York", "Asia/Kolkata"})
    void noZoneAndNoNightOfDaylightSavingMatters(String zone) throws Exception {
        TimeZone usual = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone(zone));
            EtcdLeases right = open();
            Instant night = nextChange(zone, Instant.now());
            isHeldThrough(night, right);
            isHeldThrough(nextChange(zone, night), right);
        } finally {
            TimeZone.setDefault(usual);
        }
    }

    private static Instant nextChange(String zone, Instant after) {
        ZoneOffsetTransition change = ZoneId.of(zone).getRules().nextTransition(after);
        return change == null ? after : change.getInstant();
    }

    private void isHeldThrough(Instant moment, EtcdLeases others) throws Exception {
        Duration before = Duration.ofMillis(200);
        try (EtcdLeases leases = openWithClockOff(Duration.between(Instant.now(), moment.minus(before)));
                Lease held = leases.acquire("a", LONG)) {
            long end = System.nanoTime() + before.multipliedBy(2).toNanos();
            soon().until(() -> {
                assertThat(isHeld(held)).isTrue();
                return System.nanoTime() - end > 0;
            });
            held.confirm();
            assertThat(others.tryAcquire("a")).isEmpty();
        }
    }
}
