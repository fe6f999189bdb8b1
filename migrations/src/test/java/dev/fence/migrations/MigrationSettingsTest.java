package dev.fence.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationSettingsTest {

    private static final MigrationSettings DEFAULTS = MigrationSettings.DEFAULTS;

    @Test
    void theDefaultsAreNamedAfterFence() {
        assertThat(DEFAULTS)
                .isEqualTo(new MigrationSettings("fence", "fence_owner", "fence_application", "fence_operator"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Fence", "my-fence", "1fence", "fence\"; DROP SCHEMA public; --", "pg_fence", "fencé"})
    void aSchemaThatWouldNeedQuotesIsRefused(String schema) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withSchema(schema))
                .withMessageContaining("schema \"" + schema + "\"");
    }

    @Test
    void aNameHasAtMost63Characters() {
        assertThat(DEFAULTS.withSchema("f".repeat(63)).schema()).hasSize(63);
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withSchema("f".repeat(64)));
    }

    @Test
    void theThreeRolesAreKeptApart() {
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withRoles("a", "a", "b"));
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withRoles("a", "b", "a"));
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withRoles("b", "a", "a"));
    }
}
