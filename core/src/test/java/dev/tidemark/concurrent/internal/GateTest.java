package dev.tidemark.concurrent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testing.Stages;
import dev.tidemark.testing.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GateTest {

    private final VirtualTime time = new VirtualTime();
    private final List<String> events = new ArrayList<>();

    @Test
    void tasksRunInOrderAndWhatDoesNotFitIsRefused() {
        Gate<Gate.Task> gate = new Gate<>(1, 2, time);
        assertThat(gate.offer(task("early"))).isEqualTo(Mailbox.Offer.CLOSED);
        gate.open();
        for (String name : List.of("a", "b", "c")) {
            assertThat(gate.offer(task(name))).isEqualTo(Mailbox.Offer.TAKEN);
        }
        assertThat(gate.offer(task("d"))).isEqualTo(Mailbox.Offer.FULL);
        time.run();
        assertThat(events).containsExactly("a", "b", "c");
        assertThat(gate.offer(task("e"))).isEqualTo(Mailbox.Offer.TAKEN);
        CompletionStage<Void> closed = gate.close();
        assertThat(gate.offer(task("f"))).isEqualTo(Mailbox.Offer.CLOSED);
        assertThat(gate.inside()).hasSize(1);
        assertThat(Stages.isDone(closed)).isFalse();
        time.run();
        assertThat(Stages.isDone(closed)).isTrue();
    }

    @Test
    void anExecutorThatRefusesHasItsTasksRefused() {
        Gate<Gate.Task> gate = new Gate<>(2, 2, task -> {
            throw new RejectedExecutionException();
        });
        gate.open();
        assertThat(gate.offer(task("a"))).isEqualTo(Mailbox.Offer.TAKEN);
        assertThat(events).containsExactly("a refused");
        assertThat(gate.size()).isZero();
    }

    @Test
    void neverMoreThanAllowedRunAtOnceAndNoneIsForgotten() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            int tasks = 40_000;
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger tooMany = new AtomicInteger();
            CountDownLatch left = new CountDownLatch(tasks);
            Gate<Gate.Task> gate = new Gate<>(3, 100, threads);
            gate.open();
            for (int i = 0; i < tasks; i++) {
                Gate.Task task = new Gate.Task() {
                    @Override
                    public void run() {
                        if (inside.incrementAndGet() > 3) {
                            tooMany.incrementAndGet();
                        }
                        inside.decrementAndGet();
                        left.countDown();
                    }

                    @Override
                    public void refused(Throwable refusal) {
                        throw new AssertionError(refusal);
                    }
                };
                while (gate.offer(task) != Mailbox.Offer.TAKEN) {
                    Thread.onSpinWait();
                }
            }
            assertThat(left.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(tooMany).hasValue(0);
        } finally {
            threads.shutdownNow();
        }
    }

    private Gate.Task task(String name) {
        return new Gate.Task() {
            @Override
            public void run() {
                events.add(name);
            }

            @Override
            public void refused(Throwable refusal) {
                events.add(name + " refused");
            }
        };
    }
}
