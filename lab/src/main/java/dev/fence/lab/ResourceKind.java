package dev.fence.lab;

import java.util.Set;

/** What people write to. */
enum ResourceKind {
    LOCK_ALONE("lock-alone"),
    UNFENCED("unfenced"),
    CHECK_THEN_WRITE("check-then-write"),
    HIGHEST_TOKEN("highest-token"),
    IF_MATCH("if-match"),
    EFFECT("effect"),
    EFFECT_WITH_KEY("effect-with-key"),
    FENCED_ROW("fenced-row"),
    FENCED_OBJECT("fenced-object");

    private final String words;

    ResourceKind(String words) {
        this.words = words;
    }

    /** @param dropped rules of our protocol that are left out */
    Resource make(Witness witness, Set<Rule> dropped) {
        return switch (this) {
            case LOCK_ALONE -> new Unfenced.Nothing(witness);
            case UNFENCED -> new Unfenced.Plain(witness);
            case CHECK_THEN_WRITE -> new Unfenced.CheckThenWrite(witness);
            case HIGHEST_TOKEN -> new Unfenced.HighestToken(witness);
            case IF_MATCH -> new Unfenced.IfMatch(witness);
            case EFFECT -> new Unfenced.Effect(witness, false);
            case EFFECT_WITH_KEY -> new Unfenced.Effect(witness, true);
            case FENCED_ROW -> new Fenced.Row(witness, dropped);
            case FENCED_OBJECT -> new Fenced.StampedObject(witness, dropped);
        };
    }

    @Override
    public String toString() {
        return words;
    }
}
