package dev.fence.effects;

import java.util.List;

/** What chance decides, one number after the other; when they are used up, nothing goes wrong any more. */
final class Choices {

    private final List<Integer> numbers;
    private int next;

    Choices(List<Integer> numbers) {
        this.numbers = numbers;
    }

    /** One of {@code n}; 0 is always the choice in which nothing goes wrong. */
    int among(int n) {
        return next < numbers.size() ? numbers.get(next++) % n : 0;
    }

    /** Nothing goes wrong from here on. */
    void areUsedUp() {
        next = numbers.size();
    }
}
