package dev.fence.properties;

import dev.fence.FencedWriter.Call;
import dev.fence.properties.Register.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A register with transactions, and no check of any kind. */
final class MemoryRegister {

    private final List<Value> landed = new ArrayList<>();

    List<Long> landed() {
        return landed.stream().map(Value::number).toList();
    }

    Value newest() {
        return landed.isEmpty() ? Value.FIRST : landed.get(landed.size() - 1);
    }

    void forgetNewest() {
        if (!landed.isEmpty()) {
            landed.remove(landed.size() - 1);
        }
    }

    /** Runs the body; what it wrote takes effect together when it has ended, or if it failed, not at all. */
    <R extends @Nullable Object, X extends Exception> R transact(Call<? super Register, R, X> body, boolean rollBack)
            throws X {
        List<Value> written = new ArrayList<>();
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

        private final List<Value> written;

        Transaction(List<Value> written) {
            this.written = written;
        }

        @Override
        public long read() {
            return (written.isEmpty() ? newest() : written.get(written.size() - 1)).number();
        }

        @Override
        public void write(Value value) {
            written.add(value);
        }
    }
}
