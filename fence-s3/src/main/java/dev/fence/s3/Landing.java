package dev.fence.s3;

import dev.fence.WriteOutcome;
import java.util.UUID;

/**
 * What a stamp says about a write that was sent to land at a given sequence. A slot's stamps form one chain, each conditional
 * on the tag of the one before, so exactly one write lands at each sequence, and one that finds its place taken never lands.
 */
enum Landing {
    /** It landed, and its holder has not been superseded. */
    APPLIED,
    /** It landed, and then a newer holder sealed; that holder may have built on it. */
    SUPERSEDED,
    /** Another write took its place. */
    REFUSED,
    /** Its place is free: it has not landed, but one that is still on its way may. */
    OPEN,
    /** The stamp does not reach back far enough, or lies before the place that the write was built on. */
    UNKNOWN;

    static Landing of(Stamp now, UUID writeId, long sequence) {
        if (now.writeId().equals(writeId)) {
            return APPLIED;
        }
        int at = now.earlier().indexOf(writeId);
        if (at >= 0) {
            return now.sequence() - 1 - at < now.sealSequence() ? SUPERSEDED : APPLIED;
        }
        if (writeId.equals(now.replaced())) {
            return SUPERSEDED;
        }
        if (now.sequence() == sequence - 1) {
            return OPEN;
        }
        return reaches(now, sequence) ? REFUSED : UNKNOWN;
    }

    /** Whether the stamp tells who landed at {@code sequence}: listed, the last seal, or what that seal replaced. */
    private static boolean reaches(Stamp now, long sequence) {
        return lists(now, sequence) || sequence == now.sealSequence() || sequence == now.sealSequence() - 1;
    }

    /** Whether the stamp lists every write from {@code sequence} on. */
    static boolean lists(Stamp now, long sequence) {
        return sequence <= now.sequence()
                && sequence >= now.sequence() - now.earlier().size();
    }

    WriteOutcome outcome() {
        return switch (this) {
            case APPLIED -> WriteOutcome.APPLIED;
            case SUPERSEDED -> WriteOutcome.APPLIED_THEN_SUPERSEDED;
            case REFUSED -> WriteOutcome.REFUSED;
            case OPEN, UNKNOWN -> WriteOutcome.UNKNOWN;
        };
    }
}
