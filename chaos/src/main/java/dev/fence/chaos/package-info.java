/**
 * Faults on real processes, a history of what they answered, and a checker that knows what must never be in one. Run by
 * {@code script/chaos}; never published.
 *
 * <p>{@link dev.fence.chaos.Chaos} plays {@link dev.fence.chaos.Run}s: {@link dev.fence.chaos.Worker}s contend for leases in
 * virtual machines of their own while a {@link dev.fence.chaos.Nemesis} does harm, and all of it goes into one
 * {@link dev.fence.chaos.History} for the {@link dev.fence.chaos.Checker}.
 */
@NullMarked
package dev.fence.chaos;

import org.jspecify.annotations.NullMarked;
