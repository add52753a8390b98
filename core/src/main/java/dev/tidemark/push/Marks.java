package dev.tidemark.push;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has to be told later, with the highest sequence there is word of: however often something is marked, it is told once.
 * A mark is ready to be told at once, or held until the next release. Safe for use by many threads.
 *
 * @param <K> whom or what the marks are for
 */
final class Marks<K> {

    /**
     * A mark.
     *
     * @param key whom or what it is for
     * @param upTo the highest sequence it was made with
     */
    record Mark<K>(K key, long upTo) {}

    private final Map<K, Long> ready = new LinkedHashMap<>();
    private final Map<K, Long> held = new LinkedHashMap<>();

    /** Marks it, to be told as soon as possible. */
    synchronized void add(K key, long upTo) {
        ready.merge(key, upTo, Math::max);
    }

    /** Marks it, to be told after the next release; says whether a release is due that was not due before. */
    synchronized boolean hold(K key, long upTo) {
        boolean isFirst = held.isEmpty();
        held.merge(key, upTo, Math::max);
        return isFirst;
    }

    /** Makes ready what was held. */
    synchronized void release() {
        held.forEach((key, upTo) -> ready.merge(key, upTo, Math::max));
        held.clear();
    }

    /** Takes the oldest mark that is ready; null when none is. */
    synchronized @Nullable Mark<K> poll() {
        Iterator<Map.Entry<K, Long>> oldest = ready.entrySet().iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        Map.Entry<K, Long> entry = oldest.next();
        oldest.remove();
        return new Mark<>(entry.getKey(), entry.getValue());
    }

    synchronized boolean contains(K key) {
        return ready.containsKey(key) || held.containsKey(key);
    }

    synchronized boolean hasReady() {
        return !ready.isEmpty();
    }

    /** How many marks there are. */
    synchronized int size() {
        return ready.size() + held.size();
    }

    synchronized void clear() {
        ready.clear();
        held.clear();
    }
}
