package dev.fence.s3;

import dev.fence.WriteId;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a write id: {@code s3-1:<uuid>:<at|from>:<sequence>}, pinned by golden files.
 *
 * @param id the random id that the stamp carries
 * @param exact whether {@code sequence} is the one place where the write may have landed; otherwise it is the first of them
 * @param sequence a sequence of the slot
 */
record WriteIds(UUID id, boolean exact, long sequence) {

    private static final Pattern TEXT = Pattern.compile("s3-1:([0-9a-f-]{36}):(at|from):([1-9]\\d{0,17})");

    WriteId text() {
        return new WriteId("s3-1:" + id + ":" + (exact ? "at" : "from") + ":" + sequence);
    }

    static WriteIds parse(WriteId writeId) {
        Matcher matcher = TEXT.matcher(writeId.text());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("write id \"" + writeId
                    + "\" is not one of an object store: s3-1:<uuid>:<at or from>:<sequence> is permitted");
        }
        return new WriteIds(
                UUID.fromString(matcher.group(1)), matcher.group(2).equals("at"), Long.parseLong(matcher.group(3)));
    }

    /**
     * What the stamp says about the write. One that is known only to land from a sequence on was tried at that place first,
     * under a grant that had sealed before. It is refused once a newer holder has sealed at that place or above it, for then
     * its own holder can try no further place, and the stamp names every write from there up to that seal.
     */
    Landing landing(Stamp now) {
        Landing landing = Landing.of(now, id, sequence);
        if (exact || landing == Landing.APPLIED || landing == Landing.SUPERSEDED) {
            return landing;
        }
        boolean over =
                now.sealSequence() >= sequence && (sequence >= now.sealSequence() - 1 || Landing.lists(now, sequence));
        return over ? Landing.REFUSED : Landing.UNKNOWN;
    }
}
