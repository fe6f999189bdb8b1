package dev.fence.s3;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.UnsupportedStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Carries one conditional write to a certain outcome, if there is one to be had in time.
 *
 * <p><b>Sending.</b> A write replaces exactly the bytes that it was built on ({@code If-Match} on their tag), or nothing at all
 * ({@code If-None-Match}). Every stored stamp has a write id of its own, so no tag ever comes back, and of all writes built on
 * one tag at most one lands. Hence sending the very same bytes under the same condition again is always safe: once they have
 * landed, their own condition no longer holds.
 *
 * <p><b>Looking.</b> After anything but 2xx and a plain refusal the slot is read, and {@link Landing} tells from its stamp
 * what became of the write.
 *
 * <table>
 *   <caption>From the look to the result</caption>
 *   <tr><th>the slot<th>no attempt was ambiguous<th>after an ambiguous attempt
 *   <tr><td>carries or lists our write id<td>landed<td>landed, or landed and superseded
 *   <tr><td>has another write in our place<td>refused<td>refused
 *   <tr><td>is what we built on<td>send again<td>send again: the first attempt may still be on its way
 *   <tr><td>no longer tells about our place<td>refused (the only attempt said 412)<td>unknown
 *   <tr><td>is gone or has no stamp<td>gone<td>unknown
 *   <tr><td>cannot be read in time<td>not done<td>unknown
 * </table>
 *
 * <p>That a newer holder is there proves nothing by itself: it may have sealed on top of our write.
 */
final class Commit {

    /** What came of a write. */
    sealed interface Result {
        /** It landed; what the slot carries now, under the same grant. */
        record Landed(Known now) implements Result {}

        /** It landed, and a newer holder has sealed since. */
        record Superseded(Known now) implements Result {}

        /** It did not land and never will: the slot carries this instead. */
        record Refused(Slots.Slot now) implements Result {}

        /** It did not land: no guard is there. */
        record Gone(Throwable cause) implements Result {}

        /** It did not land, for a reason that has nothing to do with other writers. */
        record NotDone(FenceException why) implements Result {}

        /** It may have landed, or may still. */
        record Unknown(Throwable cause) implements Result {}
    }

    private final ObjectStore store;
    private final String key;
    private final ObjectStore.Condition condition;
    private final Stamp stamp;
    private final byte[] bytes;
    private final Patience patience;

    /** Why an attempt may have landed; null as long as none may. */
    private @Nullable Throwable doubt;

    private Throwable last = new IllegalStateException("nothing was sent");

    Commit(
            ObjectStore store,
            String key,
            ObjectStore.Condition condition,
            Stamp stamp,
            byte[] value,
            Patience patience) {
        this.store = store;
        this.key = key;
        this.condition = condition;
        this.stamp = stamp;
        this.bytes = Envelope.write(stamp, value);
        this.patience = patience;
    }

    Result run() {
        do {
            Result result = send();
            if (result != null) {
                return result;
            }
        } while (patience.pause());
        return undecided();
    }

    /** One attempt; null if the same must be sent again. */
    private @Nullable Result send() {
        ObjectStore.Put answer = store.put(key, bytes, condition);
        if (answer instanceof ObjectStore.Put.Stored stored) {
            return new Result.Landed(new Known(stored.tag(), stamp));
        }
        if (answer instanceof ObjectStore.Put.NotSent notSent) {
            last = notSent.cause();
            return null;
        }
        if (answer instanceof ObjectStore.Put.Ambiguous ambiguous) {
            last = ambiguous.cause();
            doubt = doubt == null ? last : doubt;
            return look();
        }
        if (answer instanceof ObjectStore.Put.Rejected rejected) {
            last = rejected.cause();
            return doubt == null ? new Result.NotDone(rejected(last)) : look();
        }
        if (answer instanceof ObjectStore.Put.Missing missing) {
            last = missing.cause();
            return doubt == null ? new Result.Gone(last) : look();
        }
        last = ((ObjectStore.Put.ConditionFailed) answer).cause();
        return look();
    }

    private @Nullable Result look() {
        do {
            if (Thread.currentThread().isInterrupted()) {
                return undecided();
            }
            ObjectStore.Get seen = store.get(key);
            if (seen instanceof ObjectStore.Get.Found found) {
                return judge(found);
            }
            if (seen instanceof ObjectStore.Get.Missing missing) {
                return condition instanceof ObjectStore.Condition.Absent ? null : gone(missing.cause());
            }
            if (seen instanceof ObjectStore.Get.Rejected rejected) {
                return doubt == null ? new Result.NotDone(rejected(rejected.cause())) : new Result.Unknown(doubt);
            }
            last = ((ObjectStore.Get.Failed) seen).cause();
        } while (patience.pause());
        return undecided();
    }

    private @Nullable Result judge(ObjectStore.Get.Found found) {
        Envelope.Read read = Envelope.read(found.bytes());
        if (read instanceof Envelope.Read.Unreadable unreadable) {
            FenceException why = unreadable(key, unreadable);
            return doubt == null ? new Result.NotDone(why) : new Result.Unknown(why);
        }
        if (read instanceof Envelope.Read.Stamped stamped) {
            return judge(new Slots.Slot(new Known(found.tag(), stamped.stamp()), stamped.value()));
        }
        boolean adopting = condition.equals(new ObjectStore.Condition.Tag(found.tag()));
        return adopting ? null : gone(new IllegalStateException("the object under \"" + key + "\" has no stamp"));
    }

    private @Nullable Result judge(Slots.Slot now) {
        return switch (Landing.of(now.known().stamp(), stamp.writeId(), stamp.sequence())) {
            case APPLIED -> new Result.Landed(now.known());
            case SUPERSEDED -> new Result.Superseded(now.known());
            case REFUSED -> new Result.Refused(now);
            case OPEN -> null;
            case UNKNOWN -> doubt == null ? new Result.Refused(now) : new Result.Unknown(doubt);
        };
    }

    private Result gone(Throwable cause) {
        return doubt == null ? new Result.Gone(cause) : new Result.Unknown(cause);
    }

    private Result undecided() {
        return doubt == null
                ? new Result.NotDone(new BusyException("object \"" + key + "\" could not be written in time", last))
                : new Result.Unknown(doubt);
    }

    static UnsupportedStoreException rejected(Throwable cause) {
        String why = Answers.isNoBucket(cause)
                ? "the bucket does not exist: " + cause.getMessage()
                : "the store rejects the request whatever its condition: " + cause.getMessage() + "; "
                        + Probe.PERMISSIONS;
        return new UnsupportedStoreException(why, cause);
    }

    static UnsupportedStoreException unreadable(String key, Envelope.Read.Unreadable unreadable) {
        return new UnsupportedStoreException(
                "object \"" + key + "\" cannot be read by this version of fence: " + unreadable.why(), null);
    }
}
