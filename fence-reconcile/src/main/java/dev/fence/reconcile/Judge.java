package dev.fence.reconcile;

import dev.fence.reconcile.Finding.Field;
import dev.fence.reconcile.Finding.Side;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** What the rules say about entries that stand once in their books. */
interface Judge {

    Finding pair(BookEntry ours, BookEntry theirs);

    Finding ours(BookEntry ours);

    Finding theirs(BookEntry theirs);

    /** A judge by the user's rules. */
    record ByRules(MatchingRules rules) implements Judge {

        @Override
        public Finding pair(BookEntry ours, BookEntry theirs) {
            if (ours.claim() == Claim.DID_NOT_HAPPEN) {
                return new Finding.Contradicted(ours, theirs);
            }
            Set<Field> differing = differing(ours, theirs);
            return differing.isEmpty()
                    ? new Finding.Matched(ours, theirs)
                    : new Finding.Differs(ours, theirs, differing);
        }

        private Set<Field> differing(BookEntry ours, BookEntry theirs) {
            EnumSet<Field> differing = EnumSet.noneOf(Field.class);
            if (!ours.currency().equals(theirs.currency())) {
                differing.add(Field.CURRENCY);
            }
            if (ours.amount().compareTo(theirs.amount()) != 0) {
                BigDecimal apart = ours.amount().subtract(theirs.amount()).abs();
                BigDecimal tolerance = rules.tolerances().getOrDefault(ours.currency(), BigDecimal.ZERO);
                if (apart.compareTo(tolerance) > 0 || !differing.isEmpty()) {
                    differing.add(Field.AMOUNT);
                }
            }
            if (rules.maxApart().isPresent()) {
                Duration apart = Duration.between(ours.at(), theirs.at()).abs();
                if (apart.compareTo(rules.maxApart().get()) > 0) {
                    differing.add(Field.TIME);
                }
            }
            return differing;
        }

        @Override
        public Finding ours(BookEntry ours) {
            if (ours.claim() == Claim.DID_NOT_HAPPEN) {
                return new Finding.RightlyAbsent(ours);
            }
            return outside(ours) ? new Finding.OutsideWindow(ours, Side.JOURNAL) : new Finding.MissingAtProvider(ours);
        }

        @Override
        public Finding theirs(BookEntry theirs) {
            return outside(theirs)
                    ? new Finding.OutsideWindow(theirs, Side.STATEMENT)
                    : new Finding.UnknownToJournal(theirs);
        }

        private boolean outside(BookEntry entry) {
            return rules.window().isPresent() && !rules.window().get().contains(entry.at());
        }
    }
}
