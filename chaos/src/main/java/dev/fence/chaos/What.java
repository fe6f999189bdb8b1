package dev.fence.chaos;

/** What an {@link Event} says. */
enum What {
    /** A run begins; the detail has its settings. */
    RUN,
    /** A lease was asked for, about to be; the detail is the longest wait in milliseconds. */
    ASKED,
    /** It was granted, noted after the call returned. */
    GRANTED,
    /** It was not granted; the detail says why. */
    NOT_GRANTED,
    /** The lease said that it is not lost; the time is from before it was asked. */
    CLAIMED,
    /** The lease said that it is lost, noted after it was asked; the detail is the kind of loss. */
    LOST,
    /** The service confirmed the lease; the time is from before it was asked. */
    CONFIRMED,
    /** The lease was given back; the detail is the outcome. */
    RELEASED,
    /** The resource was sealed with the token, noted after the call returned. */
    SEALED,
    /** A write took effect, says the writer; the detail is its id. */
    APPLIED,
    /** A write changed nothing, says the writer; the detail is its id and why. */
    REFUSED,
    /** A write may have taken effect, says the writer; the detail is its id. */
    UNKNOWN,
    /** An error that no fault explains; the detail has it. */
    WRONG,
    /** {@code onElected} was called. */
    ELECTED,
    /** {@code onDemoted} was called; the detail is the reason. */
    DEMOTED,
    /** A row of the resource, read at the end, in the order of the chain; the detail is id, predecessor and write id. */
    ROW,
    /** A process of a worker started. */
    STARTED,
    /** A process of a worker was killed, noted after it was. */
    KILLED,
    /** A process of a worker ended by itself, as it was told to. */
    ENDED,
    /** A process of a worker did not end in time. */
    STUCK,
    /** A process of a worker was paused. */
    PAUSED,
    /** It goes on. */
    RESUMED,
    /** A fault begins. */
    FAULT,
    /** It is over. */
    HEALED
}
