package dev.fence.properties;

/** Bugs in the guard's functions, and what they must lead to. */
enum PlantedBug {
    NO_CHECK("check_v1", "BEGIN\n", "BEGIN\n  RETURN;\n", Invariant.NO_OLDER_WRITE_AFTER_A_SEAL),
    NO_LOCK("check_v1", "IF NOT pg_try", "IF false AND NOT pg_try", Invariant.NO_OLDER_WRITE_AFTER_A_SEAL),
    NO_HOLDER_IN_THE_CHECK(
            "check_v1",
            "g.holder = p_holder",
            "true",
            Invariant.NOTHING_IS_DONE_UNDER_A_GRANT_THE_GUARD_DOES_NOT_CARRY),
    A_CHECK_THAT_SEALS(
            "refuse_check",
            "PERFORM fence.refuse('ZF007'",
            "UPDATE fence.guard SET token = p_token WHERE resource = p_resource; RETURN; PERFORM fence.refuse('ZF007'",
            Invariant.NOTHING_BUT_A_SEAL_RAISES_THE_GUARD);

    final String function;
    final String piece;
    final String instead;
    final Invariant violates;

    PlantedBug(String function, String piece, String instead, Invariant violates) {
        this.function = function;
        this.piece = piece;
        this.instead = instead;
        this.violates = violates;
    }
}
