package dev.fence.reconcile;

import java.util.Comparator;

/**
 * Orders keys as their UTF-8 bytes are ordered, as databases ({@code COLLATE "C"}) and {@code sort} do. The order of {@link
 * String#compareTo} is another one: it has the characters beyond the basic plane before U+E000.
 */
enum KeyOrder implements Comparator<String> {
    UTF8;

    @Override
    public int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean bothHigh = x >= Character.MIN_SURROGATE && y >= Character.MIN_SURROGATE;
                return bothHigh ? surrogatesLast(x) - surrogatesLast(y) : x - y;
            }
        }
        return a.length() - b.length();
    }

    private static int surrogatesLast(char c) {
        return Character.isSurrogate(c) ? c + Character.MAX_VALUE : c;
    }
}
