package dev.tidemark.concurrent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testing.Stages;
import dev.tidemark.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MailboxTest {

    private final VirtualTime time = new VirtualTime();

    @Test
    void aTurnFindsAllThatHasGathered() {
        AtomicReference<Mailbox<Integer>> box = new AtomicReference<>();
        List<Integer> seen = new ArrayList<>();
        box.set(mailbox(10, () -> {
            seen.addAll(box.get().poll(10));
            return null;
        }));
        for (int i = 1; i <= 3; i++) {
            assertThat(box.get().offer(i)).isEqualTo(Mailbox.Offer.TAKEN);
        }
        assertThat(time.step()).isTrue();
        assertThat(seen).containsExactly(1, 2, 3);
        assertThat(time.step()).isFalse();
    }

    @Test
    void beforeItIsOpenedItTakesNothing() {
        Mailbox<Integer> mailbox = new Mailbox<>(10, time, time, turn(() -> null));
        assertThat(mailbox.offer(1)).isEqualTo(Mailbox.Offer.CLOSED);
        assertThat(mailbox.size()).isZero();
        assertThat(Stages.isDone(mailbox.close())).isTrue();
    }

    @Test
    void anItemKeepsItsPlaceUntilItIsDoneWith() {
        List<Integer> kept = new ArrayList<>();
        AtomicReference<Mailbox<Integer>> box = new AtomicReference<>();
        box.set(mailbox(2, () -> {
            kept.addAll(box.get().poll(10));
            return null;
        }));
        box.get().offer(1);
        box.get().offer(2);
        time.run();
        assertThat(kept).containsExactly(1, 2);
        assertThat(box.get().offer(3)).isEqualTo(Mailbox.Offer.FULL);
        box.get().leave(1);
        assertThat(box.get().offer(3)).isEqualTo(Mailbox.Offer.TAKEN);
        CompletionStage<Void> closed = box.get().close();
        assertThat(box.get().offer(4)).isEqualTo(Mailbox.Offer.CLOSED);
        assertThat(Stages.isDone(closed)).isFalse();
        box.get().leave(2);
        assertThat(Stages.isDone(closed)).isTrue();
    }

    @Test
    void inAPauseNothingWakesItButTime() {
        int[] turns = new int[1];
        Mailbox<Integer> mailbox = mailbox(10, () -> ++turns[0] == 1 ? Duration.ofSeconds(1) : null);
        mailbox.offer(1);
        time.run();
        mailbox.offer(2);
        mailbox.wake();
        time.advance(Duration.ofMillis(999));
        assertThat(turns[0]).isEqualTo(1);
        time.advance(Duration.ofMillis(1));
        assertThat(turns[0]).isEqualTo(2);
    }

    @Test
    void whatIsOfferedDuringATurnBringsAnother() {
        AtomicReference<Mailbox<Integer>> box = new AtomicReference<>();
        int[] turns = new int[1];
        box.set(mailbox(10, () -> {
            if (++turns[0] == 1) {
                box.get().offer(2);
            }
            return null;
        }));
        box.get().offer(1);
        time.run();
        assertThat(turns[0]).isEqualTo(2);
    }

    @Test
    void aTurnThatThrowsIsNotTheEnd() {
        int[] turns = new int[1];
        Mailbox<Integer> mailbox = mailbox(10, () -> {
            if (++turns[0] == 1) {
                throw new IllegalStateException("a bug");
            }
            return null;
        });
        mailbox.offer(1);
        time.run();
        time.advance(Duration.ofSeconds(1));
        assertThat(turns[0]).isEqualTo(2);
    }

    @Test
    void anExecutorThatRefusesIsAskedAgainWithTheNextOffer() {
        boolean[] refuse = {true};
        int[] refused = new int[1];
        int[] turns = new int[1];
        Mailbox<Integer> mailbox = new Mailbox<>(
                10,
                task -> {
                    if (refuse[0]) {
                        throw new RejectedExecutionException();
                    }
                    time.execute(task);
                },
                time,
                new Turn() {
                    @Override
                    public Duration take() {
                        turns[0]++;
                        return null;
                    }

                    @Override
                    public Duration refused(Throwable refusal) {
                        refused[0]++;
                        return null;
                    }
                });
        mailbox.open();
        mailbox.offer(1);
        mailbox.offer(2);
        assertThat(refused[0]).isEqualTo(2);
        refuse[0] = false;
        mailbox.offer(3);
        time.run();
        assertThat(turns[0]).isEqualTo(1);
    }

    @Test
    void noOfferIsForgottenAndNoTwoTurnsMeet() throws Exception {
        int producers = 4;
        int each = 50_000;
        ExecutorService threads = Executors.newFixedThreadPool(producers + 2);
        try {
            AtomicInteger inTurn = new AtomicInteger();
            AtomicInteger met = new AtomicInteger();
            CountDownLatch left = new CountDownLatch(producers * each);
            AtomicReference<Mailbox<Integer>> box = new AtomicReference<>();
            int[] unguarded = new int[1];
            box.set(new Mailbox<>(1000, threads, time, turn(() -> {
                if (inTurn.incrementAndGet() != 1) {
                    met.incrementAndGet();
                }
                for (Integer next = box.get().poll();
                        next != null;
                        next = box.get().poll()) {
                    unguarded[0]++;
                    box.get().leave(1);
                    left.countDown();
                }
                inTurn.decrementAndGet();
                return null;
            })));
            box.get().open();
            for (int p = 0; p < producers; p++) {
                threads.execute(() -> {
                    for (int i = 0; i < each; i++) {
                        while (box.get().offer(i) != Mailbox.Offer.TAKEN) {
                            Thread.onSpinWait();
                        }
                    }
                });
            }
            assertThat(left.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(met).hasValue(0);
            assertThat(unguarded[0]).isEqualTo(producers * each);
        } finally {
            threads.shutdownNow();
        }
    }

    private Mailbox<Integer> mailbox(int capacity, Supplier<Duration> turn) {
        Mailbox<Integer> mailbox = new Mailbox<>(capacity, time, time, turn(turn));
        mailbox.open();
        return mailbox;
    }

    private static Turn turn(Supplier<Duration> turn) {
        return new Turn() {
            @Override
            public Duration take() {
                return turn.get();
            }

            @Override
            public Duration refused(Throwable refusal) {
                throw new AssertionError(refusal);
            }
        };
    }
}
