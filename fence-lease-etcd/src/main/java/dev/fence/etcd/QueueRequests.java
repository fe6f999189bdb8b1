package dev.fence.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import java.util.Optional;

/**
 * Every request that touches a queue or the floor, each one atomic step at etcd. All reads are linearizable. Repeating any of them after a
 * lost answer does no harm.
 */
final class QueueRequests {

    private QueueRequests() {}

    /** The keys of one acquisition and those it depends on. */
    record Place(Keys.Queue queue, ByteString own, ByteString tombstone, ByteString sessionKey, ByteString floorKey) {}

    /**
     * Queue up: put the own key, unless it is there already (an answer was lost) or its tombstone is (this acquisition was
     * given up, and this is a late copy of its request), or the floor is another than assumed.
     *
     * @param onlyIfEmpty also not if anybody else is in the queue
     */
    static TxnRequest enqueue(Place place, QueueValue value, long lease, boolean onlyIfEmpty) {
        TxnRequest.Builder txn = TxnRequest.newBuilder()
                .addCompare(isAbsent(place.own()))
                .addCompare(isAbsent(place.tombstone()))
                .addCompare(isFloor(place.floorKey(), value.floor()));
        if (onlyIfEmpty) {
            // A comparison over a range holds if it holds for every key in it: no key was ever created at revision 0.
            txn.addCompare(isAbsent(place.queue().start()).toBuilder()
                    .setRangeEnd(place.queue().end()));
        }
        return txn.addSuccess(put(place.own(), value.toBytes(), lease))
                .addSuccess(range(newestTwo(place.queue())))
                .addFailure(range(get(place.own())))
                .addFailure(range(get(place.floorKey())))
                .build();
    }

    /** The newest two keys of those created up to mine, and the session key. */
    static TxnRequest look(Place place, long createRevision) {
        return TxnRequest.newBuilder()
                .addSuccess(range(newestTwo(place.queue()).setMaxCreateRevision(createRevision)))
                .addSuccess(range(get(place.sessionKey())))
                .build();
    }

    /** The own key and the session key. */
    static TxnRequest verify(ByteString own, ByteString sessionKey) {
        return TxnRequest.newBuilder()
                .addSuccess(range(get(own)))
                .addSuccess(range(get(sessionKey)))
                .build();
    }

    /**
     * Delete the own key if it is still the one that was created at that revision; else read the session key.
     *
     * @param tombstoned also leave the tombstone, so that a request still on its way cannot put the key afterwards
     */
    static TxnRequest release(Place place, long createRevision, long lease, boolean tombstoned) {
        ByteString own = place.own();
        TxnRequest.Builder txn = TxnRequest.newBuilder()
                .addCompare(Compare.newBuilder()
                        .setKey(own)
                        .setTarget(Compare.CompareTarget.CREATE)
                        .setResult(Compare.CompareResult.EQUAL)
                        .setCreateRevision(createRevision))
                .addSuccess(delete(own))
                .addFailure(range(get(place.sessionKey())));
        if (tombstoned) {
            txn.addSuccess(put(place.tombstone(), ByteString.EMPTY, lease));
        }
        return txn.build();
    }

    /**
     * Give up: delete the own key and read who is first.
     *
     * @param tombstoned also leave the tombstone, so that a request still on its way cannot put the key afterwards
     */
    static TxnRequest leave(Place place, long lease, boolean tombstoned) {
        TxnRequest.Builder txn =
                TxnRequest.newBuilder().addSuccess(delete(place.own())).addSuccess(range(first(place.queue())));
        if (tombstoned) {
            txn.addSuccess(put(place.tombstone(), ByteString.EMPTY, lease));
        }
        return txn.build();
    }

    /** Remove the tombstone, and the own key should it have come after all. */
    static TxnRequest sweep(Place place) {
        return TxnRequest.newBuilder()
                .addSuccess(delete(place.own()))
                .addSuccess(delete(place.tombstone()))
                .build();
    }

    /** Put the session key; read the floor and what was put. */
    static TxnRequest openSession(ByteString sessionKey, ByteString floorKey, ByteString value, long lease) {
        return TxnRequest.newBuilder()
                .addSuccess(put(sessionKey, value, lease))
                .addSuccess(range(get(floorKey)))
                .addSuccess(range(get(sessionKey)))
                .build();
    }

    /** The first key of a queue: its holder's. */
    static TxnRequest readFirst(Keys.Queue queue) {
        return TxnRequest.newBuilder().addSuccess(range(first(queue))).build();
    }

    static TxnRequest readFloor(ByteString floorKey) {
        return TxnRequest.newBuilder().addSuccess(range(get(floorKey))).build();
    }

    /** Put another floor, unless it is another than expected: then read it. Floors belong to no session. */
    static TxnRequest raiseFloor(ByteString floorKey, long expected, long raised) {
        return TxnRequest.newBuilder()
                .addCompare(isFloor(floorKey, expected))
                .addSuccess(put(floorKey, QueueValue.floorToBytes(raised), 0))
                .addFailure(range(get(floorKey)))
                .build();
    }

    /** The keys that the {@code n}th operation of the branch taken has read. */
    static List<KeyValue> read(TxnResponse reply, int n) {
        return reply.getResponses(n).getResponseRange().getKvsList();
    }

    static Optional<KeyValue> readOne(TxnResponse reply, int n) {
        return read(reply, n).stream().findFirst();
    }

    private static Compare isAbsent(ByteString key) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.CREATE)
                .setResult(Compare.CompareResult.EQUAL)
                .setCreateRevision(0)
                .build();
    }

    private static Compare isFloor(ByteString key, long floor) {
        return floor == 0
                ? isAbsent(key)
                : Compare.newBuilder()
                        .setKey(key)
                        .setTarget(Compare.CompareTarget.VALUE)
                        .setResult(Compare.CompareResult.EQUAL)
                        .setValue(QueueValue.floorToBytes(floor))
                        .build();
    }

    private static RangeRequest.Builder newestTwo(Keys.Queue queue) {
        return RangeRequest.newBuilder()
                .setKey(queue.start())
                .setRangeEnd(queue.end())
                .setSortTarget(RangeRequest.SortTarget.CREATE)
                .setSortOrder(RangeRequest.SortOrder.DESCEND)
                .setLimit(2);
    }

    private static RangeRequest.Builder first(Keys.Queue queue) {
        return RangeRequest.newBuilder()
                .setKey(queue.start())
                .setRangeEnd(queue.end())
                .setSortTarget(RangeRequest.SortTarget.CREATE)
                .setSortOrder(RangeRequest.SortOrder.ASCEND)
                .setLimit(1);
    }

    private static RangeRequest.Builder get(ByteString key) {
        return RangeRequest.newBuilder().setKey(key);
    }

    private static RequestOp range(RangeRequest.Builder range) {
        return RequestOp.newBuilder().setRequestRange(range).build();
    }

    private static RequestOp put(ByteString key, ByteString value, long lease) {
        return RequestOp.newBuilder()
                .setRequestPut(
                        PutRequest.newBuilder().setKey(key).setValue(value).setLease(lease))
                .build();
    }

    private static RequestOp delete(ByteString key) {
        return RequestOp.newBuilder()
                .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
                .build();
    }
}
