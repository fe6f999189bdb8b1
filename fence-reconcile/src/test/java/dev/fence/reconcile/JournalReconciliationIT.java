package dev.fence.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.SessionTiming;
import dev.fence.StaleTokenException;
import dev.fence.effects.Answer;
import dev.fence.effects.ChannelTraits;
import dev.fence.effects.EffectDesk;
import dev.fence.effects.EffectKey;
import dev.fence.effects.EffectState;
import dev.fence.effects.Effects;
import dev.fence.effects.Outcome;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.VirtualTime;
import dev.fence.jdbc.JdbcFence;
import dev.fence.migrations.FenceMigrations;
import dev.fence.reconcile.Finding.Kind;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real journal against a statement: what is found, and what becomes of the effects in doubt. */
class JournalReconciliationIT {

    private final PostgresServer server = PostgresServer.shared();
    private final DataSource dataSource = server.dataSource(server.createDatabase());
    private final VirtualTime time = new VirtualTime();
    private final InMemoryLeaseService leases = new InMemoryLeaseService(
            "memory", time, new SessionTiming(Duration.ofSeconds(10), Duration.ofMillis(500), Duration.ZERO));
    private final EffectDesk desk = EffectDesk.on(dataSource);
    private final Scripted payouts =
            new Scripted(ChannelTraits.keyed("payout", Duration.ofHours(24), Duration.ofSeconds(1)));

    @TempDir
    Path folder;

    private Effects effects;
    private Lease lease;

    @BeforeEach
    void aJournalWithOneOfEachState() throws Exception {
        FenceMigrations.migrate(dataSource);
        effects = Effects.on(JdbcFence.on(dataSource));
        lease = holder();
        pay("done", new Answer.Done<>("ok", "tx-1", false));
        pay("done-too", new Answer.Done<>("ok", "tx-2", false));
        pay("unknown", new Answer.Unknown<>("time-out"));
        pay("unknown-still", new Answer.Unknown<>("time-out"));
        pay("refused", new Answer.Refused<>("no such account", false));
        pay("refused-and-paid", new Answer.Refused<>("no such account", false));
        Scripted unkeyed = new Scripted(ChannelTraits.atMostOnce("payout", Duration.ofSeconds(1)));
        unkeyed.next = new Answer.Unknown<>("time-out");
        effects.run(lease, unkeyed, "manual", "40.00 EUR");
    }

    private Lease holder() throws InterruptedException {
        Lease held = leases.connect().acquire("payouts", Duration.ofSeconds(1));
        effects.create(held);
        return held;
    }

    private void pay(String businessKey, Answer<String> answer) throws InterruptedException {
        payouts.next = answer;
        effects.run(lease, payouts, businessKey, "40.00 EUR");
    }

    private JournalBook journal() {
        return JournalBook.of(dataSource, payouts, request -> {
            String[] sum = request.split(" ", -1);
            return new JournalBook.Money(new BigDecimal(sum[0]), sum[1]);
        });
    }

    private CsvBook statement() throws Exception {
        StringBuilder csv = new StringBuilder("key,amount,currency,time,id\n");
        for (String paid : List.of("done", "unknown", "refused-and-paid", "manual", "somebody-else")) {
            csv.append(new EffectKey("payout", paid).text())
                    .append(paid.equals("done") ? ",40.01" : ",40")
                    .append(",EUR,2026-11-29T02:30:00Z,bank-")
                    .append(paid)
                    .append('\n');
        }
        Path file = folder.resolve("statement.csv");
        Files.writeString(file, csv);
        return CsvBook.of(file, CsvBookTest.LAYOUT);
    }

    private Settlement settlement(Map<Kind, List<String>> found) throws Exception {
        return Reconciliation.compare(journal(), statement(), MatchingRules.exact())
                .settlement(finding -> found.computeIfAbsent(finding.kind(), kind -> new ArrayList<>())
                        .add(finding.ours()
                                .or(finding::theirs)
                                .map(BookEntry::reference)
                                .orElseThrow()));
    }

    private EffectState state(String businessKey) throws SQLException {
        return desk.show(new EffectKey("payout", businessKey)).orElseThrow().state();
    }

    @Test
    void theJournalIsComparedByWhatEachStateClaims() throws Exception {
        Map<Kind, List<String>> found = new EnumMap<>(Kind.class);
        settlement(found);
        found.values().forEach(keys -> keys.sort(null));
        assertThat(found)
                .containsOnly(
                        Map.entry(Kind.DIFFERS, List.of("done")),
                        Map.entry(Kind.MATCHED, List.of("manual", "unknown")),
                        Map.entry(Kind.MISSING_AT_PROVIDER, List.of("done-too", "unknown-still")),
                        Map.entry(Kind.RIGHTLY_ABSENT, List.of("refused")),
                        Map.entry(Kind.CONTRADICTED, List.of("refused-and-paid")),
                        Map.entry(Kind.UNKNOWN_TO_JOURNAL, List.of("bank-somebody-else")));
    }

    @Test
    void aComparisonChangesNothingUntilItIsApplied() throws Exception {
        long steps = steps();
        Settlement settlement = settlement(new EnumMap<>(Kind.class));
        assertThat(steps()).isEqualTo(steps);

        Map<String, Outcome<String>> outcomes = settlement.apply(effects, lease, payouts, BookEntry::reference);
        assertThat(outcomes).containsOnlyKeys("unknown", "manual");
        assertThat(outcomes.get("unknown"))
                .isInstanceOfSatisfying(
                        Outcome.Done.class, done -> assertThat(done.reference()).isEqualTo("bank-unknown"));
        assertThat(outcomes.get("manual")).as("a person decides").isInstanceOf(Outcome.Manual.class);
        assertThat(state("unknown")).isEqualTo(EffectState.DONE);
        assertThat(state("manual")).isEqualTo(EffectState.MANUAL);
        assertThat(state("unknown-still")).isEqualTo(EffectState.UNKNOWN);
        assertThat(state("refused-and-paid")).isEqualTo(EffectState.REFUSED);
        assertThat(desk.history(new EffectKey("payout", "unknown")))
                .last()
                .satisfies(step -> assertThat(step.evidence()).isEqualTo("lookup"));

        long after = steps();
        settlement.apply(effects, lease, payouts, BookEntry::reference);
        assertThat(steps()).as("applied twice").isEqualTo(after);
    }

    @Test
    void aFormerHolderCannotApply() throws Exception {
        Settlement settlement = settlement(new EnumMap<>(Kind.class));
        Lease former = lease;
        time.advance(Duration.ofSeconds(11));
        payouts.next = new Answer.Done<>("ok", "tx-3", false);
        effects.run(holder(), payouts, "the successor's", "40.00 EUR");
        assertThatThrownBy(() -> settlement.apply(effects, former, payouts, BookEntry::reference))
                .isInstanceOfAny(StaleTokenException.class, LeaseLostException.class);
        assertThat(state("unknown")).isEqualTo(EffectState.UNKNOWN);
    }

    @Test
    void anEffectOfAnotherLeasesJournalStaysAsItIs() throws Exception {
        Settlement settlement = settlement(new EnumMap<>(Kind.class));
        Lease other = leases.connect().acquire("refunds", Duration.ofSeconds(1));
        effects.create(other);
        assertThat(settlement
                        .apply(effects, other, payouts, BookEntry::reference)
                        .get("unknown"))
                .isInstanceOf(Outcome.Unknown.class);
        assertThat(state("unknown")).isEqualTo(EffectState.UNKNOWN);
    }

    @Test
    void whatIsNotAJournalOfTheChannelIsNotApplied() throws Exception {
        Book strange = Book.of(
                "strange",
                true,
                () -> List.of(BookEntry.of("k", BigDecimal.ONE, "EUR", PlantedBooks.FROM)
                                .withReference("unknown")
                                .withClaim(Claim.MAY_HAVE_HAPPENED))
                        .iterator());
        Book statement = Book.of(
                "statement",
                true,
                () -> List.of(BookEntry.of("k", BigDecimal.ONE, "EUR", PlantedBooks.FROM))
                        .iterator());
        Settlement settlement = Reconciliation.compare(strange, statement, MatchingRules.exact())
                .settlement(finding -> {});
        assertThatThrownBy(() -> settlement.apply(effects, lease, payouts, BookEntry::reference))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JournalBook");
    }

    @Test
    void aMalformedStatementLeavesNothingToApply() throws Exception {
        CsvBook statement = statement();
        Path file = folder.resolve("statement.csv");
        Files.writeString(file, Files.readString(file) + "zzz,1,EUR,never,x\n");
        long steps = steps();
        assertThatThrownBy(() -> Reconciliation.compare(journal(), statement, MatchingRules.exact())
                        .settlement(finding -> {}))
                .isInstanceOf(MalformedBookException.class)
                .hasMessageContaining("line 7, field \"time\"");
        assertThat(steps()).isEqualTo(steps);
    }

    /** In one snapshot, by a cursor, read-only, and the connection comes back as it was. */
    @Test
    void aQueryIsReadInOneSnapshotThroughACursor() throws Exception {
        sql("CREATE TABLE line AS SELECT to_char(n, 'FM000000') AS key, n AS amount FROM generate_series(1, 10000) n");
        JdbcBook book = JdbcBook.of(
                "lines",
                dataSource,
                "SELECT key, amount FROM line ORDER BY key COLLATE \"C\"",
                true,
                row -> BookEntry.of(row.getString("key"), row.getBigDecimal("amount"), "EUR", PlantedBooks.FROM));
        String before;
        try (BookReader reader = book.open()) {
            before = reader.fingerprint();
            assertThat(reader.next()).isNotNull();
            sql("DELETE FROM line WHERE amount > 5000");
            reader.skip(9_998);
            assertThat(reader.next()).isNotNull().extracting(BookEntry::line).isEqualTo(10_000L);
            assertThat(reader.next()).isNull();
        }
        try (BookReader reader = book.open()) {
            assertThat(reader.fingerprint()).isNotEqualTo(before);
        }
        sql("UPDATE line SET amount = NULL WHERE key = '000007'");
        assertThatThrownBy(() -> Reconciliation.compare(book, book, MatchingRules.exact())
                        .run(finding -> {}))
                .isInstanceOf(MalformedBookException.class)
                .hasMessageContaining("book \"lines\", line 7");
    }

    private long steps() throws SQLException {
        try (Connection c = dataSource.getConnection();
                Statement statement = c.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM fence.effect_history")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void sql(String sql) throws SQLException {
        try (Connection c = dataSource.getConnection();
                Statement statement = c.createStatement()) {
            statement.execute(sql);
        }
    }
}
