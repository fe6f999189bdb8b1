/**
 * Old and new holders race on a real PostgreSQL, and its own log tells in which order what took effect. The modes of fence must
 * lose nothing; designs that are known to be broken must be caught, or the race proves nothing. {@code script/stress jdbc}.
 */
@NullMarked
package dev.fence.stress;

import org.jspecify.annotations.NullMarked;
