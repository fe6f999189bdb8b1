package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.GuardMissingException;
import dev.fence.Lease;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C11: length, case, Unicode and hashes of names, where PostgreSQL keeps them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C11NamesIT {

    private static Ledger ledger;
    private static JdbcFence fence;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = ledger.fence();
    }

    @Test
    void namesAreComparedByteForByte() throws SQLException {
        List<String> names = List.of(
                "caf\u00e9",
                "cafe\u0301",
                "INVOICE",
                "invoice",
                "a",
                "a ",
                " a",
                "\u0130",
                "i",
                "a/b",
                "a%b",
                "a_b",
                "a'b",
                "a\"b\\");
        for (String name : names) {
            Lease lease = ledger.lease(name);
            assertThat(fence.create(lease, name)).as(name).isTrue();
            fence.seal(lease, name).write(c -> {});
        }
        String stored =
                ledger.ask("SELECT count(*) FROM fence.guard WHERE resource IN ('caf\u00e9', 'cafe\u0301', 'a', 'a ')");
        assertThat(stored).isEqualTo("4");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 65, 255})
    void upTo255BytesArePermitted(int length) {
        String name = "n".repeat(length);
        Lease lease = ledger.lease(name);
        assertThat(fence.create(lease, name)).isTrue();
        fence.seal(lease, name).write(c -> {});
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 1024, 10_000})
    void longerNamesAreRefusedAndNeverCut(int length) {
        Lease lease = ledger.lease("x");
        String name = "n".repeat(length);
        assertThatIllegalArgumentException().isThrownBy(() -> fence.create(lease, name));
        assertThatIllegalArgumentException().isThrownBy(() -> fence.seal(lease, name));
        assertThatIllegalArgumentException().isThrownBy(() -> fence.attach(lease.grant(), name));
        GuardRulesIT.assertRefused("23514", () -> {
            try (var connection = ledger.dataSource.getConnection()) {
                Guard.of(name, 1).create(connection);
            }
        });
    }

    @Test
    void bytesCountAndNotCharacters() {
        Lease lease = ledger.lease("x");
        String name = "\u00e9".repeat(128);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fence.create(lease, name))
                .withMessageContaining("256 UTF-8 bytes");
    }

    @Test
    void controlCharactersAreRefused() {
        Lease lease = ledger.lease("x");
        assertThatIllegalArgumentException().isThrownBy(() -> fence.seal(lease, "a\tb"));
        assertThatIllegalArgumentException().isThrownBy(() -> fence.seal(lease, "a\u0000b"));
    }

    @Test
    void namesWithEqualJavaHashesAreIndependent() {
        List<String> names = new ArrayList<>(List.of(""));
        for (int block = 0; block < 5; block++) {
            List<String> longer = new ArrayList<>();
            names.forEach(name -> longer.addAll(List.of(name + "Aa", name + "BB")));
            names = longer;
        }
        assertThat(names.stream().map(String::hashCode).distinct()).hasSize(1);
        for (String name : names) {
            assertThat(fence.create(ledger.lease(name), name)).isTrue();
        }
    }

    /** Two names with one lock key wait for each other, but each has a guard of its own: the row decides. */
    @Test
    void aNameThatWasNeverCreatedHasNoGuardWhateverItsHash() {
        Lease lease = ledger.lease("never created");
        assertThatThrownBy(() -> fence.seal(lease, "never created")).isInstanceOf(GuardMissingException.class);
    }
}
