package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.cursor.AckResult;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.RefusedException;
import dev.tidemark.fetch.PageResult;
import dev.tidemark.send.SendPolicy;
import dev.tidemark.send.SendRequest;
import dev.tidemark.send.SendResult;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Cursor;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.MessageStore;
import dev.tidemark.storage.Position;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryCursorStore;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.testing.RecordingTransport;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The door, with the threads it makes itself. */
class TidemarkTest {

    private static final DeviceId BOB = new DeviceId("bob", "phone");

    private final InMemoryMessageStore memory = new InMemoryMessageStore();
    private final InMemoryConversationDirectory members = new InMemoryConversationDirectory();
    private final RecordingTransport transport = new RecordingTransport();

    @Test
    void aMessageIsSentPushedFetchedAndAcknowledged() {
        members.join("c1", "ann", 1);
        members.join("c1", "bob", 1);
        try (Tidemark tidemark = over(memory).build()) {
            tidemark.start();
            tidemark.presence().connect(BOB, "node");
            SendResult.Stored stored = tidemark.sendPipeline().sendAndWait(SendRequest.of("c1", "ann", "m1", "hello"));
            assertThat(stored.seq()).isEqualTo(1);
            Awaitility.await().until(() -> transport.seqs("bob", "phone", "c1").equals(List.of(1L)));
            PageResult.Page page = (PageResult.Page) tidemark.fetchService().pageAndWait(BOB, "c1", Position.START, 50);
            assertThat(page.messages()).hasSize(1);
            assertThat(page.serverCursor()).isEqualTo(Cursor.NONE);
            assertThat(tidemark.cursorManager().acknowledgeAndWait(BOB, "c1", 1))
                    .isEqualTo(new Cursor(1, 0));
        }
        assertNoThreads();
    }

    @Test
    void noThreadIsStartedBeforeTheStartAndEveryCallIsRefused() {
        Tidemark tidemark = over(memory).build();
        assertRefusesEverything(tidemark);
        assertNoThreads();
        tidemark.close();
        assertNoThreads();
        assertRefusesEverything(tidemark);
        assertThatThrownBy(tidemark::start)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }

    @Test
    void theStartAsksEveryStoreAndMayBeTriedAgain() {
        AtomicInteger asked = new AtomicInteger();
        InMemoryCursorStore cursors = new InMemoryCursorStore();
        Tidemark tidemark = Tidemark.builder()
                .messages(memory)
                .cursors(cursors)
                .directory(new ConversationDirectory() {
                    @Override
                    public KeyPage<Member> members(String conversation, String after, int limit) {
                        return members.members(conversation, after, limit);
                    }

                    @Override
                    public KeyPage<String> conversations(String user, String after, int limit) {
                        return members.conversations(user, after, limit);
                    }

                    @Override
                    public Map<MemberKey, Visibility> visibility(Collection<MemberKey> keys) {
                        return members.visibility(keys);
                    }

                    @Override
                    public void verify() {
                        if (asked.getAndIncrement() == 0) {
                            throw ScriptedMessageStore.fault(StorageException.Kind.UNSUPPORTED);
                        }
                    }
                })
                .build();
        assertThatThrownBy(tidemark::start).isInstanceOf(StorageException.class);
        assertRefusesEverything(tidemark);
        tidemark.start();
        tidemark.start();
        assertThat(asked).hasValue(2);
        tidemark.close();
    }

    @Test
    void executorsOfTheHostAreLeftAlone() {
        ExecutorService hosts = Executors.newFixedThreadPool(4);
        try {
            members.join("c1", "ann", 1);
            Tidemark tidemark = over(memory)
                    .storeExecutor(hosts)
                    .pushExecutor(hosts)
                    .completeOn(hosts)
                    .build();
            tidemark.start();
            tidemark.sendPipeline().sendAndWait(SendRequest.of("c1", "ann", "m1", "hello"));
            tidemark.close();
            tidemark.close();
            assertThat(hosts.isShutdown()).isFalse();
        } finally {
            hosts.shutdown();
        }
    }

    @Test
    @DisplayName("H37: closed under load: what was accepted is stored or refused truthfully, and no thread is left")
    void closedUnderLoad() throws Exception {
        for (int c = 0; c < 8; c++) {
            members.join("c" + c, "ann", 1);
        }
        Tidemark tidemark = over(memory).build();
        tidemark.start();
        Queue<SendResult.Stored> stored = new ConcurrentLinkedQueue<>();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        CountDownLatch warm = new CountDownLatch(500);
        ExecutorService senders = Executors.newFixedThreadPool(4);
        List<Future<?>> running = new ArrayList<>();
        for (int s = 0; s < 4; s++) {
            int number = s;
            running.add(senders.submit(() -> {
                AtomicInteger refused = new AtomicInteger();
                for (int i = 0; refused.get() == 0; i++) {
                    sent.incrementAndGet();
                    tidemark.sendPipeline()
                            .send(SendRequest.of("c" + i % 8, "ann", number + "-" + i, "hello"))
                            .thenAccept(result -> {
                                answered.incrementAndGet();
                                warm.countDown();
                                if (result instanceof SendResult.Stored one) {
                                    stored.add(one);
                                } else if (((SendResult.Refused) result).code() == ErrorCode.CLOSED) {
                                    refused.incrementAndGet();
                                }
                            });
                }
            }));
        }
        assertThat(warm.await(1, TimeUnit.MINUTES)).isTrue();
        tidemark.close();
        for (Future<?> one : running) {
            one.get(1, TimeUnit.MINUTES);
        }
        senders.shutdown();
        assertThat(answered).hasValue(sent.get());
        assertNoThreads();
        // P1: what was called stored is stored, and nothing else is.
        long rows = 0;
        for (int c = 0; c < 8; c++) {
            rows += memory.heads(List.of("c" + c)).get("c" + c).seq();
        }
        assertThat(stored).hasSize((int) rows);
    }

    @Test
    @DisplayName("H37: a store that hangs and a transport that blocks do not keep close from its deadline")
    void closedWhileEverythingHangs() {
        members.join("c1", "ann", 1);
        members.join("c2", "ann", 1);
        members.join("c2", "bob", 1);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(2);
        ScriptedMessageStore store = new ScriptedMessageStore(memory);
        Tidemark tidemark = over(store)
                .sendPolicy(SendPolicy.defaults().withLanes(1))
                .transport((session, push) -> {
                    hanging.countDown();
                    hang(never);
                })
                .build();
        tidemark.start();
        tidemark.presence().connect(BOB, "node");
        tidemark.sendPipeline().sendAndWait(SendRequest.of("c2", "ann", "m1", "hello"));
        store.next((real, drafts, wait) -> {
            hanging.countDown();
            hang(never);
            throw ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME);
        });
        var inStore = tidemark.sendPipeline().send(SendRequest.of("c1", "ann", "m1", "hello"));
        Awaitility.await().until(() -> hanging.getCount() == 0);
        var waiting = tidemark.sendPipeline().send(SendRequest.of("c1", "ann", "m2", "hello"));
        tidemark.close(Duration.ofMillis(50));
        assertThat(((SendResult.Refused) Stages.now(inStore)).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(((SendResult.Refused) Stages.now(waiting)).code()).isEqualTo(ErrorCode.CLOSED);
        assertNoThreads();
    }

    private static void hang(CountDownLatch never) {
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private TidemarkBuilder over(MessageStore store) {
        return Tidemark.builder()
                .messages(store)
                .cursors(new InMemoryCursorStore())
                .directory(members)
                .transport(transport);
    }

    private static void assertRefusesEverything(Tidemark tidemark) {
        var sent = tidemark.sendPipeline().send(SendRequest.of("c1", "ann", "m1", "hello"));
        assertThat(((SendResult.Refused) Stages.now(sent)).code()).isEqualTo(ErrorCode.CLOSED);
        var page = tidemark.fetchService().page(BOB, "c1", Position.START);
        assertThat(((PageResult.Refused) Stages.now(page)).code()).isEqualTo(ErrorCode.CLOSED);
        var ack = tidemark.cursorManager().acknowledge(BOB, "c1", 1);
        assertThat(((AckResult.Refused) Stages.now(ack)).code()).isEqualTo(ErrorCode.CLOSED);
    }

    private static void assertNoThreads() {
        // A thread is seen for a moment after its executor has terminated.
        Awaitility.await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("tidemark-"))
                .toList();
    }
}
