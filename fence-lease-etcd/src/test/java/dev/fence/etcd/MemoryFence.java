package dev.fence.etcd;

import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.StaleTokenException;
import dev.fence.spi.Mandate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Guards and what was written, in memory: check and change under one monitor. */
final class MemoryFence implements Fence<List<String>> {

    private final Map<String, Grant> guards = new HashMap<>();
    private final List<String> written = new ArrayList<>();
    /** Runs before each seal. */
    volatile Runnable beforeSeal = () -> {};

    synchronized Optional<Grant> guard(String resource) {
        return Optional.ofNullable(guards.get(resource));
    }

    synchronized List<String> written() {
        return List.copyOf(written);
    }

    @Override
    public synchronized boolean create(Lease lease, String resource) {
        return guards.putIfAbsent(resource, lease.grant()) == null;
    }

    @Override
    public FencedWriter<List<String>> seal(Lease lease, String resource) {
        beforeSeal.run();
        synchronized (this) {
            Grant guard = guards.get(resource);
            if (guard == null) {
                throw new GuardMissingException(resource, lease.grant(), null);
            }
            if (guard.token().isNewerThan(lease.token())) {
                throw new StaleTokenException(resource, lease.grant(), guard, null);
            }
            guards.put(resource, lease.grant());
        }
        return new Writer(Mandate.of(lease), resource);
    }

    @Override
    public FencedWriter<List<String>> attach(Grant grant, String resource) {
        return new Writer(Mandate.of(grant), resource);
    }

    private final class Writer implements FencedWriter<List<String>> {

        private final Mandate mandate;
        private final String resource;

        private Writer(Mandate mandate, String resource) {
            this.mandate = mandate;
            this.resource = resource;
        }

        @Override
        public String resource() {
            return resource;
        }

        @Override
        public Grant grant() {
            return mandate.grant();
        }

        /** @throws LeaseLostException if the lease is over */
        @Override
        public <R extends @Nullable Object, X extends Exception> R call(Call<? super List<String>, R, X> body)
                throws X {
            Lease.Work work = mandate.begin();
            try {
                synchronized (MemoryFence.this) {
                    Grant guard = guards.get(resource);
                    if (guard == null) {
                        throw new GuardMissingException(resource, grant(), null);
                    }
                    if (!guard.equals(grant())) {
                        throw new StaleTokenException(resource, grant(), guard, null);
                    }
                    return body.run(written);
                }
            } finally {
                work.close();
            }
        }
    }
}
