package dev.fence.examples.money;

import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.effects.Effects;
import dev.fence.effects.Outcome;
import dev.fence.effects.Slot;
import dev.fence.examples.http.HttpGateway;
import dev.fence.examples.http.Payment;
import dev.fence.examples.money.Invoices.Invoice;
import dev.fence.jdbc.JdbcFence;
import dev.fence.reconcile.BookEntry;
import dev.fence.reconcile.CsvBook;
import dev.fence.reconcile.CsvLayout;
import dev.fence.reconcile.JournalBook;
import dev.fence.reconcile.MatchingRules;
import dev.fence.reconcile.Reconciliation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The nightly job: pay what is due, then compare with the bank's statement, and book the result. */
final class Settlement {

    static final String LEDGER = "ledger";
    private static final CsvLayout STATEMENT =
            CsvLayout.of("end_to_end_id", "amount", "currency", "booked_at").withReference("transaction_id");

    private final DataSource dataSource;
    private final Lease lease;
    private final Effects effects;
    private final FencedWriter<Connection> ledger;
    private final HttpGateway gateway;
    private final URI bank;

    Settlement(DataSource dataSource, JdbcFence fence, Lease lease, URI bank) {
        this.dataSource = dataSource;
        this.lease = lease;
        this.bank = bank;
        effects = Effects.on(fence);
        ledger = fence.seal(lease, LEDGER); // whoever settled before is out from here on
        gateway = gateway(bank);
    }

    static HttpGateway gateway(URI bank) {
        return new HttpGateway(bank, Duration.ofHours(24), Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    void run(Slot slot) throws SQLException, IOException, InterruptedException {
        // Ordered in the ledger and planned in the journal: both or neither.
        ledger.write(c -> {
            for (Invoice invoice : Invoices.in(c, "open", slot.scheduledAt())) {
                effects.plan(c, lease.name(), gateway, invoice.id(), invoice.payment());
                Invoices.move(c, invoice.id(), "ordered", "");
            }
        });
        List<Invoice> ordered = ledger.call(c -> Invoices.in(c, "ordered", slot.scheduledAt()));
        for (Invoice invoice : ordered) {
            book(invoice.id(), effects.run(lease, gateway, invoice.id(), invoice.payment()));
        }
        reconcile();
    }

    private void book(String invoice, Outcome<String> outcome) throws SQLException {
        if (outcome instanceof Outcome.Done<String> done) {
            ledger.write(c -> Invoices.move(c, invoice, "paid", done.reference()));
            System.out.println(invoice + " is paid: " + done.reference());
        } else if (outcome instanceof Outcome.Refused<String> refused) {
            ledger.write(c -> Invoices.move(c, invoice, "refused", refused.reason()));
            System.out.println(invoice + " was refused: " + refused.reason());
        } else {
            System.out.println(invoice + " stays ordered: " + outcome); // it may have been paid: not to be paid anew
        }
    }

    /** What had no answer is in the statement, if it happened. */
    private void reconcile() throws IOException, InterruptedException, SQLException {
        Path statement = Files.createTempFile("statement-", ".csv");
        try {
            HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(bank.resolve("/statement"))
                                    .timeout(Duration.ofSeconds(10))
                                    .build(),
                            BodyHandlers.ofFile(statement));
            Map<String, Outcome<String>> closed = reconciliation(dataSource, gateway, statement)
                    .settlement(finding -> {
                        if (finding.kind().isDifference()) {
                            System.out.println("difference: " + finding);
                        }
                    })
                    .apply(effects, lease, gateway, BookEntry::reference);
            for (Map.Entry<String, Outcome<String>> found : closed.entrySet()) {
                System.out.println("the statement has " + found.getKey());
                book(found.getKey(), found.getValue());
            }
        } finally {
            Files.deleteIfExists(statement);
        }
    }

    static Reconciliation reconciliation(DataSource dataSource, HttpGateway gateway, Path statement) {
        return Reconciliation.compare(
                JournalBook.of(dataSource, gateway, Settlement::money),
                CsvBook.of(statement, STATEMENT),
                MatchingRules.exact());
    }

    private static JournalBook.Money money(Payment payment) {
        return new JournalBook.Money(payment.amount(), payment.currency());
    }
}
