package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkersTest {

    @Test
    void aThreadThatIsFreeEndsWithTheCloseAndNotLater() throws Exception {
        Workers workers = new Workers();
        Thread free = CompletableFuture.supplyAsync(Thread::currentThread, workers.blocking())
                .get(5, TimeUnit.SECONDS);
        workers.close();
        free.join(4_500); // kept, it would wait longer for another task
        assertThat(free.isAlive()).isFalse();
    }

    @Test
    void aTaskAfterTheCloseIsRun() throws Exception {
        Workers workers = new Workers();
        workers.close();
        assertThat(CompletableFuture.supplyAsync(() -> "run", workers.blocking())
                        .get(5, TimeUnit.SECONDS))
                .isEqualTo("run");
    }
}
