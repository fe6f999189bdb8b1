package dev.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FencedWriterTest {

    /** Writes into a list and lets everything through. */
    private record ListWriter(Grant grant, String resource, List<String> lines) implements FencedWriter<List<String>> {
        @Override
        public <R, X extends Exception> R call(Call<? super List<String>, R, X> body) throws X {
            return body.run(lines);
        }
    }

    private final ListWriter writer =
            new ListWriter(new Grant("etcd", "n", new FencingToken(1), Grant.newHolder()), "list", new ArrayList<>());

    @Test
    void aVoidBodyAndABodyWithAResultAreToldApartByName() {
        writer.write(lines -> lines.add("one"));
        int size = writer.call(List::size);

        assertThat(size).isEqualTo(1);
    }

    @Test
    void theBodysCheckedExceptionTypePassesThrough() {
        assertThatThrownBy(() -> writeOrThrow(writer)).isExactlyInstanceOf(IOException.class);
    }

    /** Compiles only if the checked type is kept: no broader {@code throws}. */
    private static void writeOrThrow(ListWriter writer) throws IOException {
        writer.write(lines -> {
            throw new IOException("disk");
        });
    }
}
