package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionControlTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "commit and chain",
                "Begin",
                "START TRANSACTION",
                "END",
                "ABORT",
                "ROLLBACK",
                "ROLLBACK WORK",
                "ROLLBACK AND CHAIN",
                "ROLLBACK PREPARED 'x'",
                "PREPARE TRANSACTION 'x'",
                "PREPARE/**/TRANSACTION 'x'",
                "SET TRANSACTION READ ONLY",
                "SET LOCAL TRANSACTION READ ONLY",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                "  \n\t COMMIT",
                "-- hello\nCOMMIT",
                "-- hello\rCOMMIT",
                "/* a /* nested */ comment */ COMMIT",
                "/**/COMMIT",
                "SELECT 1; COMMIT",
                "SELECT 1;;COMMIT;",
                "SELECT 'it''s; '; COMMIT",
                "SELECT E'it\\'s; '; COMMIT",
                "SELECT E'a'\n'\\''; COMMIT; SELECT ''",
                "SELECT E'a'--'\n'\\''; COMMIT; SELECT ''",
                "SELECT 'a\\'; COMMIT; --'",
                "SELECT \"a;'\"; COMMIT",
                "SELECT $$ ' $$; COMMIT",
                "SELECT $a$ $$ ' $a$; COMMIT",
                "SELECT $1; COMMIT",
                "SELECT a$b$; COMMIT; SELECT a$b$",
                "SELECT 1 /* ' */; COMMIT",
                "SELECT 1 -- '\n; COMMIT"
            })
    void isFoundWhereverItHides(String sql) {
        assertThat(TransactionControl.in(sql)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "SELECT 1",
                "SELECT 'COMMIT'",
                "SELECT 1; SELECT 'a; COMMIT'",
                "SELECT $$; COMMIT; $$",
                "SELECT $x$; $$ COMMIT; $x$",
                "SELECT E'\\'; COMMIT; \\''",
                "SELECT 1 -- ; COMMIT",
                "SELECT 1 /* ; COMMIT */",
                "SELECT \"; COMMIT\" FROM t",
                "SAVEPOINT a",
                "ROLLBACK TO a",
                "ROLLBACK TO SAVEPOINT a",
                "ROLLBACK WORK TO SAVEPOINT a",
                "ROLLBACK TRANSACTION TO a",
                "RELEASE SAVEPOINT a",
                "PREPARE p AS SELECT 1",
                "SET LOCAL lock_timeout = '1s'",
                "SET search_path = x",
                "UPDATE t SET end = 1",
                "INSERT INTO begin VALUES (1)",
                "COMMITS",
                "{call f()}",
                "{? = call commit()}",
                "WITH x AS (SELECT 1) SELECT * FROM x",
                "DO $$ BEGIN PERFORM 1; END $$"
            })
    void isNotFoundWhereItIsNot(String sql) {
        assertThat(TransactionControl.in(sql)).isEmpty();
    }
}
