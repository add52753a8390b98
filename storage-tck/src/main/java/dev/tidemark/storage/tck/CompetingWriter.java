package dev.tidemark.storage.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.MessageStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

/**
 * One node that stores messages: its own in their order, the twins that another node stores at the same time, and
 * repeats of what anybody has stored. What is deferred it sends again, before anything later of that conversation.
 */
final class CompetingWriter {

    /** An eighth of the appends waits for a second; nobody else has so much to do. */
    private static final int MAX_IDLE = 160;

    private final Competition competition;
    private final String sender;
    private final MessageStore store;
    private final Random random;
    private final int maxBatch;
    private final Map<String, Queue<Draft>> pending = new LinkedHashMap<>();
    private int made;
    private int idle;

    CompetingWriter(Competition competition, int number, MessageStore store, Random random, int maxBatch) {
        this.competition = competition;
        this.sender = "writer" + number;
        this.store = store;
        this.random = random;
        this.maxBatch = maxBatch;
    }

    void run() throws InterruptedException {
        while (made < competition.messagesPerWriter() || !pending.isEmpty()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("somebody else has failed");
            }
            makeMessages();
            List<Draft> batch = batch();
            batch.forEach(draft -> {
                if (!isForged(draft)) {
                    competition.sending(draft);
                }
            });
            Duration wait = random.nextInt(8) == 0 ? Duration.ofSeconds(1) : Duration.ZERO;
            List<AppendResult> results = store.append(batch, wait);
            competition.answered(batch, results);
            idle = settle(batch, results) > 0 ? 0 : idle + 1;
            assertThat(idle)
                    .as("appends in a row that came to nothing: somebody kept a lock")
                    .isLessThan(MAX_IDLE);
        }
    }

    private void makeMessages() {
        int waiting = pending.values().stream().mapToInt(Queue::size).sum();
        int room = Math.min(1 + random.nextInt(maxBatch), 4 * maxBatch - waiting);
        for (int i = 0; i < room && made < competition.messagesPerWriter(); i++) {
            enqueue(Drafts.from(sender, competition.conversation(random), "m" + made));
            made++;
        }
        if (random.nextBoolean()) {
            Draft twin = competition.twin();
            if (twin != null) {
                enqueue(twin);
            }
        }
    }

    private void enqueue(Draft draft) {
        pending.computeIfAbsent(draft.conversation(), conversation -> new ArrayDeque<>())
                .add(draft);
    }

    /** All that waits, conversation by conversation or mixed, with repeats in between. */
    private List<Draft> batch() {
        List<Draft> batch = new ArrayList<>();
        List<Queue<Draft>> queues = new ArrayList<>();
        pending.values().forEach(queue -> queues.add(new ArrayDeque<>(queue)));
        while (!queues.isEmpty()) {
            int next = random.nextInt(queues.size());
            Draft draft = queues.get(next).remove();
            if (queues.get(next).isEmpty()) {
                queues.remove(next);
            }
            batch.add(draft);
            if (random.nextInt(10) == 0) {
                addRepeat(batch);
            }
        }
        return batch;
    }

    private void addRepeat(List<Draft> batch) {
        Draft stored = competition.stored(random);
        if (stored != null) {
            batch.add(random.nextInt(4) == 0 ? forged(stored) : stored);
        }
    }

    /** Another body under the id of a message that is stored. */
    private static Draft forged(Draft stored) {
        return new Draft(
                stored.conversation(), stored.sender(), stored.messageId(), stored.kind(), true, Body.of("forged"));
    }

    private static boolean isForged(Draft draft) {
        return draft.body().equals(Body.of("forged"));
    }

    /** Takes out what needs not be sent again, and tells how much that was. */
    private int settle(List<Draft> batch, List<AppendResult> results) {
        int settled = 0;
        for (int i = 0; i < batch.size(); i++) {
            Queue<Draft> queue = pending.get(batch.get(i).conversation());
            if (!Outcomes.isDeferred(results.get(i))
                    && queue != null
                    && batch.get(i).equals(queue.peek())) {
                queue.remove();
                settled++;
                if (queue.isEmpty()) {
                    pending.remove(batch.get(i).conversation());
                }
            }
        }
        return settled;
    }
}
