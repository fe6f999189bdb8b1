package dev.fence.effects;

import java.util.function.Function;

/**
 * How a value stands in the journal. What is written must be readable by every later version of the application: whoever takes
 * over finds the request there and nowhere else. Secrets do not belong in it; a token for them does.
 */
public interface Codec<T> {

    /** At most {@value Journal#MAX_TEXT_LENGTH} characters without U+0000. */
    String write(T value);

    /** Reads what {@link #write} wrote. */
    T read(String text);

    /** Texts as they are. */
    static Codec<String> text() {
        return of(Function.identity(), Function.identity());
    }

    /** A codec of two functions. */
    static <T> Codec<T> of(Function<? super T, String> write, Function<String, ? extends T> read) {
        return new Codec<>() {
            @Override
            public String write(T value) {
                return write.apply(value);
            }

            @Override
            public T read(String text) {
                return read.apply(text);
            }
        };
    }
}
