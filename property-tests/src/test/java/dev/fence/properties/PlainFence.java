package dev.fence.properties;

import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.spi.Mandate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The unfenced twin on a real store: asks the lease, and then trusts the answer. What the body writes is sent when it has
 * ended, as an object-relational mapper does.
 */
record PlainFence(Function<String, Register> stores) implements Fence<Register> {

    @Override
    public boolean create(Lease lease, String resource) {
        return false;
    }

    @Override
    public FencedWriter<Register> seal(Lease lease, String resource) {
        Mandate mandate = Mandate.of(lease);
        mandate.begin().close();
        return new Writer(mandate, resource, stores.apply(resource));
    }

    @Override
    public FencedWriter<Register> attach(Grant grant, String resource) {
        return new Writer(Mandate.of(grant), resource, stores.apply(resource));
    }

    private record Writer(Mandate mandate, String resource, Register store) implements FencedWriter<Register> {

        @Override
        public Grant grant() {
            return mandate.grant();
        }

        @Override
        @SuppressWarnings("try") // the work is open meanwhile, nothing is asked of it
        public <R extends @Nullable Object, X extends Exception> R call(Call<? super Register, R, X> body) throws X {
            try (Lease.Work work = mandate.begin()) {
                Later later = new Later(store, new ArrayList<>());
                R result = body.run(later);
                later.written().forEach(store::write);
                return result;
            }
        }
    }

    private record Later(Register store, List<Register.Value> written) implements Register {

        @Override
        public long read() {
            return store.read();
        }

        @Override
        public void write(Register.Value value) {
            written.add(value);
        }
    }
}
