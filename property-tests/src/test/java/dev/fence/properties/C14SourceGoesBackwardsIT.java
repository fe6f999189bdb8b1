package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.fence.Fence;
import dev.fence.Lease;
import dev.fence.Leases;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.etcd.TokenFloor;
import dev.fence.fixtures.EtcdServer;
import dev.fence.fixtures.PostgresServer;
import dev.fence.jdbc.JdbcFence;
import dev.fence.migrations.FenceMigrations;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C14: a real etcd is restored from an older snapshot while a real PostgreSQL remembers what came after it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class C14SourceGoesBackwardsIT {

    private static final String NAME = "payouts";
    private static final String RESOURCE = "ledger/EU";
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Fence<Connection> ledger = JdbcFence.on(database());

    private static DataSource database() {
        PostgresServer server = PostgresServer.shared();
        DataSource dataSource = server.dataSource(server.createDatabase());
        FenceMigrations.migrate(dataSource);
        return dataSource;
    }

    private static void runOn(Leases leases, int acquisitions) throws InterruptedException {
        for (int i = 0; i < acquisitions; i++) {
            leases.acquire("other work", LONG).close();
        }
    }

    @Test
    void thePresentHolderIsToldAndARaiseLetsItWorkAndKeepsEveryOlderOneOut() throws Exception {
        try (EtcdServer etcd = EtcdServer.startNative();
                EtcdLeases before = EtcdLeases.open(EtcdSettings.of(etcd.endpoint()))) {
            try (Lease first = before.acquire(NAME, LONG)) {
                ledger.create(first, RESOURCE);
            }
            Path snapshot = etcd.snapshot();
            runOn(before, 20);
            Lease sealed = before.acquire(NAME, LONG);
            ledger.seal(sealed, RESOURCE).write(c -> {});
            sealed.close();
            runOn(before, 100);
            // Issued and stopped before its seal, higher than any guard knows, and by more than etcd will count again.
            PausableLease neverSealed = new PausableLease(before.acquire(NAME, LONG));
            neverSealed.checkNow();

            etcd.restore(snapshot);

            try (EtcdLeases after = EtcdLeases.open(EtcdSettings.of(etcd.endpoint()))) {
                Lease present = after.acquire(NAME, LONG);
                assertThat(sealed.token().isNewerThan(present.token())).isTrue();
                assertThatThrownBy(() -> ledger.seal(present, RESOURCE))
                        .asInstanceOf(type(TokenSourceException.class))
                        .extracting(TokenSourceException::problem)
                        .isEqualTo(TokenSourceException.Problem.SOURCE_WENT_BACKWARDS);
                assertThatThrownBy(() -> ledger.seal(present, RESOURCE))
                        .hasMessageContaining(" " + present.token() + " ")
                        .hasMessageContaining(" " + sealed.token() + " ");
                present.close();

                TokenFloor read = after.tokenFloor();
                assertThat(after.raiseTokenFloor(read, sealed.token())).isTrue();
                assertThat(after.raiseTokenFloor(read, neverSealed.token())).isFalse();

                Lease lifted = after.acquire(NAME, LONG);
                assertThat(lifted.token().value()).isGreaterThan(sealed.token().value() + TokenFloor.STEP);
                ledger.seal(lifted, RESOURCE).write(c -> {});
                assertThatThrownBy(() -> ledger.attach(sealed.grant(), RESOURCE).write(c -> {}))
                        .isInstanceOf(StaleTokenException.class);
                assertThatThrownBy(() -> ledger.seal(neverSealed, RESOURCE)).isInstanceOf(StaleTokenException.class);
                ledger.seal(lifted, RESOURCE).write(c -> {});
            }
        }
    }

    @Test
    void aRestoreThatBumpsTheRevisionFarEnoughNeedsNoRaiseAndKeepsEveryOlderOneOut() throws Exception {
        try (EtcdServer etcd = EtcdServer.startNative();
                EtcdLeases before = EtcdLeases.open(EtcdSettings.of(etcd.endpoint()))) {
            try (Lease first = before.acquire(NAME, LONG)) {
                ledger.create(first, RESOURCE);
            }
            Path snapshot = etcd.snapshot();
            runOn(before, 20);
            Lease sealed = before.acquire(NAME, LONG);
            ledger.seal(sealed, RESOURCE).write(c -> {});
            sealed.close();
            PausableLease neverSealed = new PausableLease(before.acquire(NAME, LONG));
            neverSealed.checkNow();

            etcd.restoreBumped(snapshot, 1_000);

            try (EtcdLeases after = EtcdLeases.open(EtcdSettings.of(etcd.endpoint()));
                    Lease present = after.acquire(NAME, LONG)) {
                assertThat(present.token().isNewerThan(neverSealed.token())).isTrue();
                ledger.seal(present, RESOURCE).write(c -> {});
                assertThatThrownBy(() -> ledger.attach(sealed.grant(), RESOURCE).write(c -> {}))
                        .isInstanceOf(StaleTokenException.class);
                assertThatThrownBy(() -> ledger.seal(neverSealed, RESOURCE)).isInstanceOf(StaleTokenException.class);
                ledger.seal(present, RESOURCE).write(c -> {});
            }
        }
    }

    @Test
    void aBumpThatFallsShortIsNoticedLikeNoneAndRaisedLikeNone() throws Exception {
        try (EtcdServer etcd = EtcdServer.startNative();
                EtcdLeases before = EtcdLeases.open(EtcdSettings.of(etcd.endpoint()))) {
            try (Lease first = before.acquire(NAME, LONG)) {
                ledger.create(first, RESOURCE);
            }
            Path snapshot = etcd.snapshot();
            runOn(before, 100);
            Lease sealed = before.acquire(NAME, LONG);
            ledger.seal(sealed, RESOURCE).write(c -> {});
            sealed.close();

            etcd.restoreBumped(snapshot, 10);

            try (EtcdLeases after = EtcdLeases.open(EtcdSettings.of(etcd.endpoint()))) {
                Lease present = after.acquire(NAME, LONG);
                assertThatThrownBy(() -> ledger.seal(present, RESOURCE))
                        .asInstanceOf(type(TokenSourceException.class))
                        .extracting(TokenSourceException::problem)
                        .isEqualTo(TokenSourceException.Problem.SOURCE_WENT_BACKWARDS);
                present.close();
                assertThat(after.raiseTokenFloor(after.tokenFloor(), sealed.token()))
                        .isTrue();
                try (Lease lifted = after.acquire(NAME, LONG)) {
                    ledger.seal(lifted, RESOURCE).write(c -> {});
                }
                assertThatThrownBy(() -> ledger.attach(sealed.grant(), RESOURCE).write(c -> {}))
                        .isInstanceOf(StaleTokenException.class);
            }
        }
    }
}
