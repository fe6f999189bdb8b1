package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.UnsupportedStoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C27: no decision of the fence rests on how many rows somebody says were changed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C27UpdateCountsThatLieIT {

    private static final String NOTHING = "UPDATE entry SET text = text WHERE text = ?";

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String resource = Ledger.name();
    private Lease lease;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = ledger.fence();
        ledger.run("CREATE VIEW seen AS SELECT text FROM entry");
        ledger.run("CREATE FUNCTION quietly() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN INSERT INTO entry (text) VALUES (NEW.text); RETURN NULL; END $$");
        ledger.run("CREATE TRIGGER quietly INSTEAD OF INSERT ON seen FOR EACH ROW EXECUTE FUNCTION quietly()");
    }

    @BeforeEach
    void create() {
        lease = ledger.lease(resource);
        fence.create(lease, resource);
    }

    @Test
    void writesThatChangeNothingOrCountZeroSucceedForTheHolderAndNobodyElse() throws SQLException {
        JdbcWriter writer = fence.attach(lease.grant(), resource);
        assertThat(writer.execute(NOTHING, resource)).isZero();
        assertThat(writer.execute(NOTHING, resource)).isZero();
        assertThat(writer.execute("INSERT INTO seen VALUES (?)", resource)).isZero();
        assertThat(ledger.count(resource)).isEqualTo(1);
        assertThat(writer.executeBatch(NOTHING, List.of(new Object[] {resource}, new Object[] {"other"})))
                .hasSize(2);
        fence.seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.execute(NOTHING, resource)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> writer.executeBatch(NOTHING, List.<Object[]>of(new Object[] {resource})))
                .isInstanceOf(StaleTokenException.class);
    }

    /** The guard itself is changed in a table that somebody else has tampered with: found, and nothing is reported as done. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER swallow BEFORE UPDATE ON fence.guard FOR EACH ROW EXECUTE FUNCTION swallow()",
                "CREATE RULE swallow AS ON UPDATE TO fence.guard DO INSTEAD NOTHING",
                "ALTER TABLE fence.guard FORCE ROW LEVEL SECURITY; ALTER TABLE fence.guard ENABLE ROW LEVEL SECURITY;"
                        + " CREATE POLICY all_seen ON fence.guard FOR SELECT USING (true);"
                        + " CREATE POLICY locked ON fence.guard FOR UPDATE USING (true) WITH CHECK (false)"
            })
    void aSealThatIsSwallowedIsNoSuccess(String tampering) throws SQLException {
        Ledger tampered = Ledger.create();
        Lease first = tampered.lease(resource);
        JdbcFence there = tampered.fence();
        there.create(first, resource);
        tampered.run("CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$");
        tampered.run(tampering);
        Lease next = tampered.lease(resource);
        assertThatThrownBy(() -> there.seal(next, resource)).isInstanceOf(UnsupportedStoreException.class);
        assertThat(tampered.ask("SELECT token FROM fence.guard"))
                .isEqualTo(first.token().toString());
    }
}
