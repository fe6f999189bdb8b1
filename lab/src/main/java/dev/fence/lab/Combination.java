package dev.fence.lab;

import java.util.EnumSet;
import java.util.Set;

/**
 * What is tried: a lock, a resource and what goes wrong.
 *
 * @param dropped rules of our protocol that are left out: none but for planted bugs
 */
record Combination(LockKind lock, ResourceKind resource, Fault fault, Set<Rule> dropped) {

    Combination(LockKind lock, ResourceKind resource, Fault fault) {
        this(lock, resource, fault, EnumSet.noneOf(Rule.class));
    }

    Combination without(Rule rule) {
        return new Combination(lock, resource, fault, EnumSet.of(rule));
    }

    World newWorld(boolean telling) {
        return new World(this, telling);
    }

    @Override
    public String toString() {
        return lock + " × " + resource + " × " + fault + (dropped.isEmpty() ? "" : " without " + dropped);
    }
}
