package dev.tidemark.storage.jdbc;

import static dev.tidemark.storage.jdbc.JdbcCursorStoreContract.assertFails;
import static dev.tidemark.storage.jdbc.JdbcCursorStoreContract.during;
import static dev.tidemark.storage.jdbc.JdbcCursorStoreContract.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxUpdate;
import dev.tidemark.storage.LatestMessage;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.tck.InboxStoreContract;
import dev.tidemark.storage.tck.RetryableFault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of an inbox store, and what a database can do to one. */
abstract class JdbcInboxStoreContract extends InboxStoreContract {

    private final CursorAndDirectoryDatabase database;

    JdbcInboxStoreContract(CursorAndDirectoryDatabase database) {
        this.database = database;
    }

    @Override
    protected CursorOrDirectoryFixture<JdbcInboxStore> open() {
        return database.inbox();
    }

    private static List<MemberKey> keys(int count) {
        String conversation = UUID.randomUUID().toString();
        return IntStream.range(0, count)
                .mapToObj(i -> new MemberKey(conversation, "user-" + i))
                .toList();
    }

    private static List<InboxUpdate> updates(List<MemberKey> keys, long seq) {
        LatestMessage latest = new LatestMessage(seq, "ann", "text", Body.of("hello"), Instant.ofEpochMilli(seq));
        return keys.stream().map(key -> new InboxUpdate(key, seq, latest, 1)).toList();
    }

    @Test
    @DisplayName("H35: batches that overlap, each in an order of its own, from many nodes at once: all succeed")
    void overlappingBatchesInAnyOrder() throws Exception {
        List<MemberKey> keys = keys(300);
        try (CursorOrDirectoryFixture<JdbcInboxStore> fixture = open()) {
            List<Callable<Integer>> nodes = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                JdbcInboxStore node = fixture.another();
                Random random = new Random(i);
                nodes.add(() -> {
                    List<MemberKey> shuffled = new ArrayList<>(keys);
                    for (int seq = 1; seq <= 12; seq++) {
                        Collections.shuffle(shuffled, random);
                        node.index(updates(shuffled.subList(0, 200), seq));
                    }
                    node.index(updates(keys, 13));
                    return 13;
                });
            }
            CursorOrDirectoryRace.run(nodes);
            assertThat(fixture.store().get(keys))
                    .hasSize(300)
                    .allSatisfy((key, entry) -> assertThat(entry.latest().seq()).isEqualTo(13));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("H35: deadlocks and serialization failures are retried inside; one that persists is a fault")
    void whatPassesIsRetried(RetryableFault fault) {
        List<MemberKey> keys = keys(1);
        MemberKey key = keys.get(0);
        try (CursorOrDirectoryFixture<JdbcInboxStore> fixture = open()) {
            JdbcInboxStore store = fixture.store();
            during(fixture.script().failStatements(0, 3, fault), () -> store.index(updates(keys, 1)));
            during(fixture.script().failStatements(0, 3, fault), () -> store.read(Map.of(key, 1L)));
            during(fixture.script().failStatements(0, 3, fault), () -> store.doubt(keys));
            assertThat(store.get(keys).get(key).isMiss()).isTrue();

            during(fixture.script().failStatements(0, Integer.MAX_VALUE, fault), () -> {
                assertFails(StorageException.Kind.UNAVAILABLE, () -> store.index(updates(keys, 2)));
                assertFails(StorageException.Kind.UNAVAILABLE, () -> store.remove(keys));
                assertFails(StorageException.Kind.UNAVAILABLE, () -> store.list(key.user(), null, 1));
            });
            assertThat(store.get(keys).get(key).latest().seq()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DIES_BEFORE", "DIES_AFTER"})
    @DisplayName(
            "H6: of a commit without an answer the outcome is unknown; the same call again makes it a miss at worst")
    void anUnknownOutcomeIsSaid(SqlScript.Commit death) {
        List<MemberKey> keys = keys(1);
        try (CursorOrDirectoryFixture<JdbcInboxStore> fixture = open()) {
            JdbcInboxStore store = fixture.store();
            fixture.script().atNextCommit(death);
            assertFails(StorageException.Kind.UNKNOWN_OUTCOME, () -> store.index(updates(keys, 1)));
            store.index(updates(keys, 1));
            InboxEntry entry = store.get(keys).get(keys.get(0));
            assertThat(entry.latest().seq()).isEqualTo(1);
            assertThat(entry.unread()).isEqualTo(death == SqlScript.Commit.DIES_AFTER ? InboxEntry.MISS : 1);
        }
    }

    @Test
    void aCallTakesFewStatements() {
        List<MemberKey> keys = keys(1_000);
        try (CursorOrDirectoryFixture<JdbcInboxStore> fixture = open()) {
            JdbcInboxStore store = fixture.store();
            within(4, fixture, () -> store.index(updates(keys, 1)));
            within(4, fixture, () -> store.index(updates(keys, 2)));
            within(1, fixture, () -> assertThat(store.get(keys)).hasSize(1_000));
            within(
                    1,
                    fixture,
                    () -> assertThat(store.list("user-1", null, 1_000).entries())
                            .isNotEmpty());
        }
    }
}
