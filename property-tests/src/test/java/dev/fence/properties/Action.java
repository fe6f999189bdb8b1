package dev.fence.properties;

/**
 * What somebody does at a moment: an event whose choices are made.
 *
 * @param at virtual milliseconds since the beginning
 * @param actor the name of a process, or who else it is by the kind
 * @param argument one of the kind's, or empty if it has none
 */
record Action(long at, String actor, Kind kind, String argument) {

    @Override
    public String toString() {
        return kind.word() + (argument.isEmpty() ? "" : " " + argument);
    }
}
