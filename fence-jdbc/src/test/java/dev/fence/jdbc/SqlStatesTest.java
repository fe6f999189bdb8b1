package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlStatesTest {

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "55P03", "25P03", "25P04"})
    void theServerSaysThatItDidNotCommit(String state) {
        assertThat(SqlStates.saysNotCommitted(new SQLException("x", state))).isTrue();
        assertThat(SqlStates.saysTryAgain(new SQLException("x", state))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P02", "08006", "08003"})
    void aCutLinkSaysNothingAboutACommit(String state) {
        assertThat(SqlStates.saysNotCommitted(new SQLException("x", state))).isFalse();
        assertThat(SqlStates.saysTryAgain(new SQLException("x", state))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "57014", "40003", "25P02", "ZF002", ""})
    void othersAreNotToBeTriedAgain(String state) {
        assertThat(SqlStates.saysTryAgain(new SQLException("x", state))).isFalse();
    }

    @Test
    void causesAndNextExceptionsAreSearchedHoweverDeep() {
        SQLException deep = new SQLException("deep", "40001");
        BatchUpdateException batch = new BatchUpdateException("batch", new int[0]);
        batch.setNextException(new SQLException("between", (String) null, new IllegalStateException(deep)));
        assertThat(SqlStates.saysTryAgain(new RuntimeException(new IllegalStateException(batch))))
                .isTrue();
    }

    @Test
    void aCircularChainEnds() {
        SQLException one = new SQLException("one", "23505");
        SQLException two = new SQLException("two", "23505", one);
        one.initCause(two);
        assertThat(SqlStates.saysTryAgain(one)).isFalse();
        assertThat(SqlStates.within(one)).containsExactly(one, two);
    }
}
