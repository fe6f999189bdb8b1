package dev.fence.effects;

/** What to do with slots whose time went by while nobody ran them. */
public enum MissedSlots {
    /** None is run; all are on record as skipped. */
    SKIP,
    /** Only the latest is run; the others are on record as skipped. */
    RUN_LATEST,
    /** All are run, the earliest first. */
    RUN_ALL
}
