package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FenceEvents;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JdbcFenceSettingsTest {

    private static final JdbcFenceSettings OTHER = new JdbcFenceSettings(
            "other",
            "a label",
            Duration.ofSeconds(3),
            Duration.ofSeconds(4),
            Duration.ofSeconds(5),
            Optional.of(Duration.ofSeconds(6)),
            Optional.of(Isolation.SERIALIZABLE),
            Verification.NONE,
            Optional.of(Duration.ofSeconds(2)),
            new FenceEvents() {});

    @Test
    void eachOptionChangesItselfAndNothingElse() throws ReflectiveOperationException {
        for (RecordComponent option : JdbcFenceSettings.class.getRecordComponents()) {
            Object value = option.getAccessor().invoke(OTHER);
            Object bare = value instanceof Optional<?> optional ? optional.orElseThrow() : value;
            Class<?> type = bare instanceof FenceEvents ? FenceEvents.class : bare.getClass();
            String name = "with" + Character.toUpperCase(option.getName().charAt(0))
                    + option.getName().substring(1);

            Object changed = JdbcFenceSettings.class.getMethod(name, type).invoke(JdbcFenceSettings.DEFAULTS, bare);

            for (RecordComponent each : JdbcFenceSettings.class.getRecordComponents()) {
                assertThat(each.getAccessor().invoke(changed))
                        .as("%s after %s", each.getName(), name)
                        .isEqualTo(each.getAccessor()
                                .invoke(each.getName().equals(option.getName()) ? OTHER : JdbcFenceSettings.DEFAULTS));
            }
        }
    }

    @Test
    void whatIsOutOfRangeIsRefusedWithItsNameAndTheRange() {
        assertThatThrownBy(() -> JdbcFenceSettings.DEFAULTS.withSealWait(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sealWait")
                .hasMessageContaining("PT10M");
        assertThatThrownBy(() -> JdbcFenceSettings.DEFAULTS.withSchema("Fence"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"Fence\"");
        assertThatThrownBy(() -> JdbcFenceSettings.DEFAULTS.withEvictAfter(Duration.ofSeconds(10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not less than sealWait");
    }
}
