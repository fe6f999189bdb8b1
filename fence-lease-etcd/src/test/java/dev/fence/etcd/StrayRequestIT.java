package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** C04: a request can come long after it was given up: closing a connection does not stop what was written to it. */
@Execution(ExecutionMode.CONCURRENT)
class StrayRequestIT extends EtcdCase {

    @Test
    void aRequestThatComesAfterTimesToLiveStillPutsNothing() throws Exception {
        TcpProxy proxy = proxy();
        EtcdLeases leases = open(brisk(through(proxy), etcd.endpoint()));
        KeyValue session = raw.stored("s/").get(0);
        proxy.hold(Direction.TO_SERVER);
        leases.acquire("g", LONG).close(); // granted to its second request, which went to the other endpoint
        assertThat(raw.keys("t/")).hasSize(1);
        long released = System.nanoTime();
        soon().atMost(BRISK.multipliedBy(4))
                .until(() -> System.nanoTime() - released
                        > BRISK.multipliedBy(2).plusSeconds(1).toNanos());

        try (EtcdClient network = new EtcdClient(settings(etcd.endpoint()))) {
            TxnResponse late =
                    network.txn(firstRequestOf(session.getLease()), BRISK).join();
            assertThat(late.getSucceeded()).isFalse();
        }
        assertThat(raw.keys("q/")).isEmpty();
        assertThat(raw.stored("s/"))
                .as("the session, which would take the key along")
                .containsExactly(session);
        try (Lease next = leases.acquire("g", LONG)) {
            next.confirm();
        }
    }

    private TxnRequest firstRequestOf(long session) {
        Keys keys = new Keys(namespace);
        QueueRequests.Place place = new QueueRequests.Place(
                keys.queue("g"),
                keys.own("g", session, 1),
                keys.tombstone(session, 1),
                keys.session(session),
                keys.floor());
        return QueueRequests.enqueue(place, new QueueValue(0, UUID.randomUUID(), "late"), session, false);
    }
}
