package dev.fence.reconcile;

/** A field of an entry breaks its rule. A source that knows the line turns it into a {@link MalformedBookException}. */
final class InvalidFieldException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String field;

    InvalidFieldException(String field, String message) {
        super(field + " " + message);
        this.field = field;
    }

    String field() {
        return field;
    }
}
