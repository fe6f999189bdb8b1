package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** C16: tokens are positive numbers of 64 bits, compared as numbers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C16TokensIT {

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String resource = Ledger.name();

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = ledger.fence();
    }

    @ParameterizedTest
    @CsvSource({
        "9, 10",
        "99, 100",
        "2147483647, 2147483648",
        "4294967295, 4294967296",
        "9007199254740992, 9007199254740993",
        "9223372036854775806, 9223372036854775807"
    })
    void theHigherNumberWins(long lower, long higher) {
        Lease old = ledger.lease(resource, lower);
        fence.create(old, resource);
        FencedWriter<Connection> oldWriter = fence.seal(old, resource);
        Lease next = ledger.lease(resource, higher);
        fence.seal(next, resource).write(c -> {});
        assertThatThrownBy(() -> oldWriter.write(c -> {}))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("token " + higher + " ")
                .hasMessageContaining("token " + lower + " ");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void theDatabaseRefusesTokensThatAreNotPositive(long token) throws SQLException {
        try (Connection connection = ledger.dataSource.getConnection()) {
            GuardRulesIT.assertRefused("23514", () -> Guard.of(resource, token).create(connection));
        }
    }

    @Test
    void aNarrowerColumnIsRefusedAtTheStart() throws SQLException {
        Ledger own = Ledger.create();
        own.run("ALTER TABLE fence.guard ALTER COLUMN token TYPE integer");
        assertThatThrownBy(own::fence).hasMessageContaining("fence.guard.token is integer");
        assertThat(own.events).isEmpty();
    }
}
