package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SingleStatementTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t VALUES (1)",
                " /* a; comment */ update t set a = 'x; DELETE' ; -- the end",
                "DELETE FROM t WHERE a = 'returning' AND b = \"RETURNING\" AND c = $$;$$",
                "MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE",
                "INSERT INTO t SELECT a ?? 'b', E'\\';' FROM s"
            })
    void aSingleChangeIsPermitted(String sql) {
        assertThatCode(() -> SingleStatement.require(sql, 0)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "; DELETE FROM t",
                "SELECT 1",
                "(SELECT 1)",
                "WITH a AS (DELETE FROM t) SELECT 1",
                "CALL p()",
                "DO $$BEGIN COMMIT; END$$",
                "{call p()}",
                "COMMIT",
                "VACUUM",
                "COPY t FROM STDIN",
                "TRUNCATE t",
                "DELETE FROM t; DELETE FROM t",
                "DELETE FROM t; (SELECT 1)",
                "DELETE FROM t;;",
                "DELETE FROM t; 'x'",
                "DELETE FROM t returning a",
                "DELETE FROM t /**/RETURNING a"
            })
    void anythingElseIsRefused(String sql) {
        assertThatThrownBy(() -> SingleStatement.require(sql, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + sql + "\"")
                .hasMessageContaining("write()");
    }

    @Test
    void placeholdersAndParametersAreCounted() {
        SingleStatement.require("UPDATE t SET a = ? WHERE b ?? '?' AND c = ? -- ?", 2);
        assertThatThrownBy(() -> SingleStatement.require("UPDATE t SET a = ?", 2))
                .hasMessageContaining("1 placeholders for 2 parameters");
    }
}
