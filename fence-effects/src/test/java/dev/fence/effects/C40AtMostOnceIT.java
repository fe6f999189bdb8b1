package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** C40, the journal's part: mail sent again and again. A mail server honours no keys and cannot be searched. */
class C40AtMostOnceIT {

    private final JournalDatabase db = new JournalDatabase();
    private final TestProvider mail = TestProvider.unkeyed().withoutBooks();

    private Outcome<String> send(Lease lease) throws InterruptedException {
        return db.effects.run(lease, mail, "welcome/7", TestProvider.payment("-"));
    }

    @Test
    void aConnectionLostBeforeTheEndOfDataIsTriedAgain() throws Exception {
        mail.then(key -> new Answer.NotExecuted<>("lost after RCPT"))
                .then(key -> new Answer.NotExecuted<>("lost in the body"));
        assertThat(send(db.holder())).isInstanceOf(Outcome.Done.class);
        assertThat(mail.timesPaid("welcome/7")).isEqualTo(1);
    }

    @Test
    void aConnectionLostAfterTheFinalDotIsForAPersonWhoseResendHasTheSameKey() throws Exception {
        mail.then(key -> {
            mail.pay(key);
            throw new IOException("lost after the final dot");
        });
        Lease lease = db.holder();
        assertThat(send(lease)).isInstanceOf(Outcome.Manual.class);
        assertThat(mail.timesPaid("welcome/7")).isEqualTo(1);

        db.desk.resolve(db.entry("welcome/7"), Decision.didNotHappen("alice", "the customer has no mail"));
        assertThat(send(lease)).isInstanceOf(Outcome.Done.class);
        assertThat(mail.calls).hasSize(2).containsOnly(new EffectKey(TestProvider.EFFECT, "welcome/7").text());
    }

    /** 200 mails and a holder that is killed in ten of the calls: nobody gets two, and the ten are on the list. */
    @Test
    void eachOf200MailsGoesOutAtMostOnceWhereverTheRunIsKilled() throws Exception {
        Map<String, TestProvider.Payment> mails = new LinkedHashMap<>();
        for (int i = 0; i < 200; i++) {
            mails.put("mail-" + i, TestProvider.payment("-"));
        }
        Random random = new Random(40);
        Set<String> kills = new HashSet<>();
        while (kills.size() < 10) {
            kills.add("welcome/mail-" + random.nextInt(200));
        }
        Effects effects = new Effects(
                db.fence::create,
                (lease, resource) ->
                        new KilledAfterTheCall(new PostgresJournal(db.fence.seal(lease, resource), "fence"), kills),
                "fence",
                Patience.REAL);
        BatchReport<String> report = null;
        for (int runs = 0; report == null; runs++) {
            assertThat(runs).isLessThanOrEqualTo(10);
            try {
                report = effects.runBatch(db.successor(), mail, "welcome", mails, Effects.Progress.NONE);
            } catch (KilledAfterTheCall.Killed e) {
                assertThat(report).isNull();
            }
        }
        assertThat(kills).isEmpty();
        assertThat(report.totals()).isEqualTo(new Totals(0, 190, 0, 0, 10));
        assertThat(mail.paid.values()).hasSize(200).allMatch(times -> times == 1);
    }
}
