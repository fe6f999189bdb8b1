package dev.fence;

import org.jspecify.annotations.Nullable;

/** The resource has seen a newer holder. Nothing changed, and nothing under this grant ever will again: stop, drop state. */
public final class StaleTokenException extends FenceException {

    private final String resource;
    private final Grant refused;
    private final Grant newest;

    /**
     * @param refused the grant that came too late
     * @param newest the grant that the guard carries, of the same source and lease name
     */
    public StaleTokenException(String resource, Grant refused, Grant newest, @Nullable Throwable cause) {
        super(
                "resource \"" + resource + "\" refused token " + refused.token() + " (holder " + refused.holder()
                        + ", lease \"" + refused.leaseName() + "\"): a newer holder sealed it with token "
                        + newest.token()
                        + " (holder " + newest.holder() + "); nothing changed",
                cause);
        this.resource = resource;
        this.refused = refused;
        this.newest = newest;
    }

    public String resource() {
        return resource;
    }

    /** The grant that was refused. */
    public Grant refused() {
        return refused;
    }

    /** The grant that the guard carries. */
    public Grant newest() {
        return newest;
    }
}
