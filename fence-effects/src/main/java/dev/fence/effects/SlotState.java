package dev.fence.effects;

import java.util.Locale;

/** Where a slot stands. */
public enum SlotState {
    /** Somebody runs it; or ran it until the lease was lost, and then the next holder starts it again. */
    RUNNING,
    /** Its work returned. It never runs again. */
    DONE,
    /** Its work threw. It runs again if somebody says so. */
    FAILED,
    /** It was not run, and that was a choice. It runs if somebody says so. */
    SKIPPED;

    String sql() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SlotState ofSql(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
