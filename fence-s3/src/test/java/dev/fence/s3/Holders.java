package dev.fence.s3;

import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.InMemoryLeases;
import dev.fence.fixtures.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes that come to hold a lease one after the other, while the earlier ones go on believing in theirs. */
final class Holders implements AutoCloseable {

    final InMemoryLeaseService service;
    final String leaseName;
    private final List<InMemoryLeases> processes = new ArrayList<>();

    Holders(String source, String leaseName) {
        this.service = new InMemoryLeaseService(source, new VirtualTime(), SessionTiming.DEFAULTS);
        this.leaseName = leaseName;
    }

    /** A process of its own that is granted the lease now. Who held it before is not told. */
    Lease next() {
        return nextIn(connect());
    }

    InMemoryLeases connect() {
        InMemoryLeases process = service.connect();
        processes.add(process);
        return process;
    }

    Lease nextIn(InMemoryLeases process) {
        service.giveAway(leaseName);
        try {
            return process.acquire(leaseName, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        processes.forEach(InMemoryLeases::close);
    }
}
