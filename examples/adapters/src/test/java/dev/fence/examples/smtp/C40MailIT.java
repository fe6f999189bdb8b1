package dev.fence.examples.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import dev.fence.effects.BatchReport;
import dev.fence.effects.Decision;
import dev.fence.effects.EffectEntry;
import dev.fence.effects.EffectKey;
import dev.fence.effects.EffectState;
import dev.fence.effects.Effects;
import dev.fence.effects.Outcome;
import dev.fence.examples.Journal;
import dev.fence.examples.smtp.TestSmtpServer.Delivered;
import dev.fence.examples.smtp.TestSmtpServer.Fate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C40: mail sent again and again. The real conversation, with a server that breaks off in each of its phases. */
class C40MailIT {

    private static final Mail MAIL = new Mail("ann@example.org", "Welcome \u00fc", "Hello Ann\n.\nbye\n");
    private static final long SEED = 40;

    private final Journal journal = new Journal();
    private TestSmtpServer server;
    private SmtpChannel channel;

    @BeforeEach
    void start() throws Exception {
        server = new TestSmtpServer();
        channel = channel(Duration.ofSeconds(8)); // less than the journal's lease lasts
    }

    private SmtpChannel channel(Duration timeout) {
        return new SmtpChannel("127.0.0.1", server.port(), "shop@example.com", timeout);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private Outcome<String> send(Lease lease) throws InterruptedException {
        return journal.effects.run(lease, channel, "welcome/7", MAIL);
    }

    private static final EffectKey KEY = new EffectKey("mail", "welcome/7");

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REFUSE_THE_CONNECTION", "CUT_AFTER_RCPT", "CUT_IN_THE_BODY"})
    void whatBreaksOffBeforeTheFinalDotIsSentAgainAndDeliveredOnce(Fate fate) throws Exception {
        server.then(fate);
        Mail longer = new Mail(MAIL.to(), MAIL.subject(), "\u00fc".repeat(60_000)); // ten times the send buffer
        assertThat(journal.effects.run(journal.holder(), channel, "welcome/7", longer))
                .isInstanceOf(Outcome.Done.class);
        assertThat(server.connections).hasValue(2);
        assertThat(server.delivered).containsExactly(new Delivered(MAIL.to(), channel.messageId(KEY)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"CUT_AFTER_THE_FINAL_DOT", "SILENT_AFTER_THE_FINAL_DOT"})
    void whatBreaksOffAfterTheFinalDotIsForAPersonAndNotSentAgain(Fate fate) throws Exception {
        server.then(fate);
        if (fate == Fate.SILENT_AFTER_THE_FINAL_DOT) {
            channel = channel(Duration.ofSeconds(2));
        }
        assertThat(send(journal.holder())).isInstanceOf(Outcome.Manual.class);
        assertThat(send(journal.holder())).as("the next holder").isInstanceOf(Outcome.Manual.class);
        assertThat(server.delivered).hasSize(1);
        assertThat(journal.desk.list(Set.of(EffectState.MANUAL), 10))
                .extracting(EffectEntry::key)
                .containsExactly(KEY);
    }

    /** A mail that fits in the send buffer has left with its dot before the cut is seen: how much arrived, nobody knows. */
    @Test
    void aShortMailThatIsCutInTheBodyIsForAPersonToo() throws Exception {
        server.then(Fate.CUT_WITH_THE_BODY_UNREAD);
        assertThat(send(journal.holder())).isInstanceOf(Outcome.Manual.class);
        assertThat(server.delivered).isEmpty();
    }

    @Test
    void aCopyThatAPersonHasSentAgainHasTheSameMessageId() throws Exception {
        server.then(Fate.CUT_AFTER_THE_FINAL_DOT);
        send(journal.holder());
        EffectEntry entry = journal.desk.show(KEY).orElseThrow();
        journal.desk.resolve(entry, Decision.didNotHappen("alice", "Ann says that she has no mail"));
        assertThat(send(journal.holder())).isInstanceOf(Outcome.Done.class);
        assertThat(server.delivered)
                .containsExactly(
                        new Delivered(MAIL.to(), channel.messageId(KEY)),
                        new Delivered(MAIL.to(), channel.messageId(KEY)));
        assertThat(journal.desk.show(KEY).orElseThrow().attempts())
                .as("the counter survives holders and connections")
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"NO_SUCH_RECIPIENT", "MAILBOX_BUSY", "NO_DATA", "MESSAGE_REFUSED"})
    void anAnswerOf4xxOr5xxIsARefusalOfThisRecipientAlone(Fate fate) throws Exception {
        server.then(fate);
        Map<String, Mail> mails = new LinkedHashMap<>();
        mails.put("bob", new Mail("bob@example.org", "Hello", "Bob"));
        mails.put("ann", MAIL);
        BatchReport<String> report =
                journal.effects.runBatch(journal.holder(), channel, "news", mails, Effects.Progress.NONE);
        assertThat(report.outcomes().get("bob")).isInstanceOf(Outcome.Refused.class);
        assertThat(report.outcomes().get("ann")).isInstanceOf(Outcome.Done.class);
        assertThat(server.delivered).extracting(Delivered::to).containsExactly("ann@example.org");
    }

    /** The run is started again until nothing moves, on a server that does anything. */
    @Test
    void of200MailsNobodyGetsTwoAndEachIsDoneOrRefusedOrOnTheList() throws Exception {
        Random random = new Random(SEED);
        Map<String, Mail> mails = new TreeMap<>();
        Fate[] fates = Fate.values();
        for (int i = 0; i < 200; i++) {
            mails.put("mail-" + i, new Mail("user" + i + "@example.org", "News", "Hello"));
            Fate fate = random.nextInt(4) > 0 ? Fate.DELIVER : fates[random.nextInt(fates.length)];
            server.then(fate == Fate.SILENT_AFTER_THE_FINAL_DOT ? Fate.CUT_AFTER_THE_FINAL_DOT : fate); // in good time
        }
        BatchReport<String> report = null;
        for (int run = 0; run < 3; run++) {
            report = journal.effects.runBatch(journal.holder(), channel, "news", mails, Effects.Progress.NONE);
        }
        assertThat(report).isNotNull();
        assertThat(report.totals().planned() + report.totals().unknown()).isZero();
        assertThat(report.totals().manual()).as("seed " + SEED).isPositive();
        assertThat(server.delivered).extracting(Delivered::to).doesNotHaveDuplicates();
        List<String> got = server.delivered.stream().map(Delivered::to).toList();
        report.outcomes().forEach((item, outcome) -> {
            boolean delivered =
                    got.contains(Objects.requireNonNull(mails.get(item)).to());
            if (outcome instanceof Outcome.Done || outcome instanceof Outcome.Refused) {
                assertThat(delivered).as(item + " " + outcome).isEqualTo(outcome instanceof Outcome.Done);
            }
        });
        assertThat(report.totals().all()).isEqualTo(200);
    }
}
