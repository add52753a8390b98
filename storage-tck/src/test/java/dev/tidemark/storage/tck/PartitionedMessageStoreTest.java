package dev.tidemark.storage.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.PartitionedMessageStore;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoreLimits;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Conversations over three partitions are one message store")
class PartitionedMessageStoreTest extends MessageStoreContract {

    private static final int PARTITIONS = 3;

    @Override
    protected MessageStoreFixture open() {
        return new Fixture();
    }

    @Override
    protected Set<Capability> missing() {
        return InMemoryMessageStoreFixture.MISSING;
    }

    @Test
    @DisplayName("H45: a call about one partition does not touch another")
    void aCallAboutOnePartitionTouchesNoOther() {
        MessageStore store = PartitionedMessageStore.over(
                conversation -> conversation.startsWith("a") ? 0 : 1, List.of(new InMemoryMessageStore(), new Down()));
        assertThat(store.append(List.of(draft("a1", "m1")))).hasOnlyElementsOfType(AppendResult.Appended.class);
        assertThat(store.heads(List.of("a1")).get("a1").seq()).isEqualTo(1);
        assertThat(store.after("a1", 0, 10).messages()).hasSize(1);
        assertThat(store.find(List.of(draft("a1", "m1").key()))).hasSize(1);
        assertThatThrownBy(() -> store.heads(List.of("a1", "b1"))).isInstanceOf(StorageException.class);
    }

    @Test
    void whatIsStoredInPartIsAnUnknownOutcome() {
        MessageStore store = PartitionedMessageStore.over(
                conversation -> conversation.startsWith("a") ? 0 : 1, List.of(new InMemoryMessageStore(), new Down()));
        assertThatThrownBy(() -> store.append(List.of(draft("b1", "m1"))))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE));
        assertThatThrownBy(() -> store.append(List.of(draft("b1", "m1"), draft("a1", "m1"))))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNKNOWN_OUTCOME));
    }

    @Test
    void aPartitionThatIsNotThereIsRefusedByName() {
        MessageStore store = PartitionedMessageStore.over(conversation -> 2, List.of(new InMemoryMessageStore()));
        assertThatThrownBy(() -> store.after("c1", 0, 10))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("c1")
                .hasMessageContaining("partition 2 of 1");
        assertThatThrownBy(() -> PartitionedMessageStore.over(conversation -> 0, List.of()))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("stores"));
    }

    private static Draft draft(String conversation, String messageId) {
        return new Draft(conversation, "ann", messageId, Draft.DEFAULT_KIND, true, Body.of("x"));
    }

    private static int partitionOf(String conversation) {
        return Math.floorMod(conversation.hashCode(), PARTITIONS);
    }

    /** A database that cannot be reached. */
    private static final class Down implements MessageStore {

        private final MessageStore limits = new InMemoryMessageStore();

        @Override
        public StoreLimits limits() {
            return limits.limits();
        }

        @Override
        public List<AppendResult> append(List<Draft> drafts, Duration wait) {
            throw down();
        }

        @Override
        public Map<MessageKey, Receipt> find(Collection<MessageKey> keys) {
            throw down();
        }

        @Override
        public Slice after(String conversation, long after, int limit) {
            throw down();
        }

        @Override
        public Slice before(String conversation, long before, int limit) {
            throw down();
        }

        @Override
        public Map<String, Head> heads(Collection<String> conversations) {
            throw down();
        }

        private static StorageException down() {
            return new StorageException(StorageException.Kind.UNAVAILABLE, "down", null);
        }
    }

    private static final class Fixture implements MessageStoreFixture {

        private final List<InMemoryMessageStore> stores = IntStream.range(0, PARTITIONS)
                .mapToObj(number -> new InMemoryMessageStore())
                .toList();

        private final MessageStore store =
                PartitionedMessageStore.over(PartitionedMessageStoreTest::partitionOf, stores);

        @Override
        public MessageStore store() {
            return store;
        }

        @Override
        public MessageStore another(Clock clock) {
            return PartitionedMessageStore.over(
                    PartitionedMessageStoreTest::partitionOf,
                    stores.stream().map(one -> one.another(clock)).toList());
        }

        @Override
        public Hold holdLocks(Collection<String> conversations) {
            List<Runnable> releases = new ArrayList<>();
            conversations.forEach(conversation -> releases.add(of(conversation).hold(conversation)));
            return () -> {
                releases.forEach(Runnable::run);
                releases.clear();
            };
        }

        @Override
        public void deleteHead(String conversation) {
            of(conversation).deleteHead(conversation);
        }

        @Override
        public void setHead(String conversation, long seq) {
            of(conversation).setHead(conversation, seq);
        }

        @Override
        public Runnable backup() {
            List<Runnable> restores =
                    stores.stream().map(InMemoryMessageStore::backup).toList();
            return () -> restores.forEach(Runnable::run);
        }

        private InMemoryMessageStore of(String conversation) {
            return stores.get(partitionOf(conversation));
        }
    }
}
