package dev.fence.properties;

/** A run that shows nothing: on a machine that stalled, a process lost its lease though the script harmed nobody. */
final class SpoiltRunException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SpoiltRunException(String message) {
        super(message);
    }
}
