package dev.tidemark.concurrent.internal;

/** Spreads keys over lanes. */
public final class Spread {

    private Spread() {}

    /**
     * The lane of a key.
     *
     * @param hash the key's hash code, however bad: ids that differ in their last character only are spread as well
     * @param lanes how many there are
     * @return 0 to {@code lanes - 1}
     */
    public static int over(int hash, int lanes) {
        int h = hash;
        h = (h ^ (h >>> 16)) * 0x85ebca6b;
        h = (h ^ (h >>> 13)) * 0xc2b2ae35;
        h ^= h >>> 16;
        return (int) (((h & 0xffffffffL) * lanes) >>> 32);
    }
}
