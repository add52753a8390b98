package dev.tidemark.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.tck.CursorStoreContract;
import dev.tidemark.storage.tck.Hold;
import dev.tidemark.storage.tck.RetryableFault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a cursor store, and what a database can do to one. */
abstract class JdbcCursorStoreContract extends CursorStoreContract {

    private final CursorAndDirectoryDatabase database;

    JdbcCursorStoreContract(CursorAndDirectoryDatabase database) {
        this.database = database;
    }

    @Override
    protected CursorOrDirectoryFixture<JdbcCursorStore> open() {
        return database.cursors();
    }

    private static List<CursorKey> keys(int count) {
        DeviceId device = new DeviceId(UUID.randomUUID().toString(), "phone");
        return IntStream.range(0, count)
                .mapToObj(i -> device.in("conversation-" + i))
                .toList();
    }

    private static Map<CursorKey, Cursor> marks(List<CursorKey> keys, long seq) {
        Map<CursorKey, Cursor> marks = new HashMap<>();
        keys.forEach(key -> marks.put(key, new Cursor(seq, 0)));
        return marks;
    }

    @Test
    @DisplayName("H35: batches that overlap, each in an order of its own, from many nodes at once: all succeed")
    void overlappingBatchesInAnyOrder() throws Exception {
        List<CursorKey> keys = keys(400);
        try (CursorOrDirectoryFixture<JdbcCursorStore> fixture = open()) {
            List<Callable<Map<CursorKey, Cursor>>> nodes = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                CursorStore node = fixture.another();
                Random random = new Random(i);
                nodes.add(() -> advanceAtRandom(node, keys, random));
            }

            Map<CursorKey, Cursor> greatest = new HashMap<>();
            for (Map<CursorKey, Cursor> ofNode : CursorOrDirectoryRace.run(nodes)) {
                ofNode.forEach((key, cursor) -> greatest.merge(key, cursor, JdbcCursorStoreContract::greater));
            }

            assertThat(fixture.store().get(greatest.keySet())).isEqualTo(greatest);
        }
    }

    /** Returns the greatest cursors given. */
    private static Map<CursorKey, Cursor> advanceAtRandom(CursorStore node, List<CursorKey> keys, Random random) {
        Map<CursorKey, Cursor> greatest = new HashMap<>();
        List<CursorKey> shuffled = new ArrayList<>(keys);
        for (int batch = 0; batch < 15; batch++) {
            Collections.shuffle(shuffled, random);
            Map<CursorKey, Cursor> marks = new LinkedHashMap<>();
            shuffled.subList(0, 250).forEach(key -> marks.put(key, new Cursor(random.nextInt(1_000), 0)));
            Map<CursorKey, Cursor> held = node.advance(marks);
            marks.forEach((key, mark) -> {
                assertThat(held.get(key)).isGreaterThanOrEqualTo(mark);
                greatest.merge(key, mark, JdbcCursorStoreContract::greater);
            });
        }
        return greatest;
    }

    private static Cursor greater(Cursor one, Cursor other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    @Test
    @DisplayName("H13: a mark that another node overtakes meanwhile is told what is held")
    void aMarkThatIsOvertakenIsToldWhatIsHeld() throws Exception {
        List<CursorKey> keys = keys(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (CursorOrDirectoryFixture<JdbcCursorStore> fixture = open()) {
            fixture.store().advance(marks(keys, 4_711));
            Hold overtaking = database.uncommitted("UPDATE {}cursor SET seq = 4713 WHERE seq = 4711");
            try {
                Future<Map<CursorKey, Cursor>> held =
                        thread.submit(() -> fixture.store().advance(marks(keys, 4_712)));
                assertThatThrownBy(() -> held.get(300, TimeUnit.MILLISECONDS))
                        .as("it waits for the other one")
                        .isInstanceOf(TimeoutException.class);
                overtaking.release();

                assertThat(held.get()).isEqualTo(marks(keys, 4_713));
            } finally {
                overtaking.release();
            }
        } finally {
            thread.shutdown();
        }
    }

    @Test
    @DisplayName("H13: resets on many nodes at once raise the generation once each, while batches go on")
    void everyOneOfManyResetsRaisesTheGeneration() throws Exception {
        List<CursorKey> keys = keys(3);
        CursorKey key = keys.get(1);
        try (CursorOrDirectoryFixture<JdbcCursorStore> fixture = open()) {
            List<Callable<Integer>> nodes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                CursorStore node = fixture.another();
                nodes.add(() -> {
                    for (int reset = 1; reset <= 10; reset++) {
                        node.reset(key, reset);
                        node.advance(marks(keys, 50));
                    }
                    return 10;
                });
            }

            int resets = CursorOrDirectoryRace.run(nodes).stream()
                    .mapToInt(count -> count)
                    .sum();

            assertThat(fixture.store().get(keys).get(key)).isEqualTo(new Cursor(10, resets));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("H35: deadlocks and serialization failures are retried inside; one that persists is a fault")
    void whatPassesIsRetried(RetryableFault fault) {
        CursorKey key = keys(1).get(0);
        try (CursorOrDirectoryFixture<JdbcCursorStore> fixture = open()) {
            JdbcCursorStore store = fixture.store();
            during(
                    fixture.script().failStatements(0, 3, fault),
                    () -> assertThat(store.advance(marks(List.of(key), 5))).isEqualTo(marks(List.of(key), 5)));
            during(
                    fixture.script().failStatements(1, 3, fault),
                    () -> assertThat(store.reset(key, 2)).isEqualTo(new Cursor(2, 1)));

            during(fixture.script().failStatements(0, Integer.MAX_VALUE, fault), () -> {
                assertFails(StorageException.Kind.UNAVAILABLE, () -> store.advance(Map.of(key, new Cursor(9, 1))));
                assertFails(StorageException.Kind.UNAVAILABLE, () -> store.reset(key, 9));
                assertFails(StorageException.Kind.UNAVAILABLE, () -> store.get(List.of(key)));
            });
            assertThat(store.get(List.of(key))).containsEntry(key, new Cursor(2, 1));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DIES_BEFORE", "DIES_AFTER"})
    @DisplayName("H6: of a commit without an answer the outcome is unknown; the same call again finds the truth")
    void anUnknownOutcomeIsSaid(SqlScript.Commit death) {
        CursorKey key = keys(1).get(0);
        try (CursorOrDirectoryFixture<JdbcCursorStore> fixture = open()) {
            JdbcCursorStore store = fixture.store();
            fixture.script().atNextCommit(death);
            assertFails(StorageException.Kind.UNKNOWN_OUTCOME, () -> store.advance(marks(List.of(key), 5)));
            assertThat(store.advance(marks(List.of(key), 5))).isEqualTo(marks(List.of(key), 5));

            fixture.script().atNextCommit(death);
            assertFails(StorageException.Kind.UNKNOWN_OUTCOME, () -> store.reset(key, 1));
            assertThat(store.reset(key, 1)).isEqualTo(new Cursor(1, death == SqlScript.Commit.DIES_AFTER ? 2 : 1));
        }
    }

    @Test
    void aCallTakesFewStatements() {
        List<CursorKey> many = keys(25_000);
        List<CursorKey> keys = many.subList(0, 1_000);
        try (CursorOrDirectoryFixture<JdbcCursorStore> fixture = open()) {
            JdbcCursorStore store = fixture.store();
            within(4, fixture, () -> assertThat(store.advance(marks(keys, 5))).isEqualTo(marks(keys, 5)));
            within(4, fixture, () -> assertThat(store.advance(marks(keys, 4))).isEqualTo(marks(keys, 5)));
            within(2, fixture, () -> assertThat(store.get(many)).hasSize(25_000));
            within(
                    1,
                    fixture,
                    () -> assertThat(
                                    store.list(keys.get(0).owner(), null, 1_000).items())
                            .hasSize(1_000));
        }
    }

    /** Any statement above the number fails. */
    static void within(int statements, CursorOrDirectoryFixture<?> fixture, Runnable call) {
        during(fixture.script().failStatements(statements, Integer.MAX_VALUE, RetryableFault.DEADLOCK), call);
    }

    static void during(Hold hold, Runnable call) {
        try {
            call.run();
        } finally {
            hold.release();
        }
    }

    static void assertFails(StorageException.Kind kind, Runnable call) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(call::run)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
