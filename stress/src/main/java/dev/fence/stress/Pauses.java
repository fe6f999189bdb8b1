package dev.fence.stress;

import java.util.Random;

/** When a thread is stopped, and for how long: mostly not, often for a moment, now and then until others have gone far ahead. */
final class Pauses {

    private final Random random;

    Pauses(long seed) {
        this.random = new Random(seed);
    }

    void perhaps() throws InterruptedException {
        int lot = random.nextInt(100);
        if (lot >= 90) {
            Thread.sleep(5 + random.nextInt(15));
        } else if (lot >= 50) {
            Thread.sleep(0, random.nextInt(999_999));
        }
    }

    boolean coin() {
        return random.nextBoolean();
    }

    /** Until the next holder comes. */
    void betweenHolders() throws InterruptedException {
        Thread.sleep(3 + random.nextInt(35));
    }
}
