package dev.fence.properties;

import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Any fence, for bodies that write with a register. */
final class RegisterFence<C> implements Fence<Register> {

    private final Fence<C> fence;
    private final Function<C, Register> registers;

    RegisterFence(Fence<C> fence, Function<C, Register> registers) {
        this.fence = fence;
        this.registers = registers;
    }

    @Override
    public boolean create(Lease lease, String resource) {
        return fence.create(lease, resource);
    }

    @Override
    public FencedWriter<Register> seal(Lease lease, String resource) {
        return new Writer(fence.seal(lease, resource));
    }

    @Override
    public FencedWriter<Register> attach(Grant grant, String resource) {
        return new Writer(fence.attach(grant, resource));
    }

    private final class Writer implements FencedWriter<Register> {

        private final FencedWriter<C> writer;

        Writer(FencedWriter<C> writer) {
            this.writer = writer;
        }

        @Override
        public String resource() {
            return writer.resource();
        }

        @Override
        public Grant grant() {
            return writer.grant();
        }

        @Override
        public <R extends @Nullable Object, X extends Exception> R call(Call<? super Register, R, X> body) throws X {
            return writer.<R, X>call(c -> body.run(registers.apply(c)));
        }
    }
}
