package dev.fence.jdbc;

import dev.fence.FencingToken;
import dev.fence.WriteId;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a write leaves behind in the database, by which its outcome can be told. */
sealed interface Trace {

    WriteId under(FencingToken token);

    /**
     * A transaction. The number alone is not enough: a promoted standby, or a server that has recovered from a crash, gives
     * numbers away again of which it never heard.
     *
     * @param timeline the history that the number belongs to
     * @param incarnation the life of the server, from one crash to the next, that the number belongs to
     */
    record Transaction(long timeline, long number, long incarnation) implements Trace {

        private static final Pattern TEXT =
                Pattern.compile("pgx1:([0-9]{1,18}):([0-9]{1,18}):([0-9]{1,18}):([0-9]{1,19})");

        /**
         * To be selected and {@linkplain #read read}. All of a width that the driver knows, or it would send a Sync before them;
         * none of a type that it has to ask the server about.
         */
        static String columns(String schema) {
            return schema + ".timeline_v1(), pg_current_xact_id()::text::bigint, " + schema + ".incarnation_v1()";
        }

        static Transaction read(ResultSet row, int from) throws SQLException {
            return new Transaction(row.getLong(from), row.getLong(from + 1), row.getLong(from + 2));
        }

        @Override
        public WriteId under(FencingToken token) {
            return new WriteId("pgx1:" + timeline + ":" + number + ":" + incarnation + ":" + token);
        }
    }

    /**
     * A row that was written along.
     *
     * @param madeAtMicros since 1970, by our clock: records are kept for a limited time
     */
    record Row(UUID id, long madeAtMicros) implements Trace {

        private static final Pattern TEXT = Pattern.compile("pgw1:([0-9a-f-]{36}):([0-9]{1,18}):([0-9]{1,19})");
        private static final SecureRandom RANDOM = new SecureRandom();

        static Row make() {
            return new Row(
                    new UUID(RANDOM.nextLong(), RANDOM.nextLong()),
                    ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        }

        @Override
        public WriteId under(FencingToken token) {
            return new WriteId("pgw1:" + id + ":" + madeAtMicros + ":" + token);
        }
    }

    /** A trace and the token it was written under: what a write id says. */
    record Of(Trace trace, FencingToken token) {

        /** @throws IllegalArgumentException if the id is not one of this fence */
        static Of parse(WriteId writeId) {
            Matcher transaction = Transaction.TEXT.matcher(writeId.text());
            if (transaction.matches()) {
                return new Of(
                        new Transaction(number(transaction, 1), number(transaction, 2), number(transaction, 3)),
                        FencingToken.parse(transaction.group(4)));
            }
            Matcher row = Row.TEXT.matcher(writeId.text());
            if (row.matches()) {
                return new Of(new Row(UUID.fromString(row.group(1)), number(row, 2)), FencingToken.parse(row.group(3)));
            }
            throw new IllegalArgumentException(
                    "write id \"" + writeId + "\" is not one of a PostgreSQL fence: it begins with pgx1: or pgw1:");
        }

        private static long number(Matcher matcher, int group) {
            return Long.parseLong(matcher.group(group));
        }
    }
}
