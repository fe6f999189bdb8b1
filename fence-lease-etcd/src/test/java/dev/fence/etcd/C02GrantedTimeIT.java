package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.fixtures.EtcdServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** C02: what counts is the time to live that the service granted, not the one that was asked for. */
@Execution(ExecutionMode.CONCURRENT) // its etcd takes as long to start as to elect
class C02GrantedTimeIT extends EtcdCase {

    private static final SessionTiming ASKED = SessionTiming.ofTtl(Duration.ofSeconds(5));
    /** One and a half times its election time-out. */
    private static final Duration GRANTED = Duration.ofSeconds(15);

    private static final EtcdServer SERVER = EtcdServer.startSlowToElect(Duration.ofSeconds(10));

    C02GrantedTimeIT() {
        super(SERVER);
    }

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @Test
    void aLeaseIsGoodForTheTimeThatWasGranted() throws Exception {
        try (Lease lease = open(settings(etcd.endpoint()).withTiming(ASKED)).acquire("a", LONG)) {
            Duration left = lease.remaining();
            assertThat(left).isGreaterThan(ASKED.ttl());
            assertThat(left).isLessThanOrEqualTo(GRANTED.minus(ASKED.reserve()));
            lease.confirm(); // a heartbeat is answered with the time that was granted, too
            assertThat(lease.remaining()).isGreaterThan(ASKED.ttl());
        }
    }
}
