package dev.fence.lab;

import org.jspecify.annotations.Nullable;

/**
 * The words for what comes of asking a lock service.
 *
 * @param servers how many it has; of a single one nothing is said
 */
record Telling(int servers) {

    /** What came of asking for the lock. */
    String outcome(Actor actor) {
        @Nullable Acquisition behind = actor.behind;
        if (actor.granted) {
            int yes = actor.count(Answer.Verdict.YES);
            return actor.name() + " acquires the lock, "
                    + (yes == servers ? "" : yes + " of " + servers + " servers, ")
                    + "token " + actor.lease().token();
        }
        if (behind != null) {
            return actor.name() + " waits behind " + behind.name();
        }
        return actor.name() + (actor.acquisition == null ? " does not get the lock" : " has no answer yet");
    }

    /** What became of a request on its way. */
    String trouble(Kind how, int from) {
        return switch (how) {
                    case LATE -> "the request is late";
                    case LATE_REPLY -> "the answer is late";
                    case LOSE_REQUEST -> "the request does not arrive";
                    case LOSE_REPLY -> "the answer is lost";
                    default -> "the request is on its way once more";
                }
                + at(from);
    }

    /** Which servers a fault hits: that one and all after it. */
    String at(int from) {
        if (servers == 1) {
            return "";
        }
        return from == 0 ? " at all servers" : " at servers " + from + " to " + (servers - 1);
    }

    String at(Ask ask) {
        return servers == 1 ? "" : " at server " + ask.server();
    }
}
