package dev.fence.examples.money;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code script/example money-movement} runs. */
class MoneyMovementIT {

    @Test
    @Timeout(value = 240, unit = TimeUnit.SECONDS)
    void everyInvoiceIsPaidOnceOrRefusedAlthoughANodeIsKilledAndRepliesAreLost() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        MoneyMovement.Verdict verdict = MoneyMovement.play(new PrintStream(said, true, StandardCharsets.UTF_8));
        assertThat(verdict.isRight())
                .as(() -> verdict + "\n" + said.toString(StandardCharsets.UTF_8))
                .isTrue();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("node one is killed", "the statement has invoice-", "nothing to do: slot ", "attempt 2");
    }
}
