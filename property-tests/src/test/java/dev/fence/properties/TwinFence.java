package dev.fence.properties;

import dev.fence.BusyException;
import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.spi.Mandate;
import org.jspecify.annotations.Nullable;

/** What people do without a guard. All ask the lease before each write. Not for several threads at a time. */
final class TwinFence implements Fence<Register>, Subject {

    private static final String RESOURCE = "ledger";

    /** What else they do. */
    enum Design {
        /** "My lease says that I hold it", and then the write. */
        UNFENCED,
        /** Lower tokens than the highest that has written are refused; a new holder's is not known before its first write. */
        HIGHEST_TOKEN,
        /** A write replaces what has the content that was read; an object's tag is a hash of its bytes. */
        IF_MATCH
    }

    private final Design design;
    private final MemoryRegister register = new MemoryRegister();
    private @Nullable Grant highest;

    TwinFence(Design design) {
        this.design = design;
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

    @Override
    public String name() {
        return Subjects.name(design);
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
        private @Nullable Long tag;

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
                tag = TwinFence.this.register.newest().content();
                return register.read();
            }

            @Override
            public void write(Value value) {
                if (design == Design.HIGHEST_TOKEN) {
                    refuseLower(mandate.grant());
                }
                Long known = tag;
                if (design == Design.IF_MATCH && known != null) {
                    if (known != TwinFence.this.register.newest().content()) {
                        throw new BusyException("what was read is not there any more", null);
                    }
                    tag = value.content();
                }
                register.write(value);
            }
        }
    }
}
