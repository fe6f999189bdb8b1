/**
 * Effects on what cannot check a token: payment gateways, mail servers. No lock makes them safe. What helps is an intent that is
 * durable before the call, one key for one business action, outcomes of three kinds, and a successor that looks before it acts.
 * Start with {@link dev.fence.effects.Effects}.
 */
@NullMarked
package dev.fence.effects;

import org.jspecify.annotations.NullMarked;
