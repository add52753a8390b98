package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.jdbc.servers.FreshDatabase;
import dev.tidemark.storage.jdbc.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** H2 reuses results of queries, and believes one to be fresh that a commit has just made stale. */
class H2QueryTest {

    private static final int MESSAGES = 3_000;
    private static final int READERS = 3;
    private static final List<String> CONVERSATION = List.of("conversation");

    private final AtomicLong seen = new AtomicLong();

    @Test
    @DisplayName("P2: what one reader has seen no later reader sees go back, on whichever connection")
    void headsDoNotGoBack() throws Exception {
        ExecutorService readers = Executors.newFixedThreadPool(READERS);
        try (FreshDatabase database = TestDatabase.H2.freshDatabase()) {
            SchemaInstaller.install(database.dataSource(), JdbcOptions.defaults());
            JdbcMessageStore store = JdbcMessageStore.over(database.dataSource());
            List<Future<Long>> stale = new ArrayList<>();
            append(store, 1);
            for (int i = 0; i < READERS; i++) {
                stale.add(readers.submit(() -> countStaleReads(store)));
            }
            for (int i = 2; i <= MESSAGES; i++) {
                append(store, i);
            }
            for (Future<Long> ofOne : stale) {
                assertThat(ofOne.get()).isZero();
            }
        } finally {
            readers.shutdownNow();
        }
    }

    private void append(JdbcMessageStore store, int number) {
        store.append(List.of(Draft.of("conversation", "sender", "m" + number, Body.of("text"))), Duration.ZERO);
    }

    /** Reads what no reader may see go back, whether its commit has returned by then or not. */
    private long countStaleReads(JdbcMessageStore store) {
        long stale = 0;
        while (seen.get() < MESSAGES) {
            long before = seen.get();
            long head = store.heads(CONVERSATION).values().iterator().next().seq();
            long headOfPage = store.after("conversation", 0, 1).head().seq();
            if (head < before || headOfPage < head) {
                stale++;
            }
            seen.accumulateAndGet(headOfPage, Math::max);
        }
        return stale;
    }
}
