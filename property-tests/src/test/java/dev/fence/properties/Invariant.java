package dev.fence.properties;

import dev.fence.Grant;
import dev.fence.properties.History.Step;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What must hold in every history. The numbers are those of the design's list of invariants. */
enum Invariant {
    /** 1 */
    THE_GUARD_NEVER_FALLS,
    /** 1 */
    NOTHING_BUT_A_SEAL_RAISES_THE_GUARD,
    /** 2 */
    NO_OLDER_WRITE_AFTER_A_SEAL,
    /** 3, and 6: the type says what to do */
    EVERY_END_IS_THE_EXPECTED_ONE,
    /** 4 */
    NOTHING_IS_DONE_UNDER_A_GRANT_THE_GUARD_DOES_NOT_CARRY,
    /** 5 */
    EACH_UPDATE_REPLACES_WHAT_WAS_READ,
    /** 5, and 6: done is done */
    NO_ACKNOWLEDGED_WRITE_IS_LOST,
    /** 6 */
    WHAT_IS_NOT_DONE_CHANGES_NOTHING;

    /** In words, or empty if it holds. */
    Optional<String> violationIn(History history) {
        return switch (this) {
            case THE_GUARD_NEVER_FALLS -> fallingGuard(history);
            case NOTHING_BUT_A_SEAL_RAISES_THE_GUARD -> raisedOtherwise(history);
            case NO_OLDER_WRITE_AFTER_A_SEAL -> olderWrite(history);
            case EVERY_END_IS_THE_EXPECTED_ONE -> unexpectedEnd(history);
            case NOTHING_IS_DONE_UNDER_A_GRANT_THE_GUARD_DOES_NOT_CARRY -> doneUnderAnotherGrant(history);
            case EACH_UPDATE_REPLACES_WHAT_WAS_READ -> brokenChain(history);
            case NO_ACKNOWLEDGED_WRITE_IS_LOST -> lostWrite(history);
            case WHAT_IS_NOT_DONE_CHANGES_NOTHING -> changeWithoutSuccess(history);
        };
    }

    private static Optional<String> fallingGuard(History history) {
        return first(history, step -> {
            Grant before = step.before().guard();
            Grant after = step.after().guard();
            boolean held = before == null || before.equals(after) || (after != null && raised(before, after));
            return held ? null : "the guard went from " + brief(before) + " to " + brief(after);
        });
    }

    private static boolean raised(Grant before, Grant after) {
        return after.source().equals(before.source())
                && after.leaseName().equals(before.leaseName())
                && after.token().isNewerThan(before.token());
    }

    private static Optional<String> raisedOtherwise(History history) {
        return first(history, step -> {
            Grant before = step.before().guard();
            Grant after = step.after().guard();
            if (after == null || after.equals(before)) {
                return null;
            }
            Attempt by = step.attempt();
            boolean permitted = by != null
                    && by.op() == (before == null ? Op.CREATE : Op.SEAL)
                    && by.grant().equals(after);
            return permitted
                    ? null
                    : "the guard became " + brief(after) + " by " + (by == null ? "no operation" : by.name());
        });
    }

    private static Optional<String> olderWrite(History history) {
        Grant newest = null;
        for (Step step : history.steps()) {
            for (long number : step.landed()) {
                Grant writer = history.writerOf(number);
                if (writer != null && newest != null && raised(writer, newest)) {
                    return violation(
                            step, "write #" + number + " took effect after the seal with token " + newest.token());
                }
            }
            Attempt attempt = step.attempt();
            if (attempt != null && attempt.op() == Op.SEAL && attempt.isDone()) {
                newest = newest == null || raised(newest, attempt.grant()) ? attempt.grant() : newest;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unexpectedEnd(History history) {
        return first(history, step -> {
            Attempt attempt = step.attempt();
            return attempt == null || attempt.expected().contains(attempt.verdict())
                    ? null
                    : attempt.name() + " ended " + attempt.verdict() + ", not " + attempt.expected() + ": "
                            + attempt.words();
        });
    }

    private static Optional<String> doneUnderAnotherGrant(History history) {
        return first(history, step -> {
            Grant guard = step.before().guard();
            for (long number : step.landed()) {
                Grant writer = history.writerOf(number);
                if (writer == null || !writer.equals(guard)) {
                    return "write #" + number + " took effect under " + brief(writer) + " while the guard carried "
                            + brief(guard);
                }
            }
            Attempt attempt = step.attempt();
            boolean foreign = attempt != null
                    && attempt.op() == Op.READ
                    && attempt.isDone()
                    && !attempt.grant().equals(guard);
            return foreign ? "a read was answered while the guard carried " + brief(guard) : null;
        });
    }

    private static Optional<String> brokenChain(History history) {
        return first(history, step -> {
            Attempt attempt = step.attempt();
            if (attempt == null || attempt.op() != Op.UPDATE || !step.landed().contains(attempt.number())) {
                return null;
            }
            long replaced = replacedBy(attempt, history, step.after().landed());
            return replaced == attempt.replaces()
                    ? null
                    : "update #" + attempt.number() + " was computed from #" + attempt.replaces() + " and replaced #"
                            + replaced + ", which is lost";
        });
    }

    /** Going back from the update, its own holder's writes are passed over: one holder's threads are its own business. */
    private static long replacedBy(Attempt update, History history, List<Long> landed) {
        for (int i = landed.indexOf(update.number()) - 1; i >= 0; i--) {
            long number = landed.get(i);
            if (number == update.replaces() || !update.grant().equals(history.writerOf(number))) {
                return number;
            }
        }
        return 0;
    }

    private static Optional<String> lostWrite(History history) {
        Set<Long> acknowledged = new HashSet<>();
        return first(history, step -> {
            Attempt attempt = step.attempt();
            if (attempt != null && attempt.isDone()) {
                if (attempt.op().writes()) {
                    acknowledged.add(attempt.number());
                } else if (attempt.op() == Op.READ
                        && attempt.value() != step.before().value()) {
                    return "a read returned #" + attempt.value() + ", not #"
                            + step.before().value();
                }
            }
            List<Long> landed = step.after().landed();
            return new HashSet<>(landed).containsAll(acknowledged)
                            && landed.size() == Set.copyOf(landed).size()
                    ? null
                    : "acknowledged were " + acknowledged + ", in effect are " + landed;
        });
    }

    private static Optional<String> changeWithoutSuccess(History history) {
        return first(history, step -> {
            Attempt attempt = step.attempt();
            List<Long> own = attempt != null && attempt.isDone() && attempt.op().writes()
                    ? List.of(attempt.number())
                    : List.of();
            boolean guardMayChange =
                    attempt != null && attempt.isDone() && (attempt.op() == Op.SEAL || attempt.op() == Op.CREATE);
            boolean mayHaveLanded = attempt != null
                    && attempt.verdict() == Verdict.UNKNOWN
                    && step.landed().equals(List.of(attempt.number()));
            if (!step.landed().equals(own) && !mayHaveLanded) {
                return "took effect: " + step.landed() + ", acknowledged: " + own;
            }
            return guardMayChange
                            || Objects.equals(
                                    step.before().guard(), step.after().guard())
                    ? null
                    : "the guard changed to " + brief(step.after().guard());
        });
    }

    /** Without the holder, which is another in each run. */
    private static String brief(@Nullable Grant grant) {
        return grant == null
                ? "nothing"
                : "token " + grant.token() + " of " + grant.source() + " for " + grant.leaseName();
    }

    private static Optional<String> first(History history, Function<Step, @Nullable String> judge) {
        for (Step step : history.steps()) {
            String words = judge.apply(step);
            if (words != null) {
                return violation(step, words);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> violation(Step step, String words) {
        return Optional.of("step " + step.number() + ": " + words);
    }
}
