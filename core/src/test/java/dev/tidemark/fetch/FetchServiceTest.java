package dev.tidemark.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.RefusedException;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageLog;
import dev.tidemark.storage.Position;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.VisibleRange;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryCursorStore;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.RecordingListener;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import dev.tidemark.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FetchServiceTest {

    private static final DeviceId ANN = new DeviceId("ann", "phone");

    private final VirtualTime time = new VirtualTime();
    private final InMemoryMessageStore store = new InMemoryMessageStore(time.clock());
    private final InMemoryConversationDirectory members = new InMemoryConversationDirectory();
    private final InMemoryCursorStore cursors = new InMemoryCursorStore();
    private final RecordingListener listener = new RecordingListener();
    private final FetchService fetch = over(store, FetchPolicy.defaults());

    @Test
    void aPageIsWhatComesAfterThePosition() {
        members.join("c1", "ann", 1);
        write("c1", 7);
        PageResult.Page page = page(at("c1", 3), 50);
        assertThat(seqs(page)).containsExactly(4L, 5L, 6L, 7L);
        assertThat(page.after()).isEqualTo(at("c1", 3));
        assertThat(page.covered()).isEqualTo(at("c1", 7));
        assertThat(page.headSeq()).isEqualTo(7);
        assertThat(page.upToDate()).isTrue();
        assertThat(listener.events()).containsExactly("page c1 4");
    }

    @Test
    @DisplayName(
            "H19: more than fifty missed are fetched by asking again from where the page ends, until it is up to date")
    void loopUntilUpToDate() {
        members.join("c1", "ann", 1);
        write("c1", 120);
        List<Long> rendered = new ArrayList<>();
        int pages = readAll("c1", Position.START, 50, rendered);
        assertThat(rendered)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 120).boxed().toList());
        assertThat(pages).isEqualTo(3);
        assertThat(cursors.get(List.of(ANN.in("c1"))).get(ANN.in("c1"))).isEqualTo(Cursor.NONE);
    }

    @Test
    @DisplayName("H10: who died on rendering 30 of 50 goes on with 31")
    void whoDiedInTheMiddleGoesOnThere() {
        members.join("c1", "ann", 1);
        write("c1", 60);
        StoredMessage lastRendered = page(Position.START, 50).messages().get(29);
        assertThat(seqs(page(lastRendered.position(), 50))).startsWith(31L).hasSize(30);
    }

    @Test
    void theCapIsHardAndLessThanOneIsInvalid() {
        members.join("c1", "ann", 1);
        write("c1", 60);
        assertThat(page(Position.START, 10_000).messages()).hasSize(50);
        assertThat(page(Position.START, 1).messages()).hasSize(1);
        assertInvalid("limit", fetch.page(ANN, "c1", Position.START, 0));
        assertInvalid("after", fetch.page(ANN, "c1", null, 10));
        assertInvalid("device", fetch.page(null, "c1", Position.START, 10));
        assertInvalid("limit", fetch.page(ANN, "c1", Position.START, -5));
    }

    @Test
    void wrongIdsAreRefusedByName() {
        assertInvalid("conversation", fetch.page(ANN, "", Position.START));
        assertInvalid("user", fetch.page(new DeviceId("", "phone"), "c1", Position.START));
        assertInvalid("device", fetch.page(new DeviceId("ann", "\0"), "c1", Position.START));
    }

    @Test
    void anEmptyConversationIsUpToDate() {
        members.join("c1", "ann", 1);
        PageResult.Page page = page(Position.START, 50);
        assertThat(page.messages()).isEmpty();
        assertThat(page.upToDate()).isTrue();
        assertThat(page.covered()).isEqualTo(Position.START);
    }

    @Test
    @DisplayName("H11: a page carries the server's own cursor of the device")
    void aPageCarriesTheServersCursor() {
        members.join("c1", "ann", 1);
        write("c1", 3);
        cursors.advance(Map.of(ANN.in("c1"), new Cursor(2, 0)));
        assertThat(page(at("c1", 3), 50).serverCursor()).isEqualTo(new Cursor(2, 0));
    }

    @Test
    @DisplayName("P9: who never was a member is refused, whether the conversation exists or not")
    void whoNeverWasAMemberIsRefused() {
        members.join("c1", "bob", 1);
        write("c1", 3);
        assertThat(refused(fetch.page(ANN, "c1", Position.START))).isEqualTo(ErrorCode.NOT_A_MEMBER);
        assertThat(refused(fetch.page(ANN, "c99", Position.START))).isEqualTo(ErrorCode.NOT_A_MEMBER);
    }

    @Test
    @DisplayName("H23: joined at 100, left at 200, rejoined at 300: sees its ranges only and is up to date")
    void seesItsRangesOnly() {
        write("c1", 500);
        members.join("c1", "ann", 100);
        members.leave("c1", "ann", 200);
        members.join("c1", "ann", 300);
        List<Long> rendered = new ArrayList<>();
        int pages = readAll("c1", Position.START, 50, rendered);
        List<Long> visible = LongStream.concat(LongStream.rangeClosed(100, 200), LongStream.rangeClosed(300, 500))
                .boxed()
                .toList();
        assertThat(rendered).isEqualTo(visible);
        // 101 rows are three pages, 201 rows are five: what is invisible costs no page.
        assertThat(pages).isEqualTo(8);
    }

    @Test
    @DisplayName("H23: left while the head is 500: up to date at the visible head")
    void aFormerMemberIsUpToDateAtItsVisibleHead() {
        write("c1", 300);
        members.join("c1", "ann", 100);
        members.leave("c1", "ann", 200);
        write("c1", 200);
        PageResult.Page page = page(at("c1", 200), 50);
        assertThat(page.upToDate()).isTrue();
        assertThat(page.headSeq()).isEqualTo(200);
        // A push may have come before the leave was recorded: standing further is up to date as well.
        assertThat(page(at("c1", 205), 50).upToDate()).isTrue();
        List<Long> rendered = new ArrayList<>();
        readAll("c1", Position.START, 50, rendered);
        assertThat(rendered)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(100, 200).boxed().toList());
    }

    @Test
    void whoJoinsWithoutHistoryIsUpToDateUntilSomethingIsWritten() {
        write("c1", 10);
        members.join("c1", "ann", 11);
        PageResult.Page before = page(Position.START, 50);
        assertThat(before.upToDate()).isTrue();
        assertThat(before.headSeq()).isZero();
        write("c1", 1);
        PageResult.Page after = page(before.covered(), 50);
        assertThat(seqs(after)).containsExactly(11L);
        assertThat(after.upToDate()).isTrue();
    }

    @Test
    void noTagOfAnInvisibleMessageIsGivenOut() {
        write("c1", 30);
        members.join("c1", "ann", 5);
        members.leave("c1", "ann", 8);
        members.join("c1", "ann", 20);
        for (Position after : List.of(Position.START, at("c1", 6), at("c1", 8))) {
            PageResult.Page page = page(after, 3);
            assertThat(page.messages())
                    .allSatisfy(message -> assertThat(message.seq())
                            .satisfiesAnyOf(
                                    seq -> assertThat(seq).isBetween(5L, 8L),
                                    seq -> assertThat(seq).isGreaterThanOrEqualTo(20L)));
            assertThat(page.covered())
                    .isEqualTo(page.messages().get(page.messages().size() - 1).position());
        }
    }

    @Test
    @DisplayName("P10, H16: a position whose row is another one is told to reset")
    void anotherRowAtThePositionIsAReset() {
        members.join("c1", "ann", 1);
        write("c1", 5);
        Runnable restore = store.backup();
        write("c1", 3);
        Position before = at("c1", 8);
        restore.run();
        for (int i = 0; i < 10; i++) {
            append("c1", "other" + i);
        }
        PageResult.Reset reset = (PageResult.Reset) now(fetch.page(ANN, "c1", before));
        assertThat(reset.reason()).isEqualTo(PageResult.Reset.Reason.REWRITTEN);
        assertThat(reset.head()).isEqualTo(at("c1", 15));
        assertThat(reset.after()).isEqualTo(before);
    }

    @Test
    @DisplayName("P10, H16: a position past the head is told to reset, never answered with a silent empty page")
    void aPositionPastTheHeadIsAReset() {
        members.join("c1", "ann", 1);
        write("c1", 5);
        Runnable restore = store.backup();
        write("c1", 3);
        Position before = at("c1", 8);
        restore.run();
        PageResult.Reset reset = (PageResult.Reset) now(fetch.page(ANN, "c1", before));
        assertThat(reset.reason()).isEqualTo(PageResult.Reset.Reason.BEYOND_HEAD);
        assertThat(reset.head()).isEqualTo(at("c1", 5));
    }

    @Test
    void aResetTellsAFormerMemberItsOwnHeadOnly() {
        write("c1", 30);
        members.join("c1", "ann", 1);
        members.leave("c1", "ann", 12);
        PageResult.Reset reset = (PageResult.Reset) now(fetch.page(ANN, "c1", new Position(10, 4711)));
        assertThat(reset.head()).isEqualTo(at("c1", 12));
        members.join("c2", "ann", 9);
        write("c2", 3);
        PageResult.Reset nothing = (PageResult.Reset) now(fetch.page(ANN, "c2", new Position(2, 4711)));
        assertThat(nothing.head()).isEqualTo(Position.START);
    }

    @Test
    @DisplayName("H15: a head that was lost or set back hides no message and resets no device")
    void aLostHeadHidesNothing() {
        members.join("c1", "ann", 1);
        write("c1", 5);
        store.deleteHead("c1");
        assertThat(seqs(page(at("c1", 2), 50))).containsExactly(3L, 4L, 5L);
        store.setHead("c1", 3);
        assertThat(seqs(page(at("c1", 2), 50))).containsExactly(3L, 4L, 5L);
    }

    @Test
    @DisplayName("P10: below the floor the answer is a direction to the archive")
    void belowTheFloorIsTheArchive() {
        members.join("c1", "ann", 1);
        write("c1", 20);
        FetchService trimmed = over(new TrimmedLog(store, 10), FetchPolicy.defaults());
        for (Position after : List.of(Position.START, at("c1", 4), at("c1", 9))) {
            assertThat(now(trimmed.page(ANN, "c1", after))).isEqualTo(new PageResult.Archived("c1", after, 10));
        }
        assertThat(seqs((PageResult.Page) now(trimmed.page(ANN, "c1", at("c1", 10)))))
                .startsWith(11L)
                .hasSize(10);
    }

    @Test
    void whoMaySeeNothingOfTheArchiveIsNotSentThere() {
        write("c1", 20);
        members.join("c1", "ann", 15);
        members.join("c1", "bob", 1);
        members.leave("c1", "bob", 5);
        FetchService trimmed = over(new TrimmedLog(store, 10), FetchPolicy.defaults());
        assertThat(seqs((PageResult.Page) now(trimmed.page(ANN, "c1", Position.START))))
                .startsWith(15L);
        DeviceId bob = new DeviceId("bob", "phone");
        assertThat(now(trimmed.page(bob, "c1", at("c1", 2)))).isInstanceOf(PageResult.Archived.class);
        assertThat(((PageResult.Page) now(trimmed.page(bob, "c1", at("c1", 5)))).upToDate())
                .isTrue();
    }

    @Test
    @DisplayName("H31: a row that went to the archive between head and rows is a direction, no hole")
    void aRowThatWasArchivedMeanwhileIsADirection() {
        members.join("c1", "ann", 1);
        write("c1", 20);
        TrimmedLog racing = new TrimmedLog(store, 10);
        racing.staleFloor = 0L;
        FetchService trimmed = over(racing, FetchPolicy.defaults());
        assertThat(now(trimmed.page(ANN, "c1", at("c1", 4)))).isEqualTo(new PageResult.Archived("c1", at("c1", 4), 10));
    }

    @Test
    void aHoleIsCorruptAndNeverSkipped() {
        members.join("c1", "ann", 1);
        write("c1", 20);
        for (long hole : new long[] {5, 9, 20}) {
            TrimmedLog log = new TrimmedLog(store, 0);
            log.hole = hole;
            FetchService holed = over(log, FetchPolicy.defaults());
            assertThat(refused(holed.page(ANN, "c1", at("c1", 4)))).isEqualTo(ErrorCode.CORRUPT);
        }
    }

    @Test
    void aStoreThatFailsIsAnAnswerAndLoggedOnce() {
        members.join("c1", "ann", 1);
        ScriptedMessageStore failing = new ScriptedMessageStore(store);
        FetchService service = over(failing, FetchPolicy.defaults());
        try (Logs logs = new Logs()) {
            for (StorageException.Kind kind : StorageException.Kind.values()) {
                failing.failReads(ScriptedMessageStore.fault(kind));
                ErrorCode expected = switch (kind) {
                    // A read changes nothing, so its outcome cannot be unknown.
                    case UNAVAILABLE, UNKNOWN_OUTCOME -> ErrorCode.UNAVAILABLE;
                    case CORRUPT -> ErrorCode.CORRUPT;
                    case UNSUPPORTED -> ErrorCode.UNSUPPORTED;
                };
                assertThat(refused(service.page(ANN, "c1", Position.START))).isEqualTo(expected);
            }
            assertThat(logs.lines()).hasSize(1);
            assertThat(logs.lines().get(0)).contains("ann", "c1");
        }
    }

    @Test
    @DisplayName("P8: too many reads are refused at once")
    void tooManyReadsAreRefused() {
        members.join("c1", "ann", 1);
        FetchService narrow = over(store, new FetchPolicy(2, 3));
        List<CompletionStage<PageResult>> taken = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            taken.add(narrow.page(ANN, "c1", Position.START));
        }
        CompletionStage<PageResult> tooMuch = narrow.page(ANN, "c1", Position.START);
        PageResult.Refused refused = (PageResult.Refused) Stages.now(tooMuch);
        assertThat(refused.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refused.retryAfter()).isPositive();
        time.run();
        assertThat(taken).allSatisfy(stage -> assertThat(Stages.now(stage)).isInstanceOf(PageResult.Page.class));
    }

    @Test
    void anExecutorThatRefusesIsAnAnswer() {
        FetchService service = new FetchService(
                store,
                cursors,
                members,
                FetchPolicy.defaults(),
                new Threads(
                        task -> {
                            throw new RejectedExecutionException();
                        },
                        time,
                        time),
                listener);
        service.start();
        assertThat(refused(service.page(ANN, "c1", Position.START))).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void beforeTheStartAndAfterTheEndItIsClosed() {
        FetchService service = new FetchService(
                store, cursors, members, FetchPolicy.defaults(), new Threads(time, time, time), listener);
        assertThat(refused(service.page(ANN, "c1", Position.START))).isEqualTo(ErrorCode.CLOSED);
        service.start();
        members.join("c1", "ann", 1);
        CompletionStage<PageResult> accepted = service.page(ANN, "c1", Position.START);
        CompletionStage<Void> end = service.shutdown(Duration.ofSeconds(1));
        assertThat(refused(service.page(ANN, "c1", Position.START))).isEqualTo(ErrorCode.CLOSED);
        assertThat(now(accepted)).isInstanceOf(PageResult.Page.class);
        assertThat(Stages.isDone(end)).isTrue();
    }

    @Test
    void whatHangsAtTheDeadlineIsClosed() {
        List<Runnable> threads = new ArrayList<>();
        FetchService service = new FetchService(
                store, cursors, members, FetchPolicy.defaults(), new Threads(threads::add, time, time), listener);
        service.start();
        CompletionStage<PageResult> stuck = service.page(ANN, "c1", Position.START);
        CompletionStage<Void> end = service.shutdown(Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(Stages.isDone(end)).isTrue();
        assertThat(refused(stuck)).isEqualTo(ErrorCode.CLOSED);
    }

    @Test
    void theBlockingFormThrowsWhatTheOtherAnswers() {
        assertThatThrownBy(() -> fetch.pageAndWait(ANN, "c1", Position.START, 0))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> fetch.pageAndWait(ANN, "c1", Position.START, 50))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName(
            "P6: whatever the ranges, the page sizes and the starting point: once, in order, nothing else, no reset")
    void coverageIsSound() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            String conversation = "random" + round;
            write(conversation, random.nextInt(120));
            List<VisibleRange> ranges = new ArrayList<>();
            long first = 1L + random.nextInt(20);
            for (int i = random.nextInt(4); i >= 0; i--) {
                long last = i == 0 && random.nextBoolean() ? VisibleRange.OPEN : first + random.nextInt(30);
                members.join(conversation, "ann", first);
                if (last != VisibleRange.OPEN) {
                    members.leave(conversation, "ann", last);
                }
                ranges.add(new VisibleRange(first, last));
                first = last == VisibleRange.OPEN ? 0 : last + 1 + random.nextInt(30);
            }
            long head = store.heads(List.of(conversation)).get(conversation).seq();
            long start = head == 0 ? 0 : random.nextInt((int) head + 1);
            List<Long> expected = LongStream.rangeClosed(start + 1, head)
                    .filter(seq -> ranges.stream().anyMatch(range -> range.contains(seq)))
                    .boxed()
                    .toList();
            List<Long> rendered = new ArrayList<>();
            readAll(conversation, at(conversation, start), 1 + random.nextInt(60), rendered);
            assertThat(rendered)
                    .as("seed %d round %d ranges %s start %d", seed, round, ranges, start)
                    .isEqualTo(expected);
        }
    }

    private int readAll(String conversation, Position from, int limit, List<Long> rendered) {
        Position position = from;
        for (int pages = 1; ; pages++) {
            PageResult.Page page = (PageResult.Page) now(fetch.page(ANN, conversation, position, limit));
            rendered.addAll(seqs(page));
            position = page.covered();
            if (page.upToDate()) {
                return pages;
            }
            assertThat(page.messages()).isNotEmpty();
        }
    }

    private FetchService over(MessageLog log, FetchPolicy policy) {
        FetchService service = new FetchService(log, cursors, members, policy, new Threads(time, time, time), listener);
        service.start();
        return service;
    }

    private PageResult.Page page(Position after, int limit) {
        return (PageResult.Page) now(fetch.page(ANN, "c1", after, limit));
    }

    private PageResult now(CompletionStage<PageResult> stage) {
        time.run();
        return Stages.now(stage);
    }

    private ErrorCode refused(CompletionStage<PageResult> stage) {
        return ((PageResult.Refused) now(stage)).code();
    }

    private void assertInvalid(String field, CompletionStage<PageResult> stage) {
        PageResult.Refused refused = (PageResult.Refused) Stages.now(stage);
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID);
        assertThat(refused.refusal().field()).isEqualTo(field);
    }

    private void write(String conversation, int count) {
        for (int i = 0; i < count; i++) {
            append(
                    conversation,
                    "m" + (store.heads(List.of(conversation)).get(conversation).seq() + 1));
        }
    }

    private void append(String conversation, String messageId) {
        store.append(List.of(Draft.of(conversation, "bob", messageId, Body.of("x"))));
    }

    private Position at(String conversation, long seq) {
        return seq == 0
                ? Position.START
                : store.after(conversation, seq - 1, 1).messages().get(0).position();
    }

    private static List<Long> seqs(PageResult.Page page) {
        return page.messages().stream().map(StoredMessage::seq).toList();
    }

    /** A log from which rows were taken: those up to the floor, or one in the middle. */
    private static final class TrimmedLog implements MessageLog {

        private final MessageLog real;
        private final long floor;
        private Long staleFloor;
        private long hole;

        TrimmedLog(MessageLog real, long floor) {
            this.real = real;
            this.floor = floor;
        }

        @Override
        public Slice after(String conversation, long after, int limit) {
            Slice slice = real.after(conversation, after, limit);
            Head head = new Head(
                    slice.head().seq(),
                    staleFloor == null ? floor : staleFloor,
                    slice.head().tag());
            boolean anchored = after > floor && after != hole;
            List<StoredMessage> left = real.after(conversation, after, MAX_LIMIT).messages().stream()
                    .filter(message -> message.seq() > floor && message.seq() != hole)
                    .limit(limit)
                    .toList();
            return new Slice(head, anchored ? slice.anchor() : null, left);
        }

        @Override
        public Slice before(String conversation, long before, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<String, Head> heads(Collection<String> conversations) {
            Map<String, Head> heads = new HashMap<>();
            real.heads(conversations).forEach((id, head) -> heads.put(id, new Head(head.seq(), floor, head.tag())));
            return heads;
        }
    }
}
