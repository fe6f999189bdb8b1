package dev.fence.jdbc;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for what only polling can see, with a bound. */
final class Await {

    private Await() {}

    static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(condition);
    }
}
