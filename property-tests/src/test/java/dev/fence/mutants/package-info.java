/** {@code script/mutants}: removes the rules of the protocol code one at a time, and shows that a test fails. */
@NullMarked
package dev.fence.mutants;

import org.jspecify.annotations.NullMarked;
