package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.ReleaseOutcome;
import dev.fence.SessionTiming;
import dev.fence.StaleTokenException;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.VirtualTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C30: several resources at once, of one lease and of several. {@link TransfersIT} races it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C30SeveralResourcesIT {

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String name = Ledger.name();
    private final String one = name + "/1";
    private final String two = name + "/2";

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = ledger.fence();
    }

    @Test
    void oneLeaseWritesToSeveralResourcesAndEachOfThemIsSealed() throws SQLException {
        Lease lease = created(one, two);
        Lease next = ledger.lease(name);
        JdbcWriter writer = fence.seal(next, Set.of(two, one));
        writer.write(c -> Ledger.insert(c, name));
        assertThat(ledger.count(name)).isEqualTo(1);
        assertThat(writer.resources()).containsExactly(one, two);
        assertThat(writer.resource()).isEqualTo(one);
        for (String resource : writer.resources()) {
            assertThatThrownBy(() -> fence.attach(lease.grant(), resource).write(c -> {}))
                    .isInstanceOf(StaleTokenException.class);
            assertThat(ledger.events).contains("sealed " + next.token() + " " + resource);
        }
    }

    @Test
    void aSetWithOneStaleResourceIsRefusedAsAWholeAndNamesIt() throws SQLException {
        Lease lease = created(one, two);
        JdbcWriter writer = fence.seal(lease, Set.of(one, two));
        Lease next = ledger.lease(name);
        fence.seal(next, two);
        StaleTokenException refusal =
                catchThrowableOfType(StaleTokenException.class, () -> writer.write(c -> Ledger.insert(c, name)));
        assertThat(refusal.resource()).isEqualTo(two);
        assertThat(refusal.newest()).isEqualTo(next.grant());
        assertThat(ledger.count(name)).isZero();
        assertThat(ledger.events)
                .contains("refused " + lease.token() + " " + two + " StaleTokenException")
                .doesNotContain("refused " + lease.token() + " " + one + " StaleTokenException");
    }

    @Test
    void aSealThatIsRefusedForOneResourceRaisesNone() throws SQLException {
        Lease first = created(one, two);
        Lease lease = ledger.lease(name);
        fence.seal(ledger.lease(name), two);
        StaleTokenException refusal =
                catchThrowableOfType(StaleTokenException.class, () -> fence.seal(lease, Set.of(one, two)));
        assertThat(refusal.resource()).isEqualTo(two);
        assertThat(ledger.ask("SELECT token FROM fence.guard WHERE resource = '" + one + "'"))
                .isEqualTo(first.token().toString());
    }

    @Test
    void aTransferUnderTwoLeasesIsRefusedIfOneOfThemIsStale() throws SQLException {
        JdbcWriter from = sealed(one);
        JdbcWriter to = sealed(two);
        fence.together(from, to).write(c -> Ledger.insert(c, name));
        fence.seal(ledger.lease(two), two);
        StaleTokenException refusal = catchThrowableOfType(
                StaleTokenException.class, () -> fence.together(from, to).write(c -> Ledger.insert(c, name)));
        assertThat(refusal.resource()).isEqualTo(two);
        assertThat(refusal.refused()).isEqualTo(to.grant());
        assertThat(ledger.count(name)).isEqualTo(1);
        from.write(c -> Ledger.insert(c, name));
    }

    /** A name may go on like the message about another one. */
    @Test
    void theRefusedResourceIsToldFromOneWithASimilarName() {
        String similar = one + "\": a newer holder has sealed";
        Lease lease = created(one, similar);
        JdbcWriter writer = fence.seal(lease, Set.of(one, similar));
        Lease next = ledger.lease(name);
        fence.seal(next, similar);
        assertThatThrownBy(() -> writer.write(c -> {}))
                .isInstanceOfSatisfying(
                        StaleTokenException.class, e -> assertThat(e.resource()).isEqualTo(similar));
    }

    @Test
    void aMissingGuardIsNamed() {
        Lease lease = created(one);
        assertThatThrownBy(() -> fence.seal(lease, Set.of(one, two)))
                .isInstanceOfSatisfying(
                        GuardMissingException.class,
                        e -> assertThat(e.resource()).isEqualTo(two));
    }

    @Test
    void oneLostLeaseIsTheLossOfTheSetAndNothingIsSent() {
        Lease good = created(one);
        JdbcWriter from = fence.seal(good, one);
        Lease lease = ledger.lease(two);
        fence.create(lease, two);
        JdbcWriter both = fence.together(from, fence.seal(lease, two));
        lease.close();
        assertThatThrownBy(() -> both.write(c -> {}))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining(two);
        from.write(c -> {});
        assertThat(good.release()).as("nothing is in flight").isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void everyLeaseWaitsForTheWork() {
        InMemoryLeaseService service =
                new InMemoryLeaseService("grace", new VirtualTime(), SessionTiming.ofTtl(Duration.ofSeconds(30)));
        LeaseSettings impatient = LeaseSettings.DEFAULTS.withGrace(Duration.ofMillis(1));
        JdbcWriter[] writers = new JdbcWriter[2];
        Lease[] leases = new Lease[2];
        String[] resources = {one, two};
        for (int i = 0; i < 2; i++) {
            leases[i] = service.connect().tryAcquire(resources[i], impatient).orElseThrow();
            fence.create(leases[i], resources[i]);
            writers[i] = fence.seal(leases[i], resources[i]);
        }
        fence.together(writers).write(c -> {
            assertThat(leases[0].release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
            assertThat(leases[1].release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
        });
    }

    @Test
    void theLeaseThatEndsFirstLimitsTheTransaction() throws SQLException {
        InMemoryLeaseService hasty =
                new InMemoryLeaseService("hasty", new VirtualTime(), SessionTiming.ofTtl(Duration.ofSeconds(6)));
        Lease lease = hasty.connect().tryAcquire(two, LeaseSettings.DEFAULTS).orElseThrow();
        fence.create(lease, two);
        JdbcWriter both = fence.together(sealed(one), fence.seal(lease, two));
        String limit = both.call(c -> Ledger.ask(
                c,
                "SELECT extract(epoch FROM current_setting('idle_in_transaction_session_timeout')::interval) * 1000"));
        assertThat(Double.valueOf(limit)).isEqualTo(lease.remaining().toMillis() / 3.0, within());
    }

    @Test
    void duplicatesAreHarmless() throws SQLException {
        Lease lease = created(one, two);
        JdbcWriter set = fence.seal(lease, Set.of(one, two));
        JdbcWriter handedOver = fence.attach(lease.grant(), one);
        JdbcWriter all = fence.together(set, handedOver, set, fence.seal(lease, two));
        all.write(c -> Ledger.insert(c, name));
        assertThat(all.resources()).containsExactly(one, two);
        assertThat(ledger.count(name)).isEqualTo(1);
    }

    /** A writer with a lease and one with its grant are one writer, which asks the lease. */
    @Test
    void aLeaseIsAskedThoughItsGrantIsThereToo() {
        Lease lease = created(one);
        JdbcWriter own = fence.seal(lease, one);
        JdbcWriter handedOver = fence.attach(lease.grant(), one);
        lease.close();
        for (JdbcWriter both : new JdbcWriter[] {fence.together(own, handedOver), fence.together(handedOver, own)}) {
            assertThatThrownBy(() -> both.write(c -> {})).isInstanceOf(LeaseLostException.class);
        }
    }

    @Test
    void whatCannotBeOneTransactionIsRefusedBeforeAnythingIsSent() {
        Lease lease = created(one);
        JdbcWriter writer = fence.seal(lease, one);
        assertThatThrownBy(() -> fence.seal(lease, Set.of()))
                .hasMessageContaining("0 resources")
                .hasMessageContaining("1 to 1000");
        assertThatThrownBy(() -> fence.together()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.seal(lease, names(1001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1001 resources");
        assertThatThrownBy(() -> fence.together(writer, ledger.fence().seal(lease, one)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another fence");
        Lease next = ledger.lease(name);
        assertThatThrownBy(() -> fence.together(writer, fence.attach(next.grant(), one)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(one)
                .hasMessageContaining("at most one");
    }

    @Test
    void aThousandResourcesAreOneWrite() throws SQLException {
        Lease lease = ledger.lease(name);
        ledger.run("SELECT fence.create_v1('" + name + "/' || i, 'test', '" + name + "', " + lease.token() + ", '"
                + lease.grant().holder() + "', '', 1000, fence.timeline_v1()) FROM generate_series(1, 1000) i");
        fence.seal(lease, names(1000)).write(c -> Ledger.insert(c, name));
        assertThat(ledger.count(name)).isEqualTo(1);
    }

    /** Names sort otherwise than the keys that are locked; whoever waits holds the lower keys and never a higher one. */
    @Test
    void locksAreTakenInTheOrderOfTheirKeys() throws Exception {
        String lowKey = aHigherNameWithALowerKey();
        Lease lease = created(one, lowKey);
        JdbcFence patient = JdbcFence.on(
                ledger.dataSource, // as long as this test looks at what waits
                ledger.settings.withCheckWait(Duration.ofSeconds(30)).withSealWait(Duration.ofSeconds(30)));
        JdbcWriter writer = patient.seal(lease, Set.of(one, lowKey));
        Lease next = ledger.lease(name);

        assertWaitsWithTheLowKey(lowKey, "ShareLock", () -> writer.write(c -> {}));
        assertWaitsWithTheLowKey(lowKey, "ExclusiveLock", () -> patient.seal(next, Set.of(one, lowKey)));
    }

    private String aHigherNameWithALowerKey() throws SQLException {
        String keyOf = "SELECT fence.lock_key('" + name + "/' || %s)";
        int low = 2;
        while (Long.parseLong(ledger.ask(keyOf.formatted(low))) >= Long.parseLong(ledger.ask(keyOf.formatted(1)))) {
            low++;
        }
        return name + "/" + low;
    }

    private void assertWaitsWithTheLowKey(String lowKey, String mode, ThrowingCallable change) throws Exception {
        try (Connection sealer = ledger.dataSource.getConnection()) {
            sealer.setAutoCommit(false);
            Ledger.ask(sealer, "SELECT pg_advisory_xact_lock(fence.lock_key('" + one + "'))");
            FutureTask<Boolean> changed = new FutureTask<>(() -> {
                try {
                    change.call();
                    return true;
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            });
            new Thread(changed, "changer").start();
            Await.until(() -> ledger.ask(locks(one, mode, false)).equals("1"));
            assertThat(ledger.ask(locks(lowKey, mode, true))).isEqualTo("1");
            sealer.rollback();
            changed.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void theKeyOfTheOrderIsTheKeyOfTheLock() throws SQLException {
        assertThat(ledger.ask("SELECT bool_and(fence.lock_key(resource) = " + GuardFunctions.LOCK_KEY
                        + ") FROM (VALUES ('a'), ('ledger/EU'), ('ü')) AS each (resource)"))
                .isEqualTo("t");
    }

    private Lease created(String... resources) {
        Lease lease = ledger.lease(name);
        for (String resource : resources) {
            fence.create(lease, resource);
        }
        return lease;
    }

    private static JdbcWriter sealed(String resource) {
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        return fence.seal(lease, resource);
    }

    private Set<String> names(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> name + "/" + i).collect(Collectors.toSet());
    }

    private static String locks(String resource, String mode, boolean granted) {
        return "SELECT count(*) FROM pg_locks, fence.lock_key('" + resource + "') key WHERE locktype = 'advisory'"
                + " AND objsubid = 1 AND classid::bigint << 32 | objid::bigint = key AND mode = '" + mode
                + "' AND granted = " + granted;
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.data.Offset.offset(1.0);
    }
}
