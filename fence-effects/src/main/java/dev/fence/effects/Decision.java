package dev.fence.effects;

import dev.fence.spi.Checks;

/**
 * What a person says about an effect that nobody else can decide.
 *
 * @param operator who says it: 1 to 255 UTF-8 bytes
 * @param reason why: 1 to 4096 characters
 * @param happened whether the effect has taken place
 * @param reference the proof, if it happened: such as the provider's own number, or where it is on record; else empty
 */
public record Decision(String operator, String reason, boolean happened, String reference) {

    private static final int MAX_REASON = 4096;

    /** @throws IllegalArgumentException if one of them is missing or too long */
    public Decision {
        Checks.name("operator", operator);
        if (operator.isBlank() || reason.isBlank() || reason.length() > MAX_REASON || reason.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a decision needs the operator's name and a reason of 1 to " + MAX_REASON
                    + " characters without U+0000; given: \"" + operator + "\", \"" + reason + "\"");
        }
        Checks.label("reference", reference);
        if (happened == reference.isBlank()) {
            throw new IllegalArgumentException("reference \"" + reference + "\": needed if it happened, and only then");
        }
    }

    /** It has taken place. */
    public static Decision happened(String operator, String reason, String reference) {
        return new Decision(operator, reason, true, reference);
    }

    /** It has not, and will not by any call made so far: the next run calls again, with the same key. */
    public static Decision didNotHappen(String operator, String reason) {
        return new Decision(operator, reason, false, "");
    }
}
