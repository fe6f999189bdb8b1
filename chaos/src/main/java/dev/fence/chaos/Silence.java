package dev.fence.chaos;

/** What is lost between one and others. */
enum Silence {
    PARTED("is parted from"),
    DEAF("hears nothing of"),
    MUTE("is not heard by");

    private final String words;

    Silence(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /** Whether what the others send is lost. */
    boolean isDeaf() {
        return this != MUTE;
    }

    /** Whether what the one sends is lost. */
    boolean isMute() {
        return this != DEAF;
    }
}
