package dev.fence.reconcile;

import dev.fence.reconcile.Finding.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A journal and a statement in which everything that differs was put there on purpose, and is known. */
final class PlantedBooks {

    static final Instant FROM = Instant.parse("2026-11-29T00:00:00Z");
    static final Instant UNTIL = Instant.parse("2026-11-30T00:00:00Z");
    static final MatchingRules RULES = MatchingRules.exact()
            .within(FROM, UNTIL)
            .withTolerance("USD", new BigDecimal("0.05"))
            .withMaxApart(Duration.ofHours(2));

    /** What is done to one key. */
    enum Plant {
        EQUAL(Kind.MATCHED),
        OTHER_SCALE(Kind.MATCHED),
        WITHIN_TOLERANCE(Kind.MATCHED_WITHIN_TOLERANCE),
        BEYOND_TOLERANCE(Kind.DIFFERS),
        OTHER_AMOUNT(Kind.DIFFERS),
        OTHER_SIGN(Kind.DIFFERS),
        OTHER_CURRENCY(Kind.DIFFERS),
        OTHER_TIME(Kind.DIFFERS),
        NOT_IN_STATEMENT(Kind.MISSING_AT_PROVIDER),
        IN_DOUBT_AND_NOT_IN_STATEMENT(Kind.MISSING_AT_PROVIDER),
        NOT_IN_JOURNAL(Kind.UNKNOWN_TO_JOURNAL),
        REFUSED_AND_ABSENT(Kind.RIGHTLY_ABSENT),
        REFUSED_AND_PAID(Kind.CONTRADICTED),
        TWICE_IN_JOURNAL(Kind.DUPLICATE, 3),
        TWICE_IN_STATEMENT(Kind.DUPLICATE, 3),
        ONLY_IN_STATEMENT_TWICE(Kind.DUPLICATE, 2),
        OURS_TOO_EARLY(Kind.OUTSIDE_WINDOW),
        THEIRS_TOO_LATE(Kind.OUTSIDE_WINDOW),
        ACROSS_THE_WINDOW(Kind.MATCHED);

        private final Kind kind;
        private final int lines;

        Plant(Kind kind) {
            this(kind, 1);
        }

        Plant(Kind kind, int lines) {
            this.kind = kind;
            this.lines = lines;
        }

        List<Kind> found() {
            return Collections.nCopies(lines, kind);
        }
    }

    final List<BookEntry> journal = new ArrayList<>();
    final List<BookEntry> statement = new ArrayList<>();
    final Map<String, List<Kind>> planted = new TreeMap<>(KeyOrder.UTF8);
    private final Random random;

    PlantedBooks(Random random) {
        this.random = random;
    }

    void plant(String key, Plant what) {
        planted.put(key, what.found());
        BigDecimal amount = new BigDecimal(random.nextInt(1_000_000) + 1).movePointLeft(2);
        Instant at = FROM.plus(Duration.ofMinutes(180 + random.nextInt(1_000)));
        BookEntry entry = BookEntry.of(key, amount, "EUR", at);
        BookEntry dollars = BookEntry.of(key, amount, "USD", at);
        switch (what) {
            case EQUAL -> both(entry, entry);
            case OTHER_SCALE -> both(entry, amount(entry, amount.setScale(9)));
            case WITHIN_TOLERANCE -> both(dollars, amount(dollars, amount.add(new BigDecimal("0.05"))));
            case BEYOND_TOLERANCE -> both(dollars, amount(dollars, amount.subtract(new BigDecimal("0.050001"))));
            case OTHER_AMOUNT -> both(entry, amount(entry, amount.add(new BigDecimal("0.01"))));
            case OTHER_SIGN -> both(entry, amount(entry, amount.negate()));
            case OTHER_CURRENCY -> both(entry, dollars);
            case OTHER_TIME -> both(entry, at(entry, at.plusSeconds(7201)));
            case NOT_IN_STATEMENT -> journal.add(entry);
            case IN_DOUBT_AND_NOT_IN_STATEMENT -> journal.add(entry.withClaim(Claim.MAY_HAVE_HAPPENED));
            case NOT_IN_JOURNAL -> statement.add(entry);
            case REFUSED_AND_ABSENT -> journal.add(entry.withClaim(Claim.DID_NOT_HAPPEN));
            case REFUSED_AND_PAID -> both(entry.withClaim(Claim.DID_NOT_HAPPEN), entry);
            case TWICE_IN_JOURNAL -> {
                both(entry, entry);
                journal.add(entry);
            }
            case TWICE_IN_STATEMENT -> {
                both(entry, entry);
                statement.add(entry);
            }
            case ONLY_IN_STATEMENT_TWICE -> statement.addAll(List.of(entry, entry));
            case OURS_TOO_EARLY -> journal.add(at(entry, FROM.minusNanos(1)));
            case THEIRS_TOO_LATE -> statement.add(at(entry, UNTIL));
            case ACROSS_THE_WINDOW -> both(at(entry, UNTIL.minusSeconds(1)), at(entry, UNTIL.plusSeconds(1)));
        }
    }

    private void both(BookEntry ours, BookEntry theirs) {
        journal.add(ours);
        statement.add(theirs);
    }

    private static BookEntry amount(BookEntry entry, BigDecimal amount) {
        return BookEntry.of(entry.key(), amount, entry.currency(), entry.at());
    }

    private static BookEntry at(BookEntry entry, Instant at) {
        return BookEntry.of(entry.key(), entry.amount(), entry.currency(), at);
    }

    Book journal(boolean sorted) {
        return book("journal", journal, sorted);
    }

    Book statement(boolean sorted) {
        return book("statement", statement, sorted);
    }

    private Book book(String name, List<BookEntry> entries, boolean sorted) {
        List<BookEntry> all = new ArrayList<>(entries);
        if (sorted) {
            all.sort((a, b) -> KeyOrder.UTF8.compare(a.key(), b.key()));
        } else {
            Collections.shuffle(all, random);
        }
        return Book.of(name, sorted, all::iterator);
    }

    /** By key, what was planted, only the kinds that {@code wanted} takes. */
    Map<String, List<Kind>> planted(Predicate<Kind> wanted) {
        Map<String, List<Kind>> some = new TreeMap<>(KeyOrder.UTF8);
        planted.forEach((key, kinds) -> {
            if (wanted.test(kinds.get(0))) {
                some.put(key, kinds);
            }
        });
        return some;
    }
}
