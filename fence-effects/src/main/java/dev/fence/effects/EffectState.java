package dev.fence.effects;

import java.util.Locale;

/** Where an effect stands in the journal. */
public enum EffectState {
    /** To be done; no call was made, or the calls made are known not to have taken effect. */
    PLANNED,
    /** A call was about to leave, or has left. What became of it is not written down. */
    SENT,
    /** It has happened. Final. */
    DONE,
    /** The provider refused for sure. Final. */
    REFUSED,
    /** A call was made and may have taken effect. */
    UNKNOWN,
    /** Known not to have taken effect; the next run plans it again under the same key. */
    NOT_EXECUTED,
    /** Only a person can decide. */
    MANUAL;

    String sql() {
        return name().toLowerCase(Locale.ROOT);
    }

    static EffectState ofSql(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
