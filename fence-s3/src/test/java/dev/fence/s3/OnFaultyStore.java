package dev.fence.s3;

import static dev.fence.s3.ObjectFenceContract.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fence.FenceEvents;
import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.s3.FakeS3.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.services.s3.S3Client;

/** A slot on a store of its own whose next answers can go wrong, and a clock by which pauses pass at once. */
abstract class OnFaultyStore {

    static final String SLOT = "ledger/EU";

    static final S3FenceSettings SETTINGS = S3FenceSettings.DEFAULTS;

    final List<String> told = new ArrayList<>();
    final FakeS3 store = new FakeS3();
    final S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS);
    final Holders holders = new Holders("test", "exports/EU");
    final S3Fence fence = fence(client);
    final Lease lease = holders.next();

    ObjectWriter writer() {
        fence.create(lease, SLOT);
        ObjectWriter writer = fence.seal(lease, SLOT);
        put(writer, "before");
        store.forgetRequests();
        return writer;
    }

    @AfterEach
    void stop() {
        holders.close();
        client.close();
        store.close();
    }

    String value() {
        return reader().read(SLOT).map(ObjectFenceContract::text).orElse("nothing");
    }

    FencedObjects reader() {
        return FencedObjects.on(client, "fake", SETTINGS);
    }

    /** More failures than patience has tries for. */
    static Fault[] failing() {
        Fault[] faults = new Fault[100];
        Arrays.fill(faults, Fault.UNAVAILABLE_503);
        return faults;
    }

    /** The outcome must be unknown; what the store would still have done wrong is forgotten. */
    OutcomeUnknownException unknown(ThrowingCallable call) {
        OutcomeUnknownException unknown = catchThrowableOfType(OutcomeUnknownException.class, call);
        assertThat(unknown).isNotNull();
        store.behave();
        return unknown;
    }

    S3Fence fence(S3Client of) {
        FenceEvents events = new FenceEvents() {
            @Override
            public void sealed(Grant grant, String resource) {
                if (!told.contains("sealed")) {
                    told.add("sealed");
                }
            }

            @Override
            public void refused(Grant grant, String resource, FenceException refusal) {
                told.add("refused");
            }

            @Override
            public void unknown(Grant grant, String resource, OutcomeUnknownException outcome) {
                told.add("unknown");
            }
        };
        // The probe has a test of its own; here it would use up the faults.
        return new S3Fence(Stores.of(new SyncCalls(of), "fake", SETTINGS.withEvents(events), Clients.impatient())
                .slots());
    }
}
