package dev.tidemark.storage.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The contract of {@link MessageStore}: numbers without gaps, one row per message id, every content stored exactly or
 * refused by name, held conversations deferred, and the truth after every fault. {@link CompetingMessageStoresContract}
 * is its companion.
 */
public abstract class MessageStoreContract extends FaultRung {

    private static final int BATCHES = 150;

    /** For subclasses. */
    protected MessageStoreContract() {}

    /**
     * Opens the store for one test. It may hold what other tests wrote.
     *
     * @return the fixture, closed after the test
     * @throws Exception when it cannot be opened; the test fails
     */
    @Override
    protected abstract MessageStoreFixture open() throws Exception;

    /**
     * What the fixture cannot do to its store. The tests that need it are not generated; that the fixture really cannot
     * is tested.
     *
     * @return none by default
     */
    @Override
    protected Set<Capability> missing() {
        return super.missing();
    }

    @TestFactory
    Stream<DynamicTest> declaresWhatItCannotDo() {
        return missing().stream()
                .sorted()
                .map(capability -> dynamicTest(
                        capability.cannot(),
                        () -> assertThatThrownBy(() -> capability.tryOn(fixture()))
                                .as("declared missing, but there")
                                .isInstanceOf(UnsupportedOperationException.class)));
    }

    @Test
    void everyHistoryIsAnsweredAsTheModelAnswersIt() {
        Seed.run(seed -> {
            Random random = seed.random(0);
            Model model = new Model(store().limits());
            List<MessageStore> nodes =
                    List.of(store(), fixture().another(), fixture().another());
            List<String> conversations = Fresh.ids("conversation", 4);
            for (int i = 0; i < BATCHES; i++) {
                MessageStore node = nodes.get(random.nextInt(nodes.size()));
                List<Draft> batch = batch(random, conversations);

                assertThat(Outcomes.of(node.append(batch)))
                        .as("batch %d: %s", i, batch)
                        .isEqualTo(model.append(batch));

                MessageStore reader = nodes.get(random.nextInt(nodes.size()));
                String conversation = conversations.get(random.nextInt(conversations.size()));
                assertReadsAs(model, reader, conversation, random);
            }
        });
    }

    /** Ids are drawn from so few that repeats, conflicts and rejections are frequent. */
    private static List<Draft> batch(Random random, List<String> conversations) {
        List<Draft> batch = new ArrayList<>();
        int size = 1 + random.nextInt(random.nextInt(4) == 0 ? 40 : 5);
        for (int i = 0; i < size; i++) {
            batch.add(new Draft(
                    conversations.get(random.nextInt(conversations.size())),
                    random.nextBoolean() ? "ann" : "bob",
                    "m" + random.nextInt(150),
                    random.nextInt(30) == 0 ? "k".repeat(33) : "text",
                    random.nextBoolean(),
                    Body.of(random.nextInt(10) == 0 ? "other" : "body")));
        }
        return batch;
    }

    private static void assertReadsAs(Model model, MessageStore reader, String conversation, Random random) {
        int count = model.rows(conversation).size();
        long start = random.nextInt(count + 3);
        int limit = 1 + random.nextInt(60);

        Slice after = reader.after(conversation, start, limit);
        assertThat(after.head()).isEqualTo(model.head(conversation));
        assertThat(after.anchor()).isEqualTo(model.tag(conversation, start));
        assertRows(after, start + 1, model.rows(conversation, start + 1, start + limit));

        Slice before = reader.before(conversation, start + 1, limit);
        long newest = Math.min(start, count);
        assertThat(before.head()).isEqualTo(model.head(conversation));
        assertRows(before, Math.max(1, newest - limit + 1), model.rows(conversation, newest - limit + 1, newest));
    }

    private static void assertRows(Slice slice, long first, List<Draft> expected) {
        List<StoredMessage> rows = slice.messages();
        assertThat(rows).hasSameSizeAs(expected);
        for (int i = 0; i < rows.size(); i++) {
            StoredMessage row = rows.get(i);
            Draft draft = expected.get(i);
            assertThat(row.seq()).isEqualTo(first + i);
            assertThat(new Draft(
                            row.conversation(), row.sender(), row.messageId(), row.kind(), row.countable(), row.body()))
                    .isEqualTo(draft);
        }
    }
}
