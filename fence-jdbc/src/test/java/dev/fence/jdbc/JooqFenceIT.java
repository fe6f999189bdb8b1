package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fence of {@link JdbcFenceIT}, for bodies that write with jOOQ. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JooqFenceIT {

    private static final Table<Record> ENTRY = table("entry");
    private static final Field<String> TEXT = field("text", String.class);
    private static final Field<Long> ID = field("id", Long.class);

    private static Ledger ledger;
    private static JdbcFence jdbc;
    private static JooqFence fence;

    private final String resource = Ledger.name();
    private Lease lease;
    private FencedWriter<DSLContext> writer;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        jdbc = ledger.fence();
        fence = JooqFence.over(jdbc);
    }

    @BeforeEach
    void seal() {
        lease = ledger.lease(resource);
        assertThat(fence.create(lease, resource)).isTrue();
        writer = fence.seal(lease, resource);
    }

    @Test
    void aBodyWritesAndReads() throws SQLException {
        Long id = writer.call(dsl ->
                dsl.insertInto(ENTRY, TEXT).values(resource).returning(ID).fetchSingle(ID));
        writer.write(dsl -> assertThat(dsl.update(ENTRY)
                        .set(TEXT, resource + "!")
                        .where(ID.eq(DSL.any(new Long[] {id})))
                        .execute())
                .isEqualTo(1));
        assertThat(ledger.count(resource + "!")).isEqualTo(1);
        assertThat(writer.resource()).isEqualTo(resource);
        assertThat(writer.grant()).isEqualTo(lease.grant());
    }

    @Test
    void aFormerHolderIsRefused() throws SQLException {
        fence.seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.write(this::insert)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> fence.attach(lease.grant(), resource).write(this::insert))
                .isInstanceOf(StaleTokenException.class);
        assertThat(ledger.count(resource)).isZero();
    }

    @Test
    void severalResourcesAreRefusedTogether() throws SQLException {
        String other = resource + "/2";
        fence.create(lease, other);
        FencedWriter<DSLContext> both = fence.over(jdbc.seal(lease, Set.of(resource, other)));
        both.write(this::insert);
        fence.seal(ledger.lease(resource), other);
        assertThatThrownBy(() -> both.write(this::insert)).isInstanceOf(StaleTokenException.class);
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void aBodyCannotEndTheTransaction() throws SQLException {
        assertThatThrownBy(() -> writer.write(dsl -> dsl.transaction(nested -> insert(nested.dsl()))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transaction()")
                .hasMessageContaining(resource);
        assertThatThrownBy(() -> writer.write(dsl -> {
                    insert(dsl);
                    dsl.commit().execute();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(ledger.count(resource)).isZero();
    }

    @Test
    void aContextIsDeadOnceItsBodyHasReturned() throws SQLException {
        List<DSLContext> kept = new ArrayList<>();
        writer.write(kept::add);
        assertThatThrownBy(() -> insert(kept.get(0))).isInstanceOf(IllegalStateException.class);
        assertThat(ledger.count(resource)).isZero();
    }

    @Test
    void aCollisionIsBusyAndAnotherErrorComesOutAsItIs() {
        assertThatThrownBy(() -> writer.write(
                        dsl -> dsl.execute("DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$")))
                .isInstanceOf(BusyException.class)
                .hasCauseInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> writer.write(dsl -> dsl.fetch("SELECT 1 / 0")))
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("22012"));
    }

    @Test
    void settingsAndListenersAreTheCallers() {
        DefaultConfiguration configuration = new DefaultConfiguration();
        configuration.settings().setQueryTimeout(17);
        FencedWriter<DSLContext> configured =
                JooqFence.over(jdbc, configuration).attach(lease.grant(), resource);
        assertThat(configured.<Integer, RuntimeException>call(
                        dsl -> dsl.settings().getQueryTimeout()))
                .isEqualTo(17);
        configured.write(dsl -> assertThat(dsl.family()).isEqualTo(org.jooq.SQLDialect.POSTGRES));
    }

    private void insert(DSLContext dsl) {
        dsl.insertInto(ENTRY, TEXT).values(resource).execute();
    }
}
