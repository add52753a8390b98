package dev.tidemark.storage.append;

import dev.tidemark.storage.MessageKey;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Remembers which keys were seen lately, to tell where a look-up is worth its while: a client that got no answer in time
 * repeats itself soon, and mostly to the same node. Only a hint: a key that was forgotten costs an attempt that fails, one
 * that is taken for another a look-up. Safe for use by many threads.
 */
final class RecentKeys {

    /** Keys remembered at most, four bytes each: those of some seconds at the highest rates. */
    private static final int SLOT_BITS = 19;

    /** 2^64 divided by the golden ratio, an odd number without a pattern: Fibonacci hashing. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final AtomicIntegerArray hashes = new AtomicIntegerArray(1 << SLOT_BITS);

    /** Remembers a key; says whether it probably was remembered already. */
    boolean addOrSeen(MessageKey key) {
        long hash = spread(
                spread(spread(key.conversation().hashCode()) ^ key.sender().hashCode())
                        ^ key.messageId().hashCode());
        int slot = (int) (hash >>> (Long.SIZE - SLOT_BITS));
        // The newest one stays: the older a key is, the less likely it comes again.
        return hashes.getAndSet(slot, (int) hash) == (int) hash;
    }

    /** Hash codes of strings that are counted up differ by little, and a sum of them would meet itself often. */
    private static long spread(long hash) {
        long spread = hash * SPREAD;
        return spread ^ (spread >>> 32);
    }
}
