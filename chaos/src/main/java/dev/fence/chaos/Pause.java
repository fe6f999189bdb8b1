package dev.fence.chaos;

import dev.fence.fixtures.Processes;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A pause of a process, which ends with this one at the latest: who stands still does not see that its input ends, and would stay
 * for ever if this virtual machine were killed meanwhile.
 */
final class Pause {

    private static final long LONGEST_END_SECONDS = 10;

    private final long pid;
    private final Process waker;

    private Pause(long pid, Process waker) {
        this.pid = pid;
        this.waker = waker;
    }

    static Pause of(long pid) throws IOException {
        Process waker = new ProcessBuilder(
                        "sh", "-c", "read -r line; kill -CONT \"$1\"", "fence-waker", Long.toString(pid))
                .start();
        Processes.pause(pid);
        return new Pause(pid, waker);
    }

    /** The waker first, or it would wake the process from the next pause. */
    void end() throws IOException, InterruptedException {
        waker.getOutputStream().close();
        if (!waker.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the waker of process " + pid + " did not end");
        }
        Processes.resume(pid);
    }
}
