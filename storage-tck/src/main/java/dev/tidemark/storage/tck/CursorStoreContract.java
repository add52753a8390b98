package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.MessageLogContract.assertEmptyOrRefused;
import static dev.tidemark.storage.tck.MessageLogContract.assertRefused;
import static dev.tidemark.storage.tck.MessageLogContract.assertUnmodifiable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.CursorKey;
import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.KeyPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link CursorStore}: cursors only move forward, whoever moves them, and a reset stands. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class CursorStoreContract {

    private StoreFixture<? extends CursorStore> fixture;

    /** For subclasses. */
    protected CursorStoreContract() {}

    /**
     * Opens the store for one test. It may hold what other tests wrote.
     *
     * @return the fixture, closed after the test
     * @throws Exception when it cannot be opened; the test fails
     */
    protected abstract StoreFixture<? extends CursorStore> open() throws Exception;

    @BeforeEach
    void openFixture() throws Exception {
        fixture = open();
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private CursorStore store() {
        return fixture.store();
    }

    private CursorStore another() {
        return fixture.another();
    }

    private static DeviceId device() {
        return new DeviceId(Fresh.id("user"), "phone");
    }

    private static CursorKey key() {
        return device().in(Fresh.id("conversation"));
    }

    private static Cursor at(long seq) {
        return new Cursor(seq, 0);
    }

    /** Moves one cursor and answers with what is held then. */
    private static @Nullable Cursor advance(CursorStore store, CursorKey key, Cursor mark) {
        Map<CursorKey, Cursor> held = store.advance(Map.of(key, mark));
        assertThat(held).containsOnlyKeys(key);
        return held.get(key);
    }

    /** What another node holds. */
    private @Nullable Cursor held(CursorKey key) {
        return another().get(List.of(key)).get(key);
    }

    @Test
    void aSoundStoreIsVerified() {
        assertThatCode(() -> store().verify()).doesNotThrowAnyException();
    }

    @Test
    void aCursorThatWasNeverWrittenHoldsNothing() {
        CursorKey key = key();

        assertThat(store().get(List.of(key))).isEqualTo(Map.of(key, Cursor.NONE));
    }

    @Test
    void aCursorMovesForward() {
        CursorKey key = key();

        for (long seq : new long[] {1, 2, 50, 1_000_000_000_000L, Long.MAX_VALUE}) {
            assertThat(advance(store(), key, at(seq))).isEqualTo(at(seq));
            assertThat(held(key)).isEqualTo(at(seq));
        }
    }

    @Test
    void aStaleMarkChangesNothingAndIsToldWhatIsHeld() {
        CursorKey key = key();
        advance(store(), key, at(9));

        for (long seq : new long[] {0, 1, 8, 9}) {
            assertThat(advance(another(), key, at(seq))).isEqualTo(at(9));
        }
        assertThat(held(key)).isEqualTo(at(9));
    }

    @Test
    @DisplayName("H13: marks arrive 5, 9, 7 on several nodes, in any order, also at once: 9")
    void ofSeveralMarksTheGreatestStays() throws Exception {
        CursorKey oneAfterTheOther = key();
        assertThat(advance(store(), oneAfterTheOther, at(5))).isEqualTo(at(5));
        assertThat(advance(another(), oneAfterTheOther, at(9))).isEqualTo(at(9));
        assertThat(advance(store(), oneAfterTheOther, at(7))).isEqualTo(at(9));
        assertThat(held(oneAfterTheOther)).isEqualTo(at(9));

        try (Crew crew = new Crew()) {
            for (int round = 0; round < 20; round++) {
                CursorKey atOnce = key();
                crew.run(IntStream.of(5, 9, 7)
                        .mapToObj(seq -> {
                            CursorStore node = another();
                            return (Crew.Work) () -> advance(node, atOnce, at(seq));
                        })
                        .toList());
                assertThat(held(atOnce)).isEqualTo(at(9));
            }
        }
    }

    @Test
    @DisplayName("H13: a reset puts a cursor back; a late flush of what was before does not undo it")
    void aResetStandsAgainstALateFlush() {
        CursorKey key = key();
        advance(store(), key, at(100));

        assertThat(another().reset(key, 10)).isEqualTo(new Cursor(10, 1));

        assertThat(advance(store(), key, at(101))).isEqualTo(new Cursor(10, 1));
        assertThat(advance(store(), key, at(Long.MAX_VALUE))).isEqualTo(new Cursor(10, 1));
        assertThat(held(key)).isEqualTo(new Cursor(10, 1));
        assertThat(advance(store(), key, new Cursor(11, 1))).isEqualTo(new Cursor(11, 1));
        assertThat(held(key)).isEqualTo(new Cursor(11, 1));
    }

    @Test
    void everyResetRaisesTheGenerationByOne() {
        CursorKey key = key();

        assertThat(store().reset(key, 0)).isEqualTo(new Cursor(0, 1));
        assertThat(another().reset(key, 0)).isEqualTo(new Cursor(0, 2));
        assertThat(store().reset(key, 500)).isEqualTo(new Cursor(500, 3));
        assertThat(store().reset(key, Long.MAX_VALUE)).isEqualTo(new Cursor(Long.MAX_VALUE, 4));
        assertThat(store().reset(key, 7)).isEqualTo(new Cursor(7, 5));
        assertThat(held(key)).isEqualTo(new Cursor(7, 5));
    }

    @Test
    void aHigherGenerationIsAheadWhateverItsSequence() {
        CursorKey key = key();
        advance(store(), key, at(100));

        assertThat(advance(another(), key, new Cursor(0, 3))).isEqualTo(new Cursor(0, 3));
        assertThat(advance(store(), key, new Cursor(1_000, 2))).isEqualTo(new Cursor(0, 3));
        assertThat(store().reset(key, 5)).isEqualTo(new Cursor(5, 4));
    }

    @Test
    @DisplayName("H12: a negative reset is refused by name, the cursor is untouched")
    void aNegativeResetIsRefused() {
        CursorKey key = key();
        advance(store(), key, at(3));

        assertRefused("seq", () -> store().reset(key, -1));
        assertRefused("seq", () -> store().reset(key, Long.MIN_VALUE));
        assertThat(held(key)).isEqualTo(at(3));
    }

    @Test
    void aBatchMovesEachCursorByItself() {
        List<CursorKey> keys = IntStream.range(0, 1_000).mapToObj(i -> key()).toList();
        Map<CursorKey, Cursor> first = new HashMap<>();
        Map<CursorKey, Cursor> second = new HashMap<>();
        Map<CursorKey, Cursor> greater = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            if (i % 5 > 0) {
                first.put(keys.get(i), at(i));
            }
            long seq = i % 2 == 0 ? i + 1 : i / 2;
            second.put(keys.get(i), at(seq));
            greater.put(keys.get(i), at(i % 5 > 0 ? Math.max(i, seq) : seq));
        }

        assertThat(store().advance(first)).isEqualTo(first);
        assertThat(another().advance(second)).isEqualTo(greater);
        assertThat(store().get(keys)).isEqualTo(greater);
    }

    @Test
    void nothingIsDoneForNothing() {
        assertThat(store().advance(Map.of())).isEmpty();
        assertThat(store().get(List.of())).isEmpty();
    }

    @Test
    void anyNumberOfCursorsCanBeRead() {
        List<CursorKey> keys = new ArrayList<>();
        DeviceId device = device();
        Fresh.ids("conversation", 25_000).forEach(conversation -> keys.add(device.in(conversation)));
        advance(store(), keys.get(24_999), at(4));
        keys.add(keys.get(0));

        Map<CursorKey, Cursor> held = store().get(keys);

        assertThat(held).hasSize(25_000).containsEntry(keys.get(24_999), at(4)).containsEntry(keys.get(0), Cursor.NONE);
    }

    @Test
    void cursorsOfOtherUsersDevicesAndConversationsAreOthers() {
        CursorKey key = key();
        List<CursorKey> others = List.of(
                new CursorKey(Fresh.id("user"), key.device(), key.conversation()),
                new CursorKey(key.user(), "tablet", key.conversation()),
                new CursorKey(key.user(), key.device(), Fresh.id("conversation")));
        advance(store(), key, at(5));

        assertThat(store().get(others).values()).containsOnly(Cursor.NONE);
        others.forEach(other -> store().reset(other, 1));
        assertThat(held(key)).isEqualTo(at(5));
    }

    @Test
    @DisplayName("H40: users, devices and conversations are compared byte for byte, up to the greatest length")
    void differentIdsAreDifferentCursors() {
        String fresh = Fresh.id("");
        Map<CursorKey, Cursor> marks = new HashMap<>();
        for (String id : TrickyIds.DISTINCT) {
            marks.put(new CursorKey(fresh, "device", id), at(marks.size() + 1));
            marks.put(new CursorKey(fresh, id, "conversation"), at(marks.size() + 1));
            marks.put(new CursorKey(fresh, id, id), at(marks.size() + 1));
        }

        assertThat(store().advance(marks)).isEqualTo(marks);
        assertThat(another().get(marks.keySet())).isEqualTo(marks);

        // Users cannot be made fresh by a beginning: the longest would become too long. A reset is as good.
        Map<CursorKey, Cursor> ofUsers = new HashMap<>();
        for (String user : TrickyIds.DISTINCT) {
            CursorKey key = new CursorKey(user, "device", fresh);
            ofUsers.put(key, store().reset(key, ofUsers.size() + 1));
        }
        assertThat(another().get(ofUsers.keySet())).isEqualTo(ofUsers);
    }

    @Test
    @DisplayName("H40: an id that is none is refused by the name of its part; nothing else of the batch is needed")
    void aWrongIdIsRefusedByName() {
        for (String wrong : TrickyIds.WRONG) {
            assertWrongKeyRefused("user", new CursorKey(wrong, "device", "conversation"));
            assertWrongKeyRefused("device", new CursorKey("user", wrong, "conversation"));
            assertWrongKeyRefused("conversation", new CursorKey("user", "device", wrong));
        }
    }

    private void assertWrongKeyRefused(String part, CursorKey wrong) {
        CursorKey right = key();
        assertRefused(part, () -> store().advance(Map.of(right, at(1), wrong, at(1))));
        assertRefused(part, () -> store().reset(wrong, 1));
        assertThat(held(right)).as("a wrong argument: nothing happened").isEqualTo(Cursor.NONE);
        assertEmptyOrRefused(() -> assertThat(store().get(List.of(wrong))).isEqualTo(Map.of(wrong, Cursor.NONE)));
    }

    @Test
    void whatIsReturnedCannotBeChanged() {
        CursorKey key = key();

        assertUnmodifiable(() -> store().advance(Map.of(key, at(1))).clear());
        assertUnmodifiable(() -> store().get(List.of(key)).clear());
        assertUnmodifiable(() -> store().list(key.owner(), null, 10).items().clear());
    }

    @Test
    void aDeviceWithoutCursorsHasAnEmptyList() {
        assertThat(store().list(device(), null, 10)).isEqualTo(new KeyPage<>(List.of(), null));
    }

    @Test
    void theCursorsOfADeviceAreListedWithWhatTheyHold() {
        DeviceId device = device();
        advance(store(), device.in("b"), at(2));
        advance(another(), device.in("a"), at(1));
        store().reset(device.in("c"), 3);
        advance(store(), new CursorKey(device.user(), "tablet", "a"), at(9));
        advance(store(), new CursorKey(device.user(), "tablet", "bb"), at(9));
        advance(store(), new CursorKey(Fresh.id("user"), device.device(), "a"), at(9));

        assertThat(store().list(device, null, 10))
                .isEqualTo(new KeyPage<>(
                        List.of(
                                new CursorStore.Held(device.in("a"), at(1)),
                                new CursorStore.Held(device.in("b"), at(2)),
                                new CursorStore.Held(device.in("c"), new Cursor(3, 1))),
                        null));
    }

    @ParameterizedTest(name = "pages of {0}")
    @ValueSource(ints = {1, 2, 49, 50, 51, CursorStore.MAX_LIMIT})
    void listsJoinWithoutAGap(int limit) {
        for (int count : new int[] {0, 1, 49, 50, 51}) {
            DeviceId device = device();
            List<String> conversations = Fresh.ids("conversation", count).stream()
                    .sorted(TrickyIds.BYTE_ORDER)
                    .toList();
            store().advance(marks(device, conversations));

            assertThat(listed(device, limit)).as("%d cursors", count).isEqualTo(conversations);
        }
    }

    @Test
    @DisplayName("H40: cursors are listed in the byte order of the conversation's id")
    void cursorsAreListedInByteOrder() {
        DeviceId device = device();
        store().advance(marks(device, TrickyIds.DISTINCT));
        List<String> sorted =
                TrickyIds.DISTINCT.stream().sorted(TrickyIds.BYTE_ORDER).toList();

        assertThat(listed(device, CursorStore.MAX_LIMIT)).isEqualTo(sorted);
        assertThat(listed(device, 1)).isEqualTo(sorted);
        assertThat(listed(device, 7)).isEqualTo(sorted);
    }

    private static Map<CursorKey, Cursor> marks(DeviceId device, List<String> conversations) {
        Map<CursorKey, Cursor> marks = new HashMap<>();
        conversations.forEach(conversation -> marks.put(device.in(conversation), at(1)));
        return marks;
    }

    /** All conversations a device's list has, page by page. */
    private List<String> listed(DeviceId device, int limit) {
        return Pages.walk(
                limit,
                after -> store().list(device, after, limit),
                held -> held.key().conversation());
    }

    @Test
    void aListCanBeginAfterWhatIsNotThere() {
        DeviceId device = device();
        store().advance(marks(device, List.of("a", "c", "e")));

        assertThat(store().list(device, "b", 1).items())
                .singleElement()
                .satisfies(held -> assertThat(held.key().conversation()).isEqualTo("c"));
        assertThat(store().list(device, "e", 1)).isEqualTo(new KeyPage<>(List.of(), null));
        assertThat(store().list(device, "z", 1)).isEqualTo(new KeyPage<>(List.of(), null));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, CursorStore.MAX_LIMIT + 1, Integer.MAX_VALUE})
    void aWrongLimitIsRefusedByName(int limit) {
        assertRefused("limit", () -> store().list(device(), null, limit));
    }

    @Test
    @DisplayName("H13: nodes that compete, some of which reset: the greatest cursor stays, nobody sees one go back")
    void ofCompetingNodesTheGreatestCursorStays() {
        Seed.run(seed -> {
            List<CursorKey> keys = IntStream.range(0, 12).mapToObj(i -> key()).toList();
            Map<CursorKey, Cursor> held = new ConcurrentHashMap<>();
            List<Crew.Part<Map<CursorKey, Cursor>>> nodes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                CursorStore node = another();
                Random random = seed.random(i);
                boolean resets = i == 0;
                nodes.add(() -> new CompetingCursors(node, keys, held, random, resets).run());
            }
            Map<CursorKey, Cursor> greatest = new HashMap<>();
            try (Crew crew = new Crew()) {
                for (Map<CursorKey, Cursor> ofNode : crew.together(nodes)) {
                    ofNode.forEach((key, cursor) -> greatest.merge(key, cursor, CompetingCursors::greater));
                }
            }
            assertThat(another().get(keys)).isEqualTo(greatest);
        });
    }
}
