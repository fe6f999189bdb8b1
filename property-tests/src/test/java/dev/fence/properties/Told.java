package dev.fence.properties;

import org.jspecify.annotations.Nullable;

/**
 * What an event came to.
 *
 * @param text its line in the history
 * @param attempt the operation that ended, if one did
 */
record Told(String text, @Nullable Attempt attempt) {

    Told(String text) {
        this(text, null);
    }

    static Told of(String who, Attempt attempt) {
        return new Told(
                who + ": " + attempt.name() + " with token " + attempt.grant().token() + ": " + attempt.end(), attempt);
    }

    Told after(String words) {
        return new Told(words + text, attempt);
    }
}
