package dev.fence.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * What the ledger really contains, by plain SQL that shares nothing with the library or with the workers' bookkeeping.
 *
 * @param acknowledged postings whose writer was told that they are done
 * @param missing of these, postings that are not there
 * @param stray postings of a writer whose successor had written before, or that nobody acknowledged
 * @param complaints what an auditor would write down: unbalanced postings, invoices paid twice, wrong balances
 */
record Audit(int acknowledged, int missing, int stray, List<String> complaints) {

    /** One writer's payment of one invoice, twice if it was done twice. */
    record Posting(int invoice, long token, String writtenBy) {}

    private static final String POSTINGS = """
            SELECT e.invoice, e.token, e.written_by,
                   EXISTS (SELECT FROM ledger.entry newer
                            WHERE newer.token > e.token
                              AND newer.id < (SELECT max(last.id) FROM ledger.entry last
                                               WHERE last.invoice = e.invoice AND last.token = e.token)) AS late,
                   count(*) FILTER (WHERE e.account = 'cash')    AS credits,
                   count(*) FILTER (WHERE e.account = 'payable') AS debits,
                   sum(e.amount) AS sum
              FROM ledger.entry e
             GROUP BY e.invoice, e.token, e.written_by
             ORDER BY min(e.id)
            """;

    private static final String PAID_TWICE = """
            SELECT format('invoice %s was paid %s times', invoice, count(*))
              FROM ledger.entry WHERE account = 'cash' GROUP BY invoice HAVING count(*) > 1 ORDER BY invoice
            """;

    private static final String WRONG_BALANCE = """
            SELECT format('the last posting says that cash is %s, but its entries add up to %s', said, real)
              FROM (SELECT (SELECT balance_after FROM ledger.entry WHERE account = 'cash' ORDER BY id DESC LIMIT 1) AS said,
                           10000 + (SELECT sum(amount) FROM ledger.entry WHERE account = 'cash') AS real) AS balance
             WHERE said IS DISTINCT FROM real
            """;

    static Audit of(DataSource administrator, List<Posting> acknowledged) throws SQLException {
        Map<Posting, Integer> unseen = new HashMap<>();
        acknowledged.forEach(posting -> unseen.merge(posting, 1, Integer::sum));
        List<String> complaints = new ArrayList<>();
        int stray = 0;
        try (Connection connection = administrator.getConnection();
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery(POSTINGS)) {
                while (rows.next()) {
                    Posting posting = new Posting(rows.getInt(1), rows.getLong(2), rows.getString(3));
                    int found = Math.max(rows.getInt("credits"), rows.getInt("debits"));
                    int expected = unseen.getOrDefault(posting, 0);
                    stray += rows.getBoolean("late") ? found : Math.max(0, found - expected);
                    unseen.merge(posting, -Math.min(found, expected), Integer::sum);
                    if (rows.getInt("credits") != rows.getInt("debits")
                            || rows.getBigDecimal("sum").signum() != 0) {
                        complaints.add("the posting of invoice " + posting.invoice() + " by " + posting.writtenBy()
                                + " does not balance");
                    }
                }
            }
            complaints.addAll(texts(statement, PAID_TWICE));
            complaints.addAll(texts(statement, WRONG_BALANCE));
        }
        int missing = unseen.values().stream().mapToInt(n -> Math.max(0, n)).sum();
        return new Audit(acknowledged.size(), missing, stray, List.copyOf(complaints));
    }

    boolean isClean() {
        return missing == 0 && stray == 0 && complaints.isEmpty();
    }

    private static List<String> texts(Statement statement, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
