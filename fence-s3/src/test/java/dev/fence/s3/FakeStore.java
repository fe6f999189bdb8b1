package dev.fence.s3;

import dev.fence.Grant;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** {@link FakeS3} for tests of other modules, which look into it past the fence. Safe for use by several threads. */
public final class FakeStore implements AutoCloseable {

    private final FakeS3 store = new FakeS3();

    public URI endpoint() {
        return store.endpoint();
    }

    /** How often something was stored under the key, a guard's stamp or a value. */
    public int writes(String key) {
        return store.objects.writes(key);
    }

    /** Whose stamp the object carries; null if there is none. */
    public @Nullable Grant guard(String key) {
        byte[] bytes = store.objects.bytes(key);
        return bytes != null && Envelope.read(bytes) instanceof Envelope.Read.Stamped stamped
                ? stamped.stamp().grant()
                : null;
    }

    /** The next thing that is stored is stored, and nobody is told. */
    public void loseNextReply() {
        store.next("PUT", FakeS3.Fault.DROP_AFTER);
    }

    @Override
    public void close() {
        store.close();
    }
}
