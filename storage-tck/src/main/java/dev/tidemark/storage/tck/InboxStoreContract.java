package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.MessageLogContract.assertRefused;
import static dev.tidemark.storage.tck.MessageLogContract.assertUnmodifiable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.InboxEntry;
import dev.tidemark.storage.InboxPage;
import dev.tidemark.storage.InboxRecount;
import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.InboxUpdate;
import dev.tidemark.storage.LatestMessage;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.memory.InMemoryInboxStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link InboxStore}: a counter that is no miss is right as far as it counts, whatever was lost. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class InboxStoreContract {

    private StoreFixture<? extends InboxStore> fixture;

    /** For subclasses. */
    protected InboxStoreContract() {}

    /**
     * Opens the store for one test. It may hold what other tests wrote.
     *
     * @return the fixture, closed after the test
     * @throws Exception when it cannot be opened; the test fails
     */
    protected abstract StoreFixture<? extends InboxStore> open() throws Exception;

    @BeforeEach
    void openFixture() throws Exception {
        fixture = open();
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private InboxStore store() {
        return fixture.store();
    }

    private InboxStore another() {
        return fixture.another();
    }

    private static MemberKey key() {
        return new MemberKey(Fresh.id("conversation"), Fresh.id("user"));
    }

    private static LatestMessage message(long seq) {
        return message(seq, seq * 1000);
    }

    private static LatestMessage message(long seq, long millis) {
        return new LatestMessage(seq, "ann", "text", Body.of("preview " + seq), Instant.ofEpochMilli(millis));
    }

    /** A stretch of countable messages. */
    private static InboxUpdate update(MemberKey key, long first, long last) {
        return new InboxUpdate(key, first, message(last), (int) (last - first + 1));
    }

    private static InboxEntry entry(MemberKey key, long latest, long readTo, long countedTo, int unread) {
        return new InboxEntry(key, latest == 0 ? null : message(latest), readTo, countedTo, unread);
    }

    private void index(MemberKey key, long first, long last) {
        store().index(List.of(update(key, first, last)));
    }

    private void recount(MemberKey key, long readTo, long countedTo, int unread, @Nullable LatestMessage latest) {
        store().recount(List.of(new InboxRecount(key, readTo, countedTo, unread, latest)));
    }

    private void read(MemberKey key, long to) {
        store().read(Map.of(key, to));
    }

    /** What another node sees. */
    private @Nullable InboxEntry held(MemberKey key) {
        return another().get(List.of(key)).get(key);
    }

    private @Nullable LatestMessage latest(MemberKey key) {
        InboxEntry entry = held(key);
        return entry == null ? null : entry.latest();
    }

    private void assertMiss(MemberKey key) {
        assertThat(held(key)).satisfies(entry -> assertThat(entry.isMiss()).isTrue());
    }

    @Test
    void aSoundStoreIsVerified() {
        assertThatCode(() -> store().verify()).doesNotThrowAnyException();
    }

    @Test
    void theNextUpdateCounts() {
        MemberKey key = key();
        index(key, 1, 1);
        assertThat(held(key)).isEqualTo(entry(key, 1, 0, 1, 1));
        index(key, 2, 4);
        assertThat(held(key)).isEqualTo(entry(key, 4, 0, 4, 4));
        store().index(List.of(new InboxUpdate(key, 5, message(6), 0)));
        assertThat(held(key)).isEqualTo(entry(key, 6, 0, 6, 4));
        store().index(List.of(new InboxUpdate(key, 7, message(9), 2)));
        assertThat(held(key)).isEqualTo(entry(key, 9, 0, 9, 6));
    }

    @Test
    @DisplayName("H8: an update that is not the next one makes the counter a miss: one was lost, or came twice or late")
    void anyOtherUpdateIsAMiss() {
        MemberKey lost = key();
        index(lost, 1, 2);
        index(lost, 4, 4);
        assertThat(held(lost)).isEqualTo(entry(lost, 4, 0, 4, InboxEntry.MISS));

        MemberKey twice = key();
        index(twice, 1, 2);
        index(twice, 2, 2);
        assertThat(held(twice)).isEqualTo(entry(twice, 2, 0, 2, InboxEntry.MISS));

        MemberKey overlapping = key();
        index(overlapping, 1, 2);
        index(overlapping, 2, 3);
        assertThat(held(overlapping)).isEqualTo(entry(overlapping, 3, 0, 3, InboxEntry.MISS));

        MemberKey late = key();
        index(late, 1, 3);
        index(late, 1, 1);
        assertThat(held(late)).isEqualTo(entry(late, 3, 0, 3, InboxEntry.MISS));

        MemberKey first = key();
        index(first, 2, 3);
        assertThat(held(first)).isEqualTo(entry(first, 3, 0, 3, InboxEntry.MISS));
    }

    @Test
    void aMissStaysAMissUntilItIsCountedAnew() {
        MemberKey key = key();
        index(key, 3, 3);
        index(key, 4, 4);
        index(key, 5, 9);
        assertThat(held(key)).isEqualTo(entry(key, 9, 0, 9, InboxEntry.MISS));
        recount(key, 2, 9, 7, null);
        assertThat(held(key)).isEqualTo(entry(key, 9, 2, 9, 7));
        index(key, 10, 10);
        assertThat(held(key)).isEqualTo(entry(key, 10, 2, 10, 8));
    }

    @Test
    void theLatestMessageIsTheOneOfTheHighestSequenceOrTheOneThatComesAgain() {
        MemberKey key = key();
        index(key, 1, 5);
        index(key, 3, 4);
        assertThat(latest(key)).isEqualTo(message(5));
        LatestMessage changed =
                new LatestMessage(5, "bob", "tidemark.recalled", Body.of(""), Instant.ofEpochMilli(4_000));
        store().index(List.of(new InboxUpdate(key, 5, changed, 1)));
        assertThat(latest(key)).isEqualTo(changed);
    }

    @Test
    @DisplayName("H32: recency never goes back, whatever the clocks of the nodes say")
    void recencyNeverGoesBack() {
        String user = Fresh.id("user");
        MemberKey busy = new MemberKey("busy", user);
        MemberKey quiet = new MemberKey("quiet", user);
        store().index(List.of(
                new InboxUpdate(busy, 1, message(1, 9_000), 1), new InboxUpdate(quiet, 1, message(1, 5_000), 1)));
        store().index(List.of(new InboxUpdate(busy, 2, message(2, 2_000), 1)));
        assertThat(latest(busy)).isEqualTo(message(2, 2_000));
        assertThat(conversations(store().list(user, null, 10))).containsExactly("busy", "quiet");
        assertThat(store().list(user, null, 1).next())
                .isEqualTo(new InboxPage.Place(Instant.ofEpochMilli(9_000), "busy"));
    }

    @Test
    void aRecountPutsInWhatItFoundAndCreates() {
        MemberKey key = key();
        recount(key, 3, 7, 2, message(7));
        assertThat(held(key)).isEqualTo(entry(key, 7, 3, 7, 2));
        recount(key, 3, 8, 3, message(8));
        assertThat(held(key)).isEqualTo(entry(key, 8, 3, 8, 3));
        recount(key, 5, 8, 1, message(2));
        assertThat(held(key)).isEqualTo(entry(key, 8, 5, 8, 1));
        recount(key, 5, 8, 0, null);
        assertThat(held(key)).isEqualTo(entry(key, 8, 5, 8, 0));

        MemberKey withoutLatest = key();
        recount(withoutLatest, 0, 4, 4, null);
        assertThat(held(withoutLatest)).isEqualTo(entry(withoutLatest, 0, 0, 4, 4));
    }

    @Test
    void aRecountDoesNothingToWhatKnowsMore() {
        MemberKey readFurther = key();
        index(readFurther, 1, 9);
        read(readFurther, 6);
        recount(readFurther, 5, 20, 15, message(20));
        assertThat(held(readFurther)).isEqualTo(entry(readFurther, 9, 6, 9, InboxEntry.MISS));

        MemberKey countsFurther = key();
        index(countsFurther, 1, 9);
        recount(countsFurther, 5, 8, 3, message(8));
        assertThat(held(countsFurther)).isEqualTo(entry(countsFurther, 9, 0, 9, 9));

        MemberKey miss = key();
        index(miss, 5, 9);
        recount(miss, 5, 8, 3, message(8));
        assertThat(held(miss)).isEqualTo(entry(miss, 9, 5, 8, 3));
        index(miss, 9, 9);
        assertThat(held(miss)).isEqualTo(entry(miss, 9, 5, 9, 4));
    }

    @Test
    void readingMovesForwardOnly() {
        MemberKey key = key();
        index(key, 1, 9);
        read(key, 4);
        assertThat(held(key)).isEqualTo(entry(key, 9, 4, 9, InboxEntry.MISS));
        recount(key, 4, 9, 5, null);
        read(key, 4);
        read(key, 3);
        read(key, 0);
        assertThat(held(key)).isEqualTo(entry(key, 9, 4, 9, 5));
        read(key, 9);
        assertThat(held(key)).isEqualTo(entry(key, 9, 9, 9, 0));
        index(key, 10, 11);
        assertThat(held(key)).isEqualTo(entry(key, 11, 9, 11, 2));
        read(key, 20);
        assertThat(held(key)).isEqualTo(entry(key, 11, 20, 20, 0));
        index(key, 12, 12);
        assertMiss(key);
    }

    @Test
    void readingAllOfAMissMendsIt() {
        MemberKey key = key();
        index(key, 5, 9);
        read(key, 8);
        assertMiss(key);
        read(key, 9);
        assertThat(held(key)).isEqualTo(entry(key, 9, 9, 9, 0));
    }

    @Test
    void readingCreatesAnEntryThatIsNotListed() {
        MemberKey key = key();
        read(key, 7);
        assertThat(held(key)).isEqualTo(entry(key, 0, 7, 7, 0));
        assertThat(store().list(key.user(), null, 10)).isEqualTo(new InboxPage(List.of(), null));
        index(key, 8, 8);
        assertThat(held(key)).isEqualTo(entry(key, 8, 7, 8, 1));
        assertThat(conversations(store().list(key.user(), null, 10))).containsExactly(key.conversation());
    }

    @Test
    void whatIsDoubtedIsAMiss() {
        MemberKey key = key();
        MemberKey other = key();
        MemberKey unknown = key();
        index(key, 1, 3);
        index(other, 1, 3);
        store().doubt(List.of(key, unknown, key));
        assertThat(held(key)).isEqualTo(entry(key, 3, 0, 3, InboxEntry.MISS));
        assertThat(held(other)).isEqualTo(entry(other, 3, 0, 3, 3));
        assertThat(held(unknown)).isNull();
        store().doubt(List.of());
    }

    @Test
    void whatIsRemovedComesBackWithTheNextMessage() {
        MemberKey key = key();
        MemberKey other = new MemberKey(Fresh.id("conversation"), key.user());
        index(key, 1, 3);
        index(other, 1, 3);
        store().remove(List.of(key, key(), key));
        store().remove(List.of());
        assertThat(held(key)).isNull();
        assertThat(conversations(store().list(key.user(), null, 10))).containsExactly(other.conversation());
        index(key, 4, 4);
        assertThat(held(key)).isEqualTo(entry(key, 4, 0, 4, InboxEntry.MISS));
    }

    @Test
    void getAnswersWhatIsThere() {
        MemberKey key = key();
        index(key, 1, 1);
        Map<MemberKey, InboxEntry> found =
                store().get(List.of(key, key(), new MemberKey(key.conversation(), key.user() + "x"), key));
        assertThat(found).isEqualTo(Map.of(key, entry(key, 1, 0, 1, 1)));
        assertUnmodifiable(() -> found.put(key(), entry(key, 1, 0, 1, 1)));
        assertThat(store().get(List.of())).isEmpty();
        assertThat(store().list(Fresh.id("user"), null, 10)).isEqualTo(new InboxPage(List.of(), null));
    }

    @Test
    void aBatchOfManyIsOneCall() {
        String conversation = Fresh.id("conversation");
        List<MemberKey> keys = Fresh.ids("user", 2_500).stream()
                .map(user -> new MemberKey(conversation, user))
                .toList();
        store().index(keys.stream().map(key -> update(key, 1, 2)).toList());
        store().index(keys.stream().map(key -> update(key, 3, 3)).toList());
        Map<MemberKey, Long> readTo = new HashMap<>();
        keys.forEach(key -> readTo.put(key, 3L));
        store().read(readTo);
        store().index(keys.stream().map(key -> update(key, 4, 4)).toList());
        assertThat(another().get(keys))
                .hasSize(2_500)
                .allSatisfy((key, entry) -> assertThat(entry).isEqualTo(entry(key, 4, 3, 4, 1)));
    }

    @ParameterizedTest(name = "pages of {0}")
    @ValueSource(ints = {1, 2, 50, 125, 249, 250, 251, InboxStore.MAX_LIMIT})
    void listsJoinWithoutAGap(int limit) {
        String user = Fresh.id("user");
        Random random = new Random(limit);
        Map<String, Long> recency = new HashMap<>();
        // Few different times, so that pages end among equal ones.
        IntStream.range(0, 250)
                .forEach(i -> recency.put(i % 3 == 0 ? "c" + i : Fresh.id("c"), 1_000L * random.nextInt(20)));
        store().index(recency.entrySet().stream()
                .map(one -> new InboxUpdate(new MemberKey(one.getKey(), user), 1, message(1, one.getValue()), 1))
                .toList());
        store().index(List.of(update(new MemberKey("c0", Fresh.id("user")), 1, 1)));
        List<String> expected = recency.keySet().stream()
                .sorted(Comparator.<String, Long>comparing(recency::get)
                        .thenComparing(TrickyIds.BYTE_ORDER)
                        .reversed())
                .toList();

        assertThat(listed(user, limit)).isEqualTo(expected);
    }

    @Test
    @DisplayName("H33: an entry that becomes recent while the list is paged makes no other one be passed over")
    void entriesThatMoveWhileTheListIsPaged() {
        String user = Fresh.id("user");
        for (int i = 1; i <= 6; i++) {
            index(new MemberKey("c" + i, user), 1, i);
        }
        InboxPage first = store().list(user, null, 2);
        assertThat(conversations(first)).containsExactly("c6", "c5");
        index(new MemberKey("c5", user), 7, 7);
        index(new MemberKey("c2", user), 8, 8);
        InboxPage second = store().list(user, first.next(), 3);
        assertThat(conversations(second)).containsExactly("c4", "c3", "c1");
        assertThat(second.next()).isNull();
        assertThat(conversations(store().list(user, null, 2))).containsExactly("c2", "c5");
        store().remove(List.of(new MemberKey("c3", user)));
        assertThat(conversations(store().list(user, new InboxPage.Place(Instant.ofEpochMilli(3_000), "c3"), 3)))
                .containsExactly("c1");
    }

    @Test
    @DisplayName("H40: tricky ids are kept apart and listed in byte order; previews are kept to the byte")
    void trickyIdsAndPreviews() {
        byte[] all = new byte[LatestMessage.MAX_PREVIEW_BYTES];
        IntStream.range(0, all.length).forEach(i -> all[i] = (byte) i);
        LatestMessage latest =
                new LatestMessage(1, TrickyIds.longest('s'), "k".repeat(32), Body.of(all), Instant.EPOCH);
        String user = Fresh.id("user");
        List<MemberKey> keys = Stream.concat(
                        TrickyIds.DISTINCT.stream().map(id -> new MemberKey(id, user)),
                        TrickyIds.DISTINCT.stream().map(id -> new MemberKey(Fresh.id("conversation"), id)))
                .toList();
        store().index(keys.stream()
                .map(key -> new InboxUpdate(key, 1, latest, 1))
                .toList());
        assertThat(another().get(keys))
                .hasSize(keys.size())
                .allSatisfy((key, entry) -> assertThat(entry).isEqualTo(new InboxEntry(key, latest, 0, 1, 1)));
        List<String> sorted = TrickyIds.DISTINCT.stream()
                .sorted(TrickyIds.BYTE_ORDER.reversed())
                .toList();
        assertThat(listed(user, InboxStore.MAX_LIMIT)).isEqualTo(sorted);
        assertThat(listed(user, 1)).isEqualTo(sorted);

        MemberKey empty = key();
        LatestMessage nothing = new LatestMessage(1, "ann", "x", Body.of(""), Instant.ofEpochMilli(-5));
        store().index(List.of(new InboxUpdate(empty, 1, nothing, 0)));
        assertThat(held(empty)).isEqualTo(new InboxEntry(empty, nothing, 0, 1, 0));
    }

    @Test
    void whatIsWrongIsRefusedByNameAndNothingHappens() {
        MemberKey right = key();
        for (String wrong : TrickyIds.WRONG) {
            MemberKey conversation = new MemberKey(wrong, "u");
            MemberKey user = new MemberKey("c", wrong);
            assertRefused(
                    "conversation", () -> store().index(List.of(update(right, 1, 1), update(conversation, 1, 1))));
            assertRefused("user", () -> store().index(List.of(update(right, 1, 1), update(user, 1, 1))));
            assertRefused("user", () -> store().recount(List.of(new InboxRecount(user, 0, 0, 0, null))));
            assertRefused("conversation", () -> store().read(Map.of(right, 1L, conversation, 1L)));
            LatestMessage sender = new LatestMessage(1, wrong, "text", Body.of(""), Instant.EPOCH);
            LatestMessage kind = new LatestMessage(1, "ann", wrong, Body.of(""), Instant.EPOCH);
            assertRefused("sender", () -> store().index(List.of(new InboxUpdate(right, 1, sender, 1))));
            assertRefused("kind", () -> store().recount(List.of(new InboxRecount(right, 0, 0, 0, kind))));
            MessageLogContract.assertEmptyOrRefused(
                    () -> assertThat(store().get(List.of(conversation, user))).isEmpty());
            MessageLogContract.assertEmptyOrRefused(
                    () -> assertThat(store().list(wrong, null, 10).entries()).isEmpty());
        }
        assertRefused("updates", () -> store().index(List.of(update(right, 1, 1), update(right, 2, 2))));
        InboxRecount recount = new InboxRecount(right, 0, 1, 0, null);
        assertRefused("recounts", () -> store().recount(List.of(recount, recount)));
        assertRefused("readTo", () -> store().read(Map.of(right, -1L)));
        assertThat(held(right)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, InboxStore.MAX_LIMIT + 1, Integer.MAX_VALUE})
    void aWrongLimitIsRefusedByName(int limit) {
        assertRefused("limit", () -> store().list(Fresh.id("user"), null, limit));
    }

    @Test
    void whateverIsDoneTheStoreDoesAsTheReference() {
        Seed.run(seed -> {
            Random random = seed.random(0);
            InMemoryInboxStore reference = new InMemoryInboxStore();
            String user = Fresh.id("user");
            List<MemberKey> keys = IntStream.range(0, 4)
                    .mapToObj(i -> new MemberKey("c" + i, user))
                    .toList();
            for (int step = 0; step < 300; step++) {
                Consumer<InboxStore> operation = operation(keys, random);
                operation.accept(store());
                operation.accept(reference);
                assertThat(another().get(keys)).as("step " + step).isEqualTo(reference.get(keys));
            }
            assertThat(store().list(user, null, 3)).isEqualTo(reference.list(user, null, 3));
        });
    }

    @Test
    @DisplayName("nodes that compete: a counter that is no miss is right, and nothing is lost of the latest message")
    void ofCompetingNodesCountersAreRightOrMisses() {
        Seed.run(seed -> {
            String user = Fresh.id("user");
            List<MemberKey> keys = IntStream.range(0, 6)
                    .mapToObj(i -> new MemberKey("c" + i, user))
                    .toList();
            List<Crew.Work> nodes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                InboxStore node = another();
                Random random = seed.random(i);
                int number = i;
                nodes.add(() -> {
                    for (int step = 0; step < 60; step++) {
                        operation(keys, random).accept(node);
                        node.get(keys).values().forEach(InboxStoreContract::assertTrue);
                    }
                    List<InboxUpdate> own = keys.stream()
                            .map(key -> update(key, 1, 100_000 + number))
                            .toList();
                    node.index(own);
                });
            }
            try (Crew crew = new Crew()) {
                crew.run(nodes);
            }
            assertThat(another().get(keys))
                    .hasSize(keys.size())
                    .allSatisfy((key, entry) -> assertThat(
                                    Objects.requireNonNull(entry.latest()).seq())
                            .isGreaterThanOrEqualTo(100_003));
        });
    }

    /** Of messages that all count, a counter that is no miss says how many lie between its ends. */
    private static void assertTrue(InboxEntry entry) {
        if (!entry.isMiss()) {
            assertThat(entry.unread()).as(entry.toString()).isEqualTo((int) (entry.countedTo() - entry.readTo()));
        }
    }

    /** Something that happens to some entries, of messages up to sequence 30 that all count. */
    private static Consumer<InboxStore> operation(List<MemberKey> keys, Random random) {
        List<MemberKey> some =
                keys.stream().filter(key -> random.nextInt(3) > 0).toList();
        Map<MemberKey, Long> numbers = new HashMap<>();
        some.forEach(key -> numbers.put(key, 1L + random.nextInt(30)));
        int length = random.nextInt(3);
        int what = random.nextInt(12);
        if (what == 0) {
            return store -> store.doubt(some);
        } else if (what == 1) {
            return store -> store.read(numbers);
        } else if (what < 5) {
            Collection<InboxRecount> recounts = some.stream()
                    .map(key -> recount(key, numbers.getOrDefault(key, 1L), length))
                    .toList();
            return store -> store.recount(recounts);
        }
        return store -> {
            Map<MemberKey, InboxEntry> held = store.get(some);
            store.index(some.stream()
                    .map(key -> {
                        InboxEntry entry = held.get(key);
                        long next = entry == null ? 1 : entry.countedTo() + 1;
                        long first = what < 10 ? next : numbers.getOrDefault(key, 1L);
                        return update(key, first, first + length);
                    })
                    .toList());
        };
    }

    private static InboxRecount recount(MemberKey key, long readTo, int unread) {
        return new InboxRecount(key, readTo, readTo + unread, unread, unread == 0 ? null : message(readTo + unread));
    }

    private static List<String> conversations(InboxPage page) {
        return page.entries().stream().map(entry -> entry.key().conversation()).toList();
    }

    /** All conversations of a list, page by page. */
    private List<String> listed(String user, int limit) {
        List<String> all = new ArrayList<>();
        InboxPage page = store().list(user, null, limit);
        while (true) {
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
            all.addAll(conversations(page));
            if (page.next() == null) {
                return all;
            }
            assertThat(page.entries()).hasSize(limit);
            page = store().list(user, page.next(), limit);
        }
    }
}
