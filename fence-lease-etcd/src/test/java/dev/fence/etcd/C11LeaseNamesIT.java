package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fence.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** C11: lock names. Compared byte for byte; nothing is cut, folded or hashed. */
class C11LeaseNamesIT extends EtcdCase {

    private void areIndependent(List<String> names) throws Exception {
        EtcdLeases leases = open();
        List<Lease> held = new ArrayList<>();
        for (String name : names) {
            held.add(leases.tryAcquire(name).orElseThrow(() -> new AssertionError("taken: " + name)));
        }
        for (String name : names) {
            assertThat(leases.tryAcquire(name)).as(name).isEmpty();
        }
        held.forEach(Lease::close);
    }

    @Test
    void aNameAndItsExtensionsAreIndependent() throws Exception {
        areIndependent(List.of("payouts", "payouts/EU", "payouts/", "payouts/EU/1", "payouts0", "payouts%2FEU", "p"));
    }

    @Test
    void namesThatLookAlikeAreIndependent() throws Exception {
        areIndependent(
                List.of("caf\u00e9", "cafe\u0301", "INVOICE", "invoice", "\u0131nvoice", "a", "a ", " a", ".", ".."));
    }

    @Test
    void namesWithOneHashAreIndependent() throws Exception {
        List<String> twins = new ArrayList<>(List.of(""));
        for (int block = 0; block < 6; block++) {
            twins = twins.stream()
                    .flatMap(name -> List.of(name + "Aa", name + "BB").stream())
                    .toList();
        }
        assertThat(twins.stream().map(String::hashCode).distinct()).hasSize(1);
        areIndependent(twins);
    }

    @Test
    void oneTo255BytesArePermitted() throws Exception {
        areIndependent(List.of("x", "x".repeat(64), "x".repeat(65), "x".repeat(255), "\u20ac".repeat(85)));
        EtcdLeases leases = open();
        for (String tooLong : List.of("x".repeat(256), "x".repeat(10_000), "\u20ac".repeat(86))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> leases.acquire(tooLong, LONG))
                    .withMessageContaining("at most 255");
        }
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void theLocaleMakesNoDifference() throws Exception {
        Locale before = Locale.getDefault();
        EtcdLeases leases = open();
        try (Lease held = leases.acquire("TITLE/\u00edi", LONG)) {
            Locale.setDefault(new Locale.Builder().setLanguage("tr").build());
            assertThat(open().tryAcquire("TITLE/\u00edi")).isEmpty();
            held.confirm();
        } finally {
            Locale.setDefault(before);
        }
    }
}
