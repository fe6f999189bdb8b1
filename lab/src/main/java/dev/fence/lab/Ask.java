package dev.fence.lab;

import dev.fence.lab.Answer.Verdict;

/**
 * A request to one server of the lock service.
 *
 * @param sentAt what a lease's validity counts from
 */
record Ask(What what, Acquisition by, int server, long sentAt) implements Message {

    /** What is asked for. */
    enum What {
        ACQUIRE("acquire"),
        /** Who is before me? Only a queue answers it. */
        LOOK("look"),
        RENEW("renewal"),
        CONFIRM("confirmation"),
        /** Gives back what was granted, or gives up what was not. */
        RELEASE("release");

        private final String words;

        What(String words) {
            this.words = words;
        }
    }

    Answer answer(boolean yes) {
        return new Answer(this, yes ? Verdict.YES : Verdict.NO, 0, null);
    }

    @Override
    public String toString() {
        return what.words + " of " + by;
    }
}
