package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.TokenSourceException;
import dev.fence.fixtures.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that continues on another timeline may have forgotten seals: nobody passes before a confirmed holder seals. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TimelineIT {

    @Test
    void afterAChangeOfTimelineOnlyAConfirmedHolderSealsAndWrites() throws Exception {
        try (PostgresServer server = PostgresServer.startNative("restore_command=false")) {
            Ledger ledger = Ledger.on(server);
            JdbcFence fence = ledger.fence();
            Lease old = ledger.lease("r");
            fence.create(old, "r");
            FencedWriter<Connection> oldWriter = fence.seal(old, "r");
            Lease holder = ledger.lease("other");
            fence.create(holder, "other");
            FencedWriter<Connection> writer = fence.seal(holder, "other");
            ledger.service.giveAway("r"); // somebody newer sealed, and that seal is what the new timeline has forgotten

            Path data = Path.of(ledger.ask("SHOW data_directory"));
            server.stop();
            Files.createFile(
                    data.resolve("recovery.signal")); // recover to the end of the log, then continue on a new timeline
            server.restart();
            Await.until(() -> ledger.ask("SELECT pg_is_in_recovery()").equals("f"));
            assertThat(ledger.ask("SELECT fence.timeline_v1()")).isEqualTo("2");

            assertHistoryLost(oldWriter);
            assertHistoryLost(writer);
            assertThatThrownBy(() -> fence.seal(old, "r")).isInstanceOf(LeaseLostException.class);
            assertHistoryLost(fence.attach(old.grant(), "r"));
            fence.seal(holder, "other");
            writer.write(c -> Ledger.insert(c, "confirmed"));
            assertThat(ledger.count("confirmed")).isEqualTo(1);
            assertThat(ledger.ask("SELECT action || ' ' || timeline FROM fence.seal_log ORDER BY id DESC LIMIT 1"))
                    .isEqualTo("resealed 2");
        }
    }

    private static void assertHistoryLost(FencedWriter<Connection> writer) {
        assertThatThrownBy(() -> writer.write(c -> {}))
                .asInstanceOf(InstanceOfAssertFactories.type(TokenSourceException.class))
                .returns(TokenSourceException.Problem.HISTORY_LOST, TokenSourceException::problem);
    }
}
