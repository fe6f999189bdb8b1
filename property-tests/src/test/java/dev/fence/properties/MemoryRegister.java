package dev.fence.properties;

import dev.fence.FencedWriter.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A register with transactions, and no check of any kind. */
final class MemoryRegister {

    private final List<Long> landed = new ArrayList<>();

    List<Long> landed() {
        return List.copyOf(landed);
    }

    /** Runs the body; what it wrote takes effect together when it has ended, or if it failed, not at all. */
    <R extends @Nullable Object, X extends Exception> R transact(Call<? super Register, R, X> body, boolean rollBack)
            throws X {
        List<Long> written = new ArrayList<>();
        boolean failed = true;
        try {
            R result = body.run(new Transaction(written));
            failed = false;
            return result;
        } finally {
            if (!failed || !rollBack) {
                landed.addAll(written);
            }
        }
    }

    private final class Transaction implements Register {

        private final List<Long> written;

        Transaction(List<Long> written) {
            this.written = written;
        }

        @Override
        public long read() {
            List<Long> newest = written.isEmpty() ? landed : written;
            return newest.isEmpty() ? 0 : newest.get(newest.size() - 1);
        }

        @Override
        public void write(long number) {
            written.add(number);
        }
    }
}
