package dev.tidemark.storage.tck;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Ids nobody has used before, also in a store that keeps what earlier runs wrote. */
final class Fresh {

    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final AtomicLong COUNTER = new AtomicLong();

    private Fresh() {}

    /** A fresh id that begins with {@code what}. */
    static String id(String what) {
        return what + "-" + RUN + "-" + COUNTER.incrementAndGet();
    }

    /** Fresh ids that begin with {@code what}. */
    static List<String> ids(String what, int count) {
        return Stream.generate(() -> id(what)).limit(count).toList();
    }
}
