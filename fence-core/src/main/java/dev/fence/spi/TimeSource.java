package dev.fence.spi;

import java.util.function.LongSupplier;

/**
 * The two clocks of a process: elapsed time, which decides, and wall time, which can only cast doubt.
 *
 * @param nanos nanoseconds since an arbitrary moment, never going back; {@link System#nanoTime()} by default
 * @param wallMillis milliseconds since 1970, may be stepped; {@link System#currentTimeMillis()} by default
 */
public record TimeSource(LongSupplier nanos, LongSupplier wallMillis) {

    /** The clocks of this machine. */
    public static TimeSource system() {
        return new TimeSource(System::nanoTime, System::currentTimeMillis);
    }

    long nanoTime() {
        return nanos.getAsLong();
    }

    long wallTimeMillis() {
        return wallMillis.getAsLong();
    }
}
