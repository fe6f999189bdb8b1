package dev.fence;

import org.jspecify.annotations.Nullable;

/**
 * All that goes wrong between a holder, its lease service and a resource: one final type for each thing a caller should do.
 *
 * <table>
 *   <caption>The closed list</caption>
 *   <tr><th>type<th>meaning<th>what to do
 *   <tr><td>{@link StaleTokenException}<td>the resource has seen a newer holder; nothing changed<td>stop, drop state
 *   <tr><td>{@link LeaseLostException}<td>our lease is over; nothing was sent<td>stop, may acquire anew
 *   <tr><td>{@link LeaseTimeoutException}<td>not granted within the wait<td>choose
 *   <tr><td>{@link BusyException}<td>not now; nothing changed<td>try the same again
 *   <tr><td>{@link OutcomeUnknownException}<td>may or may not have taken effect<td>verify, never repeat blindly
 *   <tr><td>{@link GuardMissingException}<td>the resource has no guard; nothing changed<td>create it deliberately, or find
 *       out who removed it
 *   <tr><td>{@link TokenSourceException}<td>guard and source disagree; nothing changed<td>an operator must look
 *   <tr><td>{@link UnsupportedStoreException}<td>the store cannot keep a guard<td>fix the set-up
 * </table>
 *
 * <p>None of them belongs to a family that common retry aspects catch; only {@link BusyException} may be retried.
 */
public abstract sealed class FenceException extends RuntimeException
        permits StaleTokenException,
                LeaseLostException,
                LeaseTimeoutException,
                BusyException,
                OutcomeUnknownException,
                GuardMissingException,
                TokenSourceException,
                UnsupportedStoreException {

    FenceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
