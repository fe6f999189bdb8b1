package dev.fence.etcd;

import dev.fence.SessionTiming;
import dev.fence.spi.SessionClock;
import dev.fence.spi.TimeSource;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import java.time.Duration;

/** Opens sessions: a lease at etcd, its key, and the clock that counts from before it was asked for. */
final class SessionOpening {

    private static final Duration FIRST_CALL = Duration.ofSeconds(2);
    private static final Duration FIRST_OPEN = Duration.ofSeconds(6);

    private SessionOpening() {}

    /**
     * Opens the first session of a process. A fresh process loads a thousand classes for its first call, so there is more
     * patience than later.
     *
     * @throws dev.fence.BusyException if no endpoint answered
     */
    static EtcdSession openFirst(EtcdSettings settings, EtcdClient client, Workers workers, TimeSource time) {
        SessionTiming timing = settings.timing();
        Duration patience = longer(timing.callTimeout(), shorter(timing.ttl().dividedBy(2), FIRST_CALL));
        return open(settings, client, workers, time, patience, FIRST_OPEN);
    }

    /**
     * Opens another session.
     *
     * @throws dev.fence.BusyException if no endpoint answered within about half a time to live
     */
    static EtcdSession openNext(EtcdSettings settings, EtcdClient client, Workers workers, TimeSource time) {
        return open(settings, client, workers, time, settings.timing().callTimeout(), Duration.ZERO);
    }

    private static EtcdSession open(
            EtcdSettings settings,
            EtcdClient client,
            Workers workers,
            TimeSource time,
            Duration patience,
            Duration atLeast) {
        SessionTiming timing = settings.timing();
        Duration longest = longer(
                atLeast, patience.multipliedBy(Math.max(2, settings.endpoints().size())));
        LeaseGrantRequest request =
                LeaseGrantRequest.newBuilder().setTTL(timing.ttl().toSeconds()).build();
        // A grant whose answer is lost is a lease without keys, which ends by itself. The clock counts from the attempt
        // that was answered.
        SessionClock.Sending[] sent = new SessionClock.Sending[1];
        LeaseGrantResponse granted = client.ask("opening a session", longest, () -> {
            sent[0] = SessionClock.sending(time);
            return client.call(LeaseGrpc.getLeaseGrantMethod(), request, patience);
        });
        EtcdSession session = new EtcdSession(settings, client, workers, time, sent[0], granted);
        try {
            session.start(longest);
        } catch (RuntimeException e) {
            session.revoke();
            throw e;
        }
        return session;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
