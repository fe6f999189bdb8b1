package dev.fence.benchmarks.jdbc;

import dev.fence.Lease;
import java.util.List;
import javax.sql.DataSource;

/**
 * A way to change an account.
 *
 * @param name as in the results
 * @param setUp what is done before anything is measured
 */
record Design(String name, SetUp setUp) {

    /** Called once for each scenario; its write is called by all threads. */
    interface SetUp {
        Write on(Bench bench) throws Exception;
    }

    /** Changes the account, and returns when that is committed. */
    interface Write {
        void to(Account account) throws Exception;
    }

    /** What a design has to work with. */
    record Bench(DataSource pool, Lease lease, List<Account> accounts) {
        List<String> resources() {
            return accounts.stream().map(Account::resource).distinct().toList();
        }
    }

    static List<Design> all() {
        return List.of(
                new Design("plain", Alternatives::plain),
                new Design("plain-tx", Alternatives::plainTransaction),
                new Design("fence-execute", Fenced::execute),
                new Design("fence-write", Fenced::write),
                new Design("fence-jooq", Fenced::jooq),
                new Design("fence-join", Fenced::join),
                new Design("fence-row", Fenced::row),
                new Design("fence-protected", Fenced::onProtectedTable),
                new Design("fence-verifiable", Fenced::verifiable),
                new Design("for-update", Alternatives::forUpdate),
                new Design("advisory-xact", Alternatives::advisory),
                new Design("shedlock", Alternatives::shedLock),
                new Design("spring-lock", Alternatives::springLock));
    }
}
