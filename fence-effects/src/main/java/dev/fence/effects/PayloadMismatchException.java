package dev.fence.effects;

import java.util.List;

/**
 * What is asked for under a key is not what was asked for under it before; nothing was called and nothing changed. The differing
 * fields are named, their values are not.
 */
public final class PayloadMismatchException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final transient List<String> fields;

    PayloadMismatchException(String message, List<String> fields) {
        super(message);
        this.fields = List.copyOf(fields);
    }

    /** The names of the fields that differ, or of the items if it is the list of a run that differs. */
    public List<String> fields() {
        return fields == null ? List.of() : fields;
    }
}
