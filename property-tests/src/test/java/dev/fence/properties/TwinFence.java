package dev.fence.properties;

import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.spi.Mandate;
import org.jspecify.annotations.Nullable;

/**
 * What people do without a guard. Both twins ask the lease before each write; the careful one also keeps the highest token
 * that has written and refuses lower ones, but a new holder's token is not known before its first write. Not for several
 * threads at a time.
 */
final class TwinFence implements Fence<Register>, Subject {

    private static final String RESOURCE = "ledger";

    private final boolean keepsHighestToken;
    private final MemoryRegister register = new MemoryRegister();
    private @Nullable Grant highest;

    private TwinFence(boolean keepsHighestToken) {
        this.keepsHighestToken = keepsHighestToken;
    }

    /** "My lease says that I hold it", and then the write. */
    static TwinFence unfenced() {
        return new TwinFence(false);
    }

    static TwinFence highestTokenKept() {
        return new TwinFence(true);
    }

    @Override
    public boolean create(Lease lease, String resource) {
        return true;
    }

    @Override
    public FencedWriter<Register> seal(Lease lease, String resource) {
        Mandate.of(lease).begin().close();
        return new Writer(Mandate.of(lease));
    }

    @Override
    public FencedWriter<Register> attach(Grant grant, String resource) {
        return new Writer(Mandate.of(grant));
    }

    @Override
    public Fence<Register> fence() {
        return this;
    }

    @Override
    public String resource() {
        return RESOURCE;
    }

    @Override
    public Sight look() {
        return new Sight(null, register.landed());
    }

    private void refuseLower(Grant own) {
        Grant known = highest;
        if (known != null && known.token().isNewerThan(own.token())) {
            throw new StaleTokenException(RESOURCE, own, known, null);
        }
        highest = own;
    }

    private final class Writer implements FencedWriter<Register> {

        private final Mandate mandate;

        Writer(Mandate mandate) {
            this.mandate = mandate;
        }

        @Override
        public String resource() {
            return RESOURCE;
        }

        @Override
        public Grant grant() {
            return mandate.grant();
        }

        @Override
        @SuppressWarnings("try") // the work is open meanwhile, nothing is asked of it
        public <R extends @Nullable Object, X extends Exception> R call(Call<? super Register, R, X> body) throws X {
            try (Lease.Work work = mandate.begin()) {
                return register.<R, X>transact(r -> body.run(new CheckedRegister(r)), true);
            }
        }

        private final class CheckedRegister implements Register {

            private final Register register;

            CheckedRegister(Register register) {
                this.register = register;
            }

            @Override
            public long read() {
                return register.read();
            }

            @Override
            public void write(long number) {
                if (keepsHighestToken) {
                    refuseLower(mandate.grant());
                }
                register.write(number);
            }
        }
    }
}
