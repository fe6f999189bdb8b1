package dev.fence.etcd;

import com.google.protobuf.ByteString;
import dev.fence.FencingToken;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the token floor, and raises it from a value that was read to another, in one atomic step at etcd. */
final class FloorRaise {

    private static final Logger LOG = LoggerFactory.getLogger(FloorRaise.class);

    private final EtcdClient client;
    private final ByteString key;
    private final Duration callTimeout;

    FloorRaise(EtcdClient client, ByteString key, Duration callTimeout) {
        this.client = client;
        this.key = key;
        this.callTimeout = callTimeout;
    }

    /** @param highestFloorMet by this process so far: a restore may have undone it */
    TokenFloor read(long highestFloorMet) {
        TxnResponse reply = ask("reading the token floor", QueueRequests.readFloor(key));
        return TokenFloor.of(
                floor(QueueRequests.read(reply, 0)),
                highestFloorMet,
                reply.getHeader().getRevision());
    }

    /**
     * Whether the floor is now what this raise makes of it. An attempt whose answer was lost has done it already: then the
     * repeated one fails at etcd and finds it done.
     */
    boolean raise(TokenFloor expected, FencingToken highestKnown) {
        long raised = expected.raisedAbove(highestKnown);
        TxnResponse reply = ask("raising the token floor", QueueRequests.raiseFloor(key, expected.floor(), raised));
        boolean done = reply.getSucceeded() || floor(QueueRequests.read(reply, 0)) == raised;
        if (done) {
            LOG.warn("the token floor was raised from {} to {}", expected.floor(), raised);
        }
        return done;
    }

    private TxnResponse ask(String what, TxnRequest request) {
        return client.ask(what, callTimeout.multipliedBy(2), () -> client.txn(request, callTimeout));
    }

    private static long floor(List<KeyValue> read) {
        Optional<KeyValue> found = read.stream().findFirst();
        return found.map(kv -> QueueValue.parseFloor(kv.getValue())).orElse(0L);
    }
}
