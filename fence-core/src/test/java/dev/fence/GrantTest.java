package dev.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrantTest {

    private static final String GOOD = "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:payouts/EU";

    static List<String[]> goldenGrants() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("src/test/resources/dev/fence/grants-v1.golden"))) {
            return lines.filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", -1))
                    .collect(Collectors.toList());
        }
    }

    @ParameterizedTest
    @MethodSource("goldenGrants")
    void textFormIsTheOneThatEarlierVersionsWroteAndRead(
            String text, String source, String token, String holder, String leaseName) {
        Grant grant = new Grant(source, leaseName, FencingToken.parse(token), UUID.fromString(holder));

        assertThat(grant).hasToString(text);
        assertThat(Grant.parse(text)).isEqualTo(grant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fence2:etcd:7:123e4567-e89b-12d3-a456-426614174000:payouts/EU",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:payouts:EU",
                "fence1:etcd:07:123e4567-e89b-12d3-a456-426614174000:payouts/EU",
                "fence1:etcd:0:123e4567-e89b-12d3-a456-426614174000:payouts/EU",
                "fence1:Etcd:7:123e4567-e89b-12d3-a456-426614174000:payouts/EU",
                "fence1::7:123e4567-e89b-12d3-a456-426614174000:payouts/EU",
                "fence1:etcd:7:123E4567-e89b-12d3-a456-426614174000:payouts/EU",
                "fence1:etcd:7:1-1-1-1-1:payouts/EU",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:payouts%2FEU",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:payouts EU",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:caf%c3%a9",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:caf%C3",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:a%2",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:a%+1",
                "fence1:etcd:7:123e4567-e89b-12d3-a456-426614174000:a%0A",
                " " + GOOD,
                GOOD + " "
            })
    void anyOtherSpellingIsRefused(String text) {
        assertThat(Grant.parse(GOOD)).hasToString(GOOD);
        assertThatThrownBy(() -> Grant.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTextThatIsTooLongIsRefusedUnread() {
        assertThatThrownBy(() -> Grant.parse(GOOD + "x".repeat(1024)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1024");
        assertThatThrownBy(() -> Grant.parse(GOOD + "x".repeat(1024 - GOOD.length())))
                .hasMessageContaining("malformed");
    }

    @Test
    void theLongestGrantFitsIntoAHeader() {
        String longest = "😀".repeat(63) + "€";
        Grant grant = new Grant("s".repeat(63), longest, new FencingToken(Long.MAX_VALUE), Grant.newHolder());

        assertThat(grant.toString().length()).isLessThanOrEqualTo(Grant.MAX_TEXT_LENGTH);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost"))
                .header("Fence-Grant", grant.toString())
                .build();
        assertThat(Grant.parse(request.headers().firstValue("Fence-Grant").orElseThrow()))
                .isEqualTo(grant);
    }

    @Test
    void holdersAreDifferentForEachAcquisition() {
        assertThat(IntStream.range(0, 10_000).mapToObj(i -> Grant.newHolder())).doesNotHaveDuplicates();
    }

    @Test
    void grantsThatDifferOnlyInTheHolderAreDifferent() {
        Grant mine = new Grant("etcd", "n", new FencingToken(7), Grant.newHolder());
        Grant other = new Grant("etcd", "n", new FencingToken(7), Grant.newHolder());

        assertThat(mine).isNotEqualTo(other);
    }
}
