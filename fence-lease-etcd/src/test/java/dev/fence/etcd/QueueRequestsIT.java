package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each request does its one step, also when a copy of it arrives late or twice. */
class QueueRequestsIT extends EtcdCase {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final EtcdClient client = closedAfterwards(new EtcdClient(EtcdSettings.of(etcd.endpoint())));
    private final Keys keys = new Keys(namespace);
    private long session;

    @BeforeEach
    void openSession() {
        session = client.call(
                        LeaseGrpc.getLeaseGrantMethod(),
                        LeaseGrantRequest.newBuilder().setTTL(60).build(),
                        TIMEOUT)
                .join()
                .getID();
    }

    private QueueRequests.Place place(int n) {
        return new QueueRequests.Place(
                keys.queue("a"),
                keys.own("a", session, n),
                keys.tombstone(session, n),
                keys.session(session),
                keys.floor());
    }

    private TxnResponse send(TxnRequest request) {
        return client.txn(request, TIMEOUT).join();
    }

    private TxnResponse enqueue(int n, boolean onlyIfEmpty) {
        return send(QueueRequests.enqueue(place(n), new QueueValue(0, new UUID(0, n), "test"), session, onlyIfEmpty));
    }

    @Test
    void queueingTwiceIsOnce() {
        long revision = enqueue(1, false).getHeader().getRevision();
        TxnResponse again = enqueue(1, false);
        assertThat(again.getSucceeded()).isFalse();
        assertThat(QueueRequests.readOne(again, 0).orElseThrow().getCreateRevision())
                .isEqualTo(revision);
    }

    @Test
    void aLateCopyDoesNotQueueWhoHasLeft() {
        enqueue(1, false);
        send(QueueRequests.leave(place(1), session, true));
        assertThat(enqueue(1, false).getSucceeded()).isFalse();
        assertThat(raw.keys("q/")).isEmpty();
        assertThat(raw.keys("t/")).hasSize(1);

        send(QueueRequests.sweep(place(1)));
        assertThat(raw.keys("")).isEmpty();
    }

    @Test
    void aSweepRemovesAKeyThatCameAfterAll() {
        enqueue(1, false);
        send(QueueRequests.sweep(place(1)));
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void aLateCopyDoesNotQueueWhoHasReleased() {
        long revision = enqueue(1, false).getHeader().getRevision();
        assertThat(send(QueueRequests.release(place(1), revision, session, true))
                        .getSucceeded())
                .isTrue();
        assertThat(enqueue(1, false).getSucceeded()).isFalse();
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void onlyTheKeyOfThatCreationIsReleased() {
        long revision = enqueue(1, false).getHeader().getRevision();
        assertThat(send(QueueRequests.release(place(1), revision - 1, session, false))
                        .getSucceeded())
                .isFalse();
        assertThat(raw.keys("q/")).hasSize(1);
    }

    @Test
    void triedOnlyIntoAnEmptyQueue() {
        assertThat(enqueue(1, true).getSucceeded()).isTrue();
        assertThat(enqueue(2, true).getSucceeded()).isFalse();
        assertThat(raw.keys("q/")).hasSize(1);
    }

    @Test
    void aLookSeesTheOwnKeyAndTheOneBeforeIt() {
        enqueue(1, false);
        enqueue(2, false);
        long mine = enqueue(3, false).getHeader().getRevision();
        enqueue(4, false);
        TxnResponse look = send(QueueRequests.look(place(3), mine));
        assertThat(QueueRequests.read(look, 0))
                .extracting(kv -> kv.getKey())
                .containsExactly(place(3).own(), place(2).own());
        assertThat(QueueRequests.read(look, 1)).isEmpty();
    }

    @Test
    void anotherFloorThanAssumedQueuesNobody() {
        raw.put(keys.floor().toStringUtf8(), QueueValue.floorToBytes(5).toStringUtf8());
        TxnResponse refused = enqueue(1, false);
        assertThat(refused.getSucceeded()).isFalse();
        assertThat(QueueRequests.readOne(refused, 1)).isPresent();
        assertThat(raw.keys("q/")).isEmpty();
    }
}
