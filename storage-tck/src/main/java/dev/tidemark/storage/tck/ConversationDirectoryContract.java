package dev.tidemark.storage.tck;

import static dev.tidemark.storage.tck.MessageLogContract.assertEmptyOrRefused;
import static dev.tidemark.storage.tck.MessageLogContract.assertRefused;
import static dev.tidemark.storage.tck.MessageLogContract.assertUnmodifiable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MutableConversationDirectory;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.VisibleRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link MutableConversationDirectory}. A host that implements only {@link ConversationDirectory} over
 * tables of its own can run it too, with a fixture whose {@code join} and {@code leave} write to those tables.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ConversationDirectoryContract {

    private StoreFixture<? extends MutableConversationDirectory> fixture;

    /** For subclasses. */
    protected ConversationDirectoryContract() {}

    /**
     * Opens the directory for one test. It may hold what other tests wrote.
     *
     * @return the fixture, closed after the test
     * @throws Exception when it cannot be opened; the test fails
     */
    protected abstract StoreFixture<? extends MutableConversationDirectory> open() throws Exception;

    @BeforeEach
    void openFixture() throws Exception {
        fixture = open();
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private MutableConversationDirectory directory() {
        return fixture.store();
    }

    private MutableConversationDirectory another() {
        return fixture.another();
    }

    /** What another node lets the user see. */
    private @Nullable Visibility visibility(String conversation, String user) {
        MemberKey key = new MemberKey(conversation, user);
        Map<MemberKey, Visibility> answer = another().visibility(List.of(key));
        assertThat(answer).containsOnlyKeys(key);
        return answer.get(key);
    }

    private List<Member> members(String conversation) {
        return another()
                .members(conversation, null, ConversationDirectory.MAX_LIMIT)
                .items();
    }

    private List<String> conversations(String user) {
        return another()
                .conversations(user, null, ConversationDirectory.MAX_LIMIT)
                .items();
    }

    private static Visibility ranges(VisibleRange... ranges) {
        return new Visibility(List.of(ranges));
    }

    @Test
    void aSoundStoreIsVerified() {
        assertThatCode(() -> directory().verify()).doesNotThrowAnyException();
    }

    @Test
    void whoIsUnknownIsNowhere() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");

        assertThat(directory().members(conversation, null, 50)).isEqualTo(new KeyPage<>(List.of(), null));
        assertThat(directory().conversations(user, null, 50)).isEqualTo(new KeyPage<>(List.of(), null));
        assertThat(visibility(conversation, user)).isEqualTo(Visibility.NONE);
    }

    @Test
    void whoJoinsIsAMemberFromThereOn() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");

        directory().join(conversation, user, 101);

        assertThat(visibility(conversation, user)).isEqualTo(ranges(VisibleRange.from(101)));
        assertThat(members(conversation)).containsExactly(new Member(user, 101));
        assertThat(conversations(user)).containsExactly(conversation);
    }

    @Test
    void whoIsAMemberAlreadyStaysAsHeIs() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        directory().join(conversation, user, 10);

        for (long first : new long[] {1, 10, 11, 500}) {
            another().join(conversation, user, first);
        }

        assertThat(visibility(conversation, user)).isEqualTo(ranges(VisibleRange.from(10)));
        assertThat(members(conversation)).containsExactly(new Member(user, 10));
    }

    @Test
    void whoLeavesSeesWhatWasBefore() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        directory().join(conversation, user, 1);

        another().leave(conversation, user, 500);

        assertThat(visibility(conversation, user)).isEqualTo(ranges(new VisibleRange(1, 500)));
        assertThat(members(conversation)).isEmpty();
        assertThat(conversations(user)).containsExactly(conversation);
    }

    @Test
    void whoIsNoMemberCannotLeave() {
        String conversation = Fresh.id("conversation");
        String stranger = Fresh.id("user");
        String former = Fresh.id("user");
        directory().join(conversation, former, 1);
        directory().leave(conversation, former, 10);

        directory().leave(conversation, stranger, 20);
        directory().leave(conversation, former, 20);
        directory().leave(conversation, former, 5);

        assertThat(visibility(conversation, stranger)).isEqualTo(Visibility.NONE);
        assertThat(visibility(conversation, former)).isEqualTo(ranges(new VisibleRange(1, 10)));
        assertThat(conversations(stranger)).isEmpty();
    }

    @Test
    @DisplayName("H23: joined at 100, left at 200, rejoined at 300: sees its ranges only")
    void whoRejoinsSeesItsRangesOnly() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        directory().join(conversation, user, 100);
        directory().leave(conversation, user, 200);

        directory().join(conversation, user, 300);

        assertThat(visibility(conversation, user))
                .isEqualTo(ranges(new VisibleRange(100, 200), VisibleRange.from(300)));
        assertThat(members(conversation)).containsExactly(new Member(user, 300));
        assertThat(conversations(user)).containsExactly(conversation);

        directory().leave(conversation, user, 400);
        directory().join(conversation, user, 401);
        directory().leave(conversation, user, 401);
        assertThat(visibility(conversation, user))
                .isEqualTo(ranges(new VisibleRange(100, 200), new VisibleRange(300, 400), new VisibleRange(401, 401)));
        assertThat(conversations(user)).containsExactly(conversation);
    }

    @Test
    @DisplayName("H23: a membership cannot begin inside an earlier one; nothing happens")
    void aMembershipCannotBeginInsideAnEarlierOne() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        directory().join(conversation, user, 100);
        directory().leave(conversation, user, 200);

        for (long first : new long[] {1, 99, 100, 150, 200}) {
            assertRefused("first", () -> directory().join(conversation, user, first));
        }
        assertThat(visibility(conversation, user)).isEqualTo(ranges(new VisibleRange(100, 200)));
        assertThat(members(conversation)).isEmpty();

        directory().join(conversation, user, 201);
        assertThat(members(conversation)).containsExactly(new Member(user, 201));
    }

    @Test
    void ofAMembershipThatEndedBeforeItsFirstMessageNothingIsVisible() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        for (long last : new long[] {0, 50, 99}) {
            directory().join(conversation, user, 100);
            directory().leave(conversation, user, last);

            assertSeesNothing(conversation, user);
            assertThat(members(conversation)).isEmpty();
        }
        // It is no obstacle to a later one.
        directory().join(conversation, user, 100);
        assertThat(members(conversation)).containsExactly(new Member(user, 100));
    }

    private void assertSeesNothing(String conversation, String user) {
        Visibility visibility = visibility(conversation, user);
        assertThat(visibility).isNotNull().satisfies(it -> {
            assertThat(it.isMember()).isFalse();
            assertThat(it.headWithin(1_000)).isZero();
            assertThat(List.of(1L, 50L, 99L, 100L, 101L)).noneMatch(it::sees);
        });
    }

    @Test
    void wrongEndsAreRefusedByName() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");

        assertRefused("first", () -> directory().join(conversation, user, 0));
        assertRefused("first", () -> directory().join(conversation, user, -1));
        assertThat(visibility(conversation, user)).isEqualTo(Visibility.NONE);

        directory().join(conversation, user, 1);
        assertRefused("last", () -> directory().leave(conversation, user, -1));
        assertThat(visibility(conversation, user)).isEqualTo(ranges(VisibleRange.from(1)));
    }

    @Test
    void visibilityIsAnsweredForEveryPairAsked() {
        String conversation = Fresh.id("conversation");
        String other = Fresh.id("conversation");
        String ann = Fresh.id("user");
        String bob = Fresh.id("user");
        directory().join(conversation, ann, 1);
        directory().join(other, bob, 7);
        MemberKey annHere = new MemberKey(conversation, ann);
        MemberKey bobHere = new MemberKey(conversation, bob);
        MemberKey bobThere = new MemberKey(other, bob);

        assertThat(directory().visibility(List.of(annHere, bobThere, bobHere, annHere)))
                .isEqualTo(Map.of(
                        annHere,
                        ranges(VisibleRange.from(1)),
                        bobThere,
                        ranges(VisibleRange.from(7)),
                        bobHere,
                        Visibility.NONE));
        assertThat(directory().visibility(List.of())).isEmpty();
    }

    @Test
    void visibilityOfAnyNumberOfPairs() {
        String user = Fresh.id("user");
        List<MemberKey> keys = new ArrayList<>();
        Fresh.ids("conversation", 25_000).forEach(conversation -> keys.add(new MemberKey(conversation, user)));
        MemberKey member = keys.get(24_999);
        directory().join(member.conversation(), user, 3);

        Map<MemberKey, Visibility> visibility = directory().visibility(keys);

        assertThat(visibility)
                .hasSize(25_000)
                .containsEntry(member, ranges(VisibleRange.from(3)))
                .containsEntry(keys.get(0), Visibility.NONE);
    }

    @ParameterizedTest(name = "pages of {0}")
    @ValueSource(ints = {1, 2, 49, 50, 51, ConversationDirectory.MAX_LIMIT})
    void listsJoinWithoutAGap(int limit) {
        for (int count : new int[] {0, 1, 49, 50, 51}) {
            String conversation = Fresh.id("conversation");
            String user = Fresh.id("user");
            List<String> users = sorted(Fresh.ids("user", count));
            List<String> conversations = sorted(Fresh.ids("conversation", count));
            users.forEach(it -> directory().join(conversation, it, 1));
            conversations.forEach(it -> directory().join(it, user, 1));

            assertThat(pagedMembers(conversation, limit))
                    .as("%d members", count)
                    .isEqualTo(users);
            assertThat(pagedConversations(user, limit))
                    .as("%d conversations", count)
                    .isEqualTo(conversations);
        }
    }

    private static List<String> sorted(List<String> ids) {
        return ids.stream().sorted(TrickyIds.BYTE_ORDER).toList();
    }

    private List<String> pagedMembers(String conversation, int limit) {
        return Pages.walk(limit, after -> directory().members(conversation, after, limit), Member::user);
    }

    private List<String> pagedConversations(String user, int limit) {
        return Pages.walk(limit, after -> directory().conversations(user, after, limit), it -> it);
    }

    @Test
    @DisplayName("H40: ids are compared byte for byte and listed in byte order, up to the greatest length")
    void differentIdsAreDifferent() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        for (String id : TrickyIds.DISTINCT) {
            directory().join(conversation, id, TrickyIds.DISTINCT.indexOf(id) + 1);
            directory().join(id, user, TrickyIds.DISTINCT.indexOf(id) + 1);
        }

        assertThat(pagedMembers(conversation, ConversationDirectory.MAX_LIMIT)).isEqualTo(sorted(TrickyIds.DISTINCT));
        assertThat(pagedMembers(conversation, 7)).isEqualTo(sorted(TrickyIds.DISTINCT));
        assertThat(pagedConversations(user, 7)).isEqualTo(sorted(TrickyIds.DISTINCT));
        for (String id : TrickyIds.DISTINCT) {
            Visibility expected = ranges(VisibleRange.from(TrickyIds.DISTINCT.indexOf(id) + 1));
            assertThat(visibility(conversation, id)).isEqualTo(expected);
            assertThat(visibility(id, user)).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("H40: an id that is none is refused by name when it is written, and nowhere when it is asked for")
    void aWrongIdIsRefusedByName() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        for (String wrong : TrickyIds.WRONG) {
            assertRefused("conversation", () -> directory().join(wrong, user, 1));
            assertRefused("user", () -> directory().join(conversation, wrong, 1));
            assertEmptyOrRefused(() ->
                    assertThat(directory().members(wrong, null, 50).items()).isEmpty());
            assertEmptyOrRefused(
                    () -> assertThat(directory().conversations(wrong, null, 50).items())
                            .isEmpty());
            assertEmptyOrRefused(
                    () -> assertThat(visibility(conversation, wrong)).isEqualTo(Visibility.NONE));
            assertEmptyOrRefused(() -> assertThat(visibility(wrong, user)).isEqualTo(Visibility.NONE));
        }
        assertThat(members(conversation)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, ConversationDirectory.MAX_LIMIT + 1, Integer.MAX_VALUE})
    void aWrongLimitIsRefusedByName(int limit) {
        assertRefused("limit", () -> directory().members(Fresh.id("conversation"), null, limit));
        assertRefused("limit", () -> directory().conversations(Fresh.id("user"), null, limit));
    }

    @Test
    @DisplayName("H33: who stays is neither skipped nor shown twice, whoever comes and goes between two pages")
    void whoStaysIsShownOnce() {
        Seed.run(seed -> {
            Random random = seed.random(0);
            String conversation = Fresh.id("conversation");
            List<String> staying = sorted(Fresh.ids("user", 60));
            List<String> going = Fresh.ids("user", 40);
            staying.forEach(user -> directory().join(conversation, user, 1));
            going.forEach(user -> directory().join(conversation, user, 1));

            List<String> shown = new ArrayList<>();
            String after = null;
            do {
                KeyPage<Member> page = directory().members(conversation, after, 7);
                page.items().forEach(member -> shown.add(member.user()));
                assertThat(shown).doesNotHaveDuplicates();
                after = page.next();
                another().leave(conversation, going.get(random.nextInt(going.size())), 10);
                another().join(conversation, Fresh.id(random.nextBoolean() ? "a" : "z"), 11);
            } while (after != null);

            assertThat(shown)
                    .containsSubsequence(staying)
                    .doesNotHaveDuplicates()
                    .isSortedAccordingTo(TrickyIds.BYTE_ORDER);
        });
    }

    @Test
    void whatIsReturnedCannotBeChanged() {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        directory().join(conversation, user, 1);

        assertUnmodifiable(
                () -> directory().members(conversation, null, 50).items().clear());
        assertUnmodifiable(
                () -> directory().conversations(user, null, 50).items().clear());
        assertUnmodifiable(() -> directory()
                .visibility(List.of(new MemberKey(conversation, user)))
                .clear());
    }

    @Test
    void manyNodesThatLetAUserJoinMakeOneMembership() throws Exception {
        try (Crew crew = new Crew()) {
            for (int round = 0; round < 10; round++) {
                String conversation = Fresh.id("conversation");
                String user = Fresh.id("user");
                List<Crew.Work> joins = new ArrayList<>();
                for (int i = 1; i <= 4; i++) {
                    MutableConversationDirectory node = another();
                    long first = i;
                    joins.add(() -> node.join(conversation, user, first));
                }
                crew.run(joins);

                assertThat(members(conversation)).hasSize(1);
                assertThat(visibility(conversation, user))
                        .isNotNull()
                        .satisfies(it -> assertThat(it.ranges()).singleElement().matches(VisibleRange::isOpen));
            }
        }
    }

    @Test
    void aUserWhoComesAndGoesOnManyNodesHasOrderlyRanges() throws Exception {
        String conversation = Fresh.id("conversation");
        String user = Fresh.id("user");
        List<Crew.Work> works = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            MutableConversationDirectory node = another();
            works.add(() -> {
                for (int seq = 1; seq <= 20; seq++) {
                    comeAndGo(node, conversation, user, seq * 10L);
                }
            });
        }
        try (Crew crew = new Crew()) {
            crew.run(works);
        }
        // Visibility itself checks that the ranges are in order and apart.
        assertThat(visibility(conversation, user)).isNotNull().satisfies(it -> {
            assertThat(it.isMember()).isFalse();
            assertThat(it.isAny()).isTrue();
        });
    }

    /** Who comes too late, after another node's membership of the same sequences, is refused. */
    private static void comeAndGo(MutableConversationDirectory node, String conversation, String user, long seq) {
        assertEmptyOrRefused(() -> node.join(conversation, user, seq));
        node.leave(conversation, user, seq + 5);
    }
}
