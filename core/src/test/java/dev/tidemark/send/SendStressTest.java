package dev.tidemark.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.concurrent.Threads;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.testing.ScriptedMessageStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Real threads: eight senders, several lanes, repeats, a store that loses answers, conversations locked by another node. */
class SendStressTest {

    private static final int SENDERS = 8;
    private static final int CONVERSATIONS = 12;
    private static final int SENDS = 3_000;
    private static final int IN_FLIGHT = 64;
    private static final int DISTURB_EVERY = 2_000;

    private record Held(int until, Runnable release) {}

    private final InMemoryMessageStore memory = new InMemoryMessageStore();
    private final InMemoryConversationDirectory members = new InMemoryConversationDirectory();
    private final Map<String, Queue<Long>> pushed = new ConcurrentHashMap<>();
    private final AtomicInteger completions = new AtomicInteger();
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @Test
    void everySendIsAnsweredOnceAndEveryMessageIsStoredOnceInItsSendersOrder() throws Exception {
        long seed = System.nanoTime();
        ExecutorService storeThreads = Executors.newFixedThreadPool(6);
        ExecutorService completeOn = Executors.newFixedThreadPool(2);
        var timer = Executors.newSingleThreadScheduledExecutor();
        ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
        ScriptedMessageStore store = new ScriptedMessageStore(memory).forgetful();
        try {
            for (int c = 0; c < CONVERSATIONS; c++) {
                for (int s = 0; s < SENDERS; s++) {
                    members.join("c" + c, "user" + s, 1);
                }
            }
            SendPipeline pipeline = SendPipeline.over(
                            store, members, new Threads(storeThreads, completeOn, Scheduler.over(timer)))
                    .pusher(one -> pushed.computeIfAbsent(
                                    one.message().conversation(), key -> new ConcurrentLinkedQueue<>())
                            .add(one.message().seq()))
                    .policy(SendPolicy.defaults().withLanes(4).withTimeout(Duration.ofMinutes(5)))
                    .batchPolicy(BatchPolicy.defaults().withMaxRows(32).withMaxPerConversation(8))
                    .build();
            pipeline.start();

            List<Future<?>> running = new ArrayList<>();
            for (int s = 0; s < SENDERS; s++) {
                int number = s;
                running.add(senders.submit(() -> send(pipeline, store, number, new Random(seed + number))));
            }
            for (Future<?> one : running) {
                one.get(2, TimeUnit.MINUTES);
            }
            held.forEach(one -> one.release().run());
            pipeline.shutdown(Duration.ofMinutes(1)).toCompletableFuture().get(2, TimeUnit.MINUTES);
        } finally {
            for (ExecutorService executor : List.of(storeThreads, completeOn, timer, senders)) {
                executor.shutdownNow();
            }
        }
        assertThat(failures).as("seed " + seed).isEmpty();
        assertThat(completions.get()).as("seed " + seed).isEqualTo(SENDERS * SENDS);
        check(seed);
    }

    /** One client with many sends in flight; about every tenth is a repeat of one before. */
    private void send(SendPipeline pipeline, ScriptedMessageStore store, int number, Random random) {
        Semaphore inFlight = new Semaphore(IN_FLIGHT);
        CountDownLatch left = new CountDownLatch(SENDS);
        int fresh = 0;
        for (int i = 0; i < SENDS; i++) {
            int id = fresh > 0 && random.nextInt(10) == 0 ? random.nextInt(fresh) : fresh++;
            // The conversation follows from the id, so that a repeat goes to the same one.
            String conversation = "c" + (id * 7 + number) % CONVERSATIONS;
            String messageId = String.format("%06d", id);
            inFlight.acquireUninterruptibly();
            pipeline.send(SendRequest.of(conversation, "user" + number, messageId, "body of " + messageId))
                    .thenAccept(result -> {
                        disturb(completions.incrementAndGet(), store);
                        if (!(result instanceof SendResult.Stored)) {
                            failures.add(result.toString());
                        }
                        inFlight.release();
                        left.countDown();
                    });
        }
        try {
            if (!left.await(2, TimeUnit.MINUTES)) {
                failures.add("user" + number + " waits for " + left.getCount());
            }
        } catch (InterruptedException e) {
            failures.add(e.toString());
        }
    }

    /** Now and then another node holds a lock, until a few more sends were answered, and a connection dies. */
    private void disturb(int completed, ScriptedMessageStore store) {
        if (completed % DISTURB_EVERY == 0) {
            Runnable release = memory.hold("c" + completed / DISTURB_EVERY % CONVERSATIONS);
            held.add(new Held(completions.get() + IN_FLIGHT, release));
            store.loseAnswerNext();
            store.throwNext(ScriptedMessageStore.fault(StorageException.Kind.UNKNOWN_OUTCOME));
        }
        Held first = held.peek();
        if (first != null && completed >= first.until() && held.remove(first)) {
            first.release().run();
        }
    }

    private void check(long seed) {
        for (int c = 0; c < CONVERSATIONS; c++) {
            String conversation = "c" + c;
            List<StoredMessage> stored = new ArrayList<>();
            for (List<StoredMessage> page =
                            memory.after(conversation, 0, 10_000).messages();
                    !page.isEmpty();
                    page = memory.after(conversation, stored.size(), 10_000).messages()) {
                stored.addAll(page);
            }
            Map<String, String> lastOfSender = new HashMap<>();
            for (int i = 0; i < stored.size(); i++) {
                StoredMessage message = stored.get(i);
                assertThat(message.seq()).as("seed " + seed).isEqualTo(i + 1);
                String before = lastOfSender.put(message.sender(), message.messageId());
                assertThat(before == null || before.compareTo(message.messageId()) < 0)
                        .as("seed %d: %s before %s of %s", seed, before, message.messageId(), message.sender())
                        .isTrue();
            }
            // Every message is pushed, and its first push in the order of commits.
            List<Long> firstPushes = pushed.getOrDefault(conversation, new ConcurrentLinkedQueue<>()).stream()
                    .distinct()
                    .toList();
            assertThat(firstPushes).as("seed " + seed).hasSize(stored.size());
            long previous = 0;
            for (long seq : firstPushes) {
                assertThat(seq).as("seed " + seed).isEqualTo(previous + 1);
                previous = seq;
            }
        }
    }
}
