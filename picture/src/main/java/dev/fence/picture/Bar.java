package dev.fence.picture;

/**
 * Something that lasts: a lease in the lane of the lease service, a pause in that of a holder.
 *
 * @param first the row in which it begins
 * @param last the row in which it ends
 * @param hover what it is
 */
public record Bar(int lane, int first, int last, Kind kind, String hover) {

    /** What lasts. */
    public enum Kind {
        PAUSE("#afb8c1", "#6e7681"),
        LEASE("#54aeff", "#1f6feb"),
        /** That of another holder than the one before. */
        OTHER_LEASE("#f0883e", "#bd561d");

        private final String light;
        private final String dark;

        Kind(String light, String dark) {
            this.light = light;
            this.dark = dark;
        }

        String light() {
            return light;
        }

        String dark() {
            return dark;
        }
    }
}
