package dev.fence.lab;

/** The rules of our protocol. Each can be dropped: the planted bugs that the lab must find. */
enum Rule {
    A_WRITE_CHECKS_THE_GUARD,
    THE_HOLDER_IS_COMPARED,
    A_SEAL_RAISES_BEFORE_THE_FIRST_READ,
    A_SEAL_REFUSES_A_LOWER_TOKEN,
    CHECK_AND_CHANGE_ARE_ONE_STEP,
    THE_TIMELINE_IS_COMPARED,
    A_CONFIRMATION_NAMES_THE_TIMELINE,
    A_RELEASE_IS_BY_HOLDER,
    EVERY_SEAL_CHANGES_THE_TAG,
    EVERY_WRITE_CHANGES_THE_TAG
}
