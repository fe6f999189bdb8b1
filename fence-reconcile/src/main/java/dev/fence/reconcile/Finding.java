package dev.fence.reconcile;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is to be said about a key. Each line of each book is in exactly one finding. */
public sealed interface Finding {

    /** The kinds, for totals and reports. */
    enum Kind {
        MATCHED,
        /** Not equal, but no further apart than the user's rules permit. */
        MATCHED_WITHIN_TOLERANCE,
        /** In the journal only, and there as not happened: as it should be. */
        RIGHTLY_ABSENT,
        MISSING_AT_PROVIDER,
        UNKNOWN_TO_JOURNAL,
        DIFFERS,
        /** The provider has what the journal says did not happen. */
        CONTRADICTED,
        DUPLICATE,
        OUTSIDE_WINDOW;

        /** Whether somebody must look. */
        public boolean isDifference() {
            return this != MATCHED && this != MATCHED_WITHIN_TOLERANCE && this != RIGHTLY_ABSENT;
        }
    }

    /** A field that can differ. */
    enum Field {
        AMOUNT,
        CURRENCY,
        TIME
    }

    /** One of the two books. */
    enum Side {
        JOURNAL,
        STATEMENT
    }

    Kind kind();

    /** The journal's entry, if it is about one. */
    default Optional<BookEntry> ours() {
        return Optional.ofNullable(entry(Side.JOURNAL));
    }

    /** The statement's line, if it is about one. */
    default Optional<BookEntry> theirs() {
        return Optional.ofNullable(entry(Side.STATEMENT));
    }

    /** The entry of one side, or null. */
    @Nullable
    BookEntry entry(Side side);

    /** Both sides say the same: one entry each, equal currency, amounts and times no further apart than permitted. */
    record Matched(BookEntry our, BookEntry their) implements Finding {
        @Override
        public Kind kind() {
            return our.amount().compareTo(their.amount()) == 0 ? Kind.MATCHED : Kind.MATCHED_WITHIN_TOLERANCE;
        }

        @Override
        public BookEntry entry(Side side) {
            return side == Side.JOURNAL ? our : their;
        }
    }

    /** The journal says that it did not happen, and the statement has no line: as it should be. */
    record RightlyAbsent(BookEntry our) implements Finding {
        @Override
        public Kind kind() {
            return Kind.RIGHTLY_ABSENT;
        }

        @Override
        public @Nullable BookEntry entry(Side side) {
            return side == Side.JOURNAL ? our : null;
        }
    }

    /** The journal has it as happened, or as may have happened; the statement has no line. */
    record MissingAtProvider(BookEntry our) implements Finding {
        @Override
        public Kind kind() {
            return Kind.MISSING_AT_PROVIDER;
        }

        @Override
        public @Nullable BookEntry entry(Side side) {
            return side == Side.JOURNAL ? our : null;
        }
    }

    /** The statement has a line that the journal knows nothing of. */
    record UnknownToJournal(BookEntry their) implements Finding {
        @Override
        public Kind kind() {
            return Kind.UNKNOWN_TO_JOURNAL;
        }

        @Override
        public @Nullable BookEntry entry(Side side) {
            return side == Side.STATEMENT ? their : null;
        }
    }

    /**
     * Both have it, and say different things.
     *
     * @param fields at least one
     */
    record Differs(BookEntry our, BookEntry their, Set<Field> fields) implements Finding {
        public Differs {
            fields = Set.copyOf(fields);
        }

        @Override
        public Kind kind() {
            return Kind.DIFFERS;
        }

        @Override
        public BookEntry entry(Side side) {
            return side == Side.JOURNAL ? our : their;
        }
    }

    /** The provider has a line for what the journal says did not happen. */
    record Contradicted(BookEntry our, BookEntry their) implements Finding {
        @Override
        public Kind kind() {
            return Kind.CONTRADICTED;
        }

        @Override
        public BookEntry entry(Side side) {
            return side == Side.JOURNAL ? our : their;
        }
    }

    /**
     * One of the lines of a key that stands more than once in one of the books. Which of them belong together nobody can say, so
     * none is matched: every line of this key, in both books, is reported like this.
     *
     * @param copy which one of its side, from 1 on
     */
    record Duplicate(BookEntry line, Side side, long copy) implements Finding {
        @Override
        public Kind kind() {
            return Kind.DUPLICATE;
        }

        @Override
        public @Nullable BookEntry entry(Side wanted) {
            return wanted == side ? line : null;
        }
    }

    /** It has no counterpart, and is of a time for which none is asked. */
    record OutsideWindow(BookEntry line, Side side) implements Finding {
        @Override
        public Kind kind() {
            return Kind.OUTSIDE_WINDOW;
        }

        @Override
        public @Nullable BookEntry entry(Side wanted) {
            return wanted == side ? line : null;
        }
    }
}
