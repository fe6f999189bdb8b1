package dev.fence;

/** Our lease is over, by our own clock or by the service's word. Nothing was sent to the resource. */
public final class LeaseLostException extends FenceException {

    private final String leaseName;
    private final LossReason reason;

    public LeaseLostException(Grant grant, LossReason reason) {
        super(
                "lease \"" + grant.leaseName() + "\" with token " + grant.token() + " (holder " + grant.holder()
                        + ") is lost: " + reason + "; nothing was sent",
                null);
        this.leaseName = grant.leaseName();
        this.reason = reason;
    }

    /** For a lease that was lost before it was granted. */
    public LeaseLostException(String leaseName, LossReason reason) {
        super("lease \"" + leaseName + "\" was lost before it was granted: " + reason, null);
        this.leaseName = leaseName;
        this.reason = reason;
    }

    public String leaseName() {
        return leaseName;
    }

    public LossReason reason() {
        return reason;
    }
}
