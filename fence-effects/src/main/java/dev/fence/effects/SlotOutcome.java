package dev.fence.effects;

/** What became of the wish to run a slot. What the work throws comes out as it is. */
public sealed interface SlotOutcome {

    /** The slot, or what was in its way. */
    Slot slot();

    /** It ran here, to its end. */
    record Ran(Slot slot) implements SlotOutcome {}

    /** It was run, has failed, was skipped, or is running under this lease already; nothing was done. */
    record NotAgain(Slot slot) implements SlotOutcome {}

    /**
     * It was skipped, and is on record as such.
     *
     * @param slot as it was written down; its detail says why
     */
    record Skipped(Slot slot) implements SlotOutcome {}
}
