package dev.fence.picture;

/** What a thing that happens means to the reader. The colours are told apart by those who do not see red and green, too. */
public enum Mark {
    PLAIN("#57606a", "#9aa4af"),
    GOOD("#1a7f37", "#56d364"),
    /** Refused: nothing happened, and that is good. */
    REFUSED("#8250df", "#c297ff"),
    /** Something was lost or done twice. */
    HARM("#cf222e", "#ff7b72"),
    UNKNOWN("#9a6700", "#e3b341");

    private final String light;
    private final String dark;

    Mark(String light, String dark) {
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
