package dev.tidemark.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.Session;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryPresence;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.RecordingListener;
import dev.tidemark.testing.RecordingTransport;
import dev.tidemark.testing.RecordingTransport.Noticed;
import dev.tidemark.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Pushes are retried until their devices have them, or told to sync")
class AcknowledgedPushTest {

    private static final DeviceId BOB = new DeviceId("bob", "phone");

    private final VirtualTime time = new VirtualTime();
    private final InMemoryConversationDirectory members = new InMemoryConversationDirectory();
    private final InMemoryPresence presence = new InMemoryPresence();
    private final RecordingTransport transport = new RecordingTransport();
    private final RecordingListener listener = new RecordingListener();
    private final List<Handover> offline = new ArrayList<>();
    private final PushService push = start(PushPolicy.defaults().withLanes(4), RetryPolicy.defaults(), transport);

    AcknowledgedPushTest() {
        join("c1", "ann", "bob");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("H26: acknowledged at once, a push of any kind is made once")
    void acknowledgedAtOnce(Delivery delivery) {
        connect(push);
        push(push, 1, delivery);
        push.acknowledge(BOB, "c1", 1);
        time.advance(Duration.ofMinutes(5));
        assertThat(seqs()).containsExactly(1L);
        assertThat(transport.noticed()).isEmpty();
        assertThat(listener.events()).containsExactly("delivered phone c1 1", "taken phone c1 1 1");
        assertThat(push.pending()).isZero();
        assertThat(time.timers()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "H26: never acknowledged, a push of any kind is made as often as the table says, then the device is told")
    void neverAcknowledged(Delivery delivery) {
        connect(push);
        List<Long> tries = new ArrayList<>();
        PushService timed = start(PushPolicy.defaults(), RetryPolicy.defaults(), (session, one) -> {
            if (one instanceof Push.Message) {
                tries.add(time.clock().millis());
            }
            transport.deliver(session, one);
        });
        push(timed, 1, delivery);
        time.advance(Duration.ofMinutes(5));
        List<Long> between = new ArrayList<>();
        for (int i = 1; i < tries.size(); i++) {
            between.add(tries.get(i) - tries.get(i - 1));
        }
        assertThat(between)
                .isEqualTo(
                        switch (delivery) {
                            case C2C -> List.of(3000L);
                            case C2G -> List.of();
                            case S2C -> List.of(1500L, 1500L, 3000L, 5000L, 7000L);
                            case C2S -> List.of(5000L, 7000L, 11000L);
                        });
        assertThat(transport.noticed()).containsExactly(new Noticed("bob", "phone", "c1", 1));
        assertThat(listener.count("given up phone c1 1 " + tries.size())).isEqualTo(1);
        assertThat(timed.pending()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("H26: acknowledged late, the tries that were left are not made")
    void acknowledgedLate(Delivery delivery) {
        connect(push);
        push(push, 1, delivery);
        time.advance(Duration.ofSeconds(4));
        int tries = seqs().size();
        push.acknowledge(BOB, "c1", 1);
        time.advance(Duration.ofMinutes(5));
        assertThat(seqs()).hasSize(tries);
        assertThat(transport.noticed()).isEmpty();
        assertThat(listener.count("taken phone c1 1 " + tries)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("H26: acknowledged twice, the second is silence")
    void acknowledgedTwice(Delivery delivery) {
        connect(push);
        push(push, 1, delivery);
        push.acknowledge(BOB, "c1", 1);
        push.acknowledge(BOB, "c1", 1);
        time.advance(Duration.ofMinutes(5));
        assertThat(listener.count("taken")).isEqualTo(1);
        assertThat(push.pending()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("H26: acknowledged after the record expired, it is silence")
    void acknowledgedAfterExpiry(Delivery delivery) {
        connect(push);
        push(push, 1, delivery);
        time.advance(Duration.ofMinutes(5));
        List<String> before = List.copyOf(listener.events());
        push.acknowledge(BOB, "c1", 1);
        push.acknowledge(new DeviceId("eve", "phone"), "c9", 7);
        time.advance(Duration.ofMinutes(5));
        assertThat(listener.events()).isEqualTo(before);
        assertThat(push.pending()).isZero();
    }

    @Test
    @DisplayName("H26: the acknowledgement comes before the push returns")
    void acknowledgedBeforeThePushReturns() {
        connect(push);
        PushService[] quick = new PushService[1];
        quick[0] = start(PushPolicy.defaults(), RetryPolicy.defaults(), (session, one) -> {
            transport.deliver(session, one);
            quick[0].acknowledge(session.device(), "c1", 1);
        });
        push(quick[0], 1, Delivery.S2C);
        time.advance(Duration.ofMinutes(5));
        assertThat(seqs()).containsExactly(1L);
        assertThat(transport.noticed()).isEmpty();
        assertThat(quick[0].pending()).isZero();
    }

    @Test
    @DisplayName("H26: acknowledged while the next try waits in its lane, that try is not made")
    void acknowledgedWhileTheNextTryWaits() {
        connect(push);
        push(push, 1, Delivery.C2C);
        time.skip(Duration.ofSeconds(3));
        // The timer puts the try in its lane; the lane has not run yet.
        time.ring();
        push.acknowledge(BOB, "c1", 1);
        time.advance(Duration.ofMinutes(5));
        assertThat(seqs()).containsExactly(1L);
    }

    @Test
    void anAnswerWithinTheGraceAfterTheLastTryCounts() {
        connect(push);
        push(push, 1, Delivery.C2G);
        time.advance(AckTracker.GRACE.minusNanos(1));
        push.acknowledge(BOB, "c1", 1);
        time.advance(Duration.ofMinutes(1));
        assertThat(transport.noticed()).isEmpty();
        assertThat(listener.count("given up")).isZero();
    }

    @Test
    void whatWasRenderedIsNotPushedAgain() {
        connect(push);
        join("c2", "ann", "bob");
        for (int seq = 1; seq <= 5; seq++) {
            push(push, seq, Delivery.C2C);
        }
        push.push(announce("c2", 1, null, false));
        time.run();
        push.rendered(BOB, "c1", 3);
        time.advance(Duration.ofSeconds(3));
        assertThat(seqs()).containsExactly(1L, 2L, 3L, 4L, 5L, 4L, 5L);
        assertThat(transport.seqs("bob", "phone", "c2")).containsExactly(1L, 1L);
    }

    @Test
    @DisplayName("H39: a session that ends, or is taken over, is not pushed to again")
    void aSessionThatEndsClearsItsOwn() {
        Session first = connect(push);
        push(push, 1, Delivery.C2C);
        assertThat(push.pending()).isEqualTo(1);
        assertThat(push.presence().disconnect(first)).isTrue();
        assertThat(push.pending()).isZero();

        connect(push);
        push(push, 2, Delivery.C2C);
        Session third = connect(push);
        assertThat(push.pending()).isZero();
        push(push, 3, Delivery.C2C);
        assertThat(push.presence().disconnect(first)).isFalse();
        assertThat(push.pending()).isEqualTo(1);
        time.advance(Duration.ofMinutes(1));
        assertThat(seqs()).containsExactly(1L, 2L, 3L, 3L);
        assertThat(push.presence().session(BOB)).isEqualTo(third);
    }

    @Test
    @DisplayName("H39: a late acknowledgement over an old connection still counts")
    void aLateAcknowledgementCounts() {
        connect(push);
        push(push, 1, Delivery.C2C);
        connect(push);
        push.push(announce("c1", 1, null, true));
        time.run();
        push.acknowledge(BOB, "c1", 1);
        time.advance(Duration.ofMinutes(1));
        assertThat(seqs()).containsExactly(1L, 1L);
    }

    @Test
    void aRepeatIsPushedAgainAndWaitedForOnce() {
        connect(push);
        push(push, 1, Delivery.C2C);
        push.push(announce("c1", 1, Delivery.C2C, true));
        time.run();
        assertThat(push.pending()).isEqualTo(1);
        time.advance(Duration.ofSeconds(3));
        assertThat(seqs()).containsExactly(1L, 1L, 1L);
    }

    @Test
    void aPushIsPersonToPersonBetweenTwoAndToAGroupAmongMore() {
        join("c2", "ann", "bob", "cid");
        connect(push);
        push.push(announce("c1", 1, null, false));
        push.push(announce("c2", 1, null, false));
        time.advance(Duration.ofSeconds(4));
        assertThat(transport.seqs("bob", "phone", "c1")).containsExactly(1L, 1L);
        assertThat(transport.seqs("bob", "phone", "c2")).containsExactly(1L);
    }

    @Test
    void whoseMessageIsForgottenIsToldToSyncInsteadAndStillGivenUpInTheEnd() {
        PushService forgetful = start(PushPolicy.defaults().withRecentBytes(0), RetryPolicy.defaults(), transport);
        connect(forgetful);
        push(forgetful, 1, Delivery.C2C);
        time.advance(Duration.ofSeconds(3));
        assertThat(seqs()).containsExactly(1L);
        assertThat(transport.noticed()).containsExactly(new Noticed("bob", "phone", "c1", 1));
        time.advance(Duration.ofMinutes(1));
        assertThat(listener.count("given up")).isEqualTo(1);
        assertThat(forgetful.pending()).isZero();
    }

    @Test
    @DisplayName("H27: no more pushes than allowed are waited for; the rest is pushed once and told")
    void tooManyPending() {
        PushService bounded = start(PushPolicy.defaults().withMaxPending(10), RetryPolicy.defaults(), transport);
        connect(bounded);
        for (int seq = 1; seq <= 30; seq++) {
            push(bounded, seq, Delivery.C2C);
        }
        assertThat(bounded.pending()).isEqualTo(10);
        assertThat(seqs()).hasSize(30);
        assertThat(listener.count("given up")).isEqualTo(20);
        assertThat(transport.noticed()).last().isEqualTo(new Noticed("bob", "phone", "c1", 30));
        time.advance(Duration.ofSeconds(3));
        assertThat(seqs()).hasSize(40);
    }

    @Test
    @DisplayName("H27, H44: what a full lane drops is told in one notice as soon as it has room")
    void aFullLaneTellsWhatItDropped() {
        PushService narrow =
                start(PushPolicy.defaults().withLanes(1).withLaneCapacity(10), RetryPolicy.none(), transport);
        connect(narrow);
        for (int seq = 1; seq <= 100; seq++) {
            narrow.push(announce("c1", seq, null, false));
        }
        time.run();
        assertThat(seqs()).hasSize(10);
        assertThat(transport.noticed()).containsExactly(new Noticed("bob", "phone", "c1", 100));
    }

    @Test
    @DisplayName("H27: when even the conversations to tell of are too many, a device is told once, of all of them")
    void tooManyConversationsToTellOf() {
        PushService narrow =
                start(PushPolicy.defaults().withLanes(1).withLaneCapacity(3), RetryPolicy.none(), transport);
        connect(narrow);
        for (int c = 1; c <= 50; c++) {
            join("c" + c, "ann", "bob");
            narrow.push(announce("c" + c, 1, null, false));
        }
        time.run();
        assertThat(transport.delivered()).hasSize(3);
        assertThat(transport.noticed()).hasSize(4).last().isEqualTo(new Noticed("bob", "phone", null, 0));
    }

    @Test
    @DisplayName("H44: what the fan-out cannot take or look up is told once it can")
    void whatTheFanOutCannotTakeIsTold() {
        PushService narrow =
                start(PushPolicy.defaults().withFanOutLanes(1).withFanOutCapacity(5), RetryPolicy.none(), transport);
        connect(narrow);
        for (int seq = 1; seq <= 50; seq++) {
            narrow.push(announce("c1", seq, null, false));
        }
        time.run();
        assertThat(seqs()).hasSize(5);
        assertThat(transport.noticed()).containsExactly(new Noticed("bob", "phone", "c1", 50));
    }

    @Test
    @DisplayName("H28, H44: a transport that throws is told to sync a second later, once")
    void aTransportThatThrows() {
        boolean[] full = {true};
        PushService failing = start(PushPolicy.defaults(), RetryPolicy.none(), (session, one) -> {
            if (full[0]) {
                throw new IllegalStateException("the buffer of the connection is full");
            }
            transport.deliver(session, one);
        });
        connect(failing);
        try (Logs logs = new Logs()) {
            for (int seq = 1; seq <= 20; seq++) {
                failing.push(announce("c1", seq, null, false));
            }
            time.run();
            full[0] = false;
            time.advance(Duration.ofMillis(999));
            assertThat(transport.noticed()).isEmpty();
            time.advance(Duration.ofMillis(1));
            assertThat(transport.noticed()).containsExactly(new Noticed("bob", "phone", "c1", 20));
            assertThat(logs.lines()).hasSize(1);
            full[0] = true;
            failing.push(announce("c1", 21, null, false));
            time.advance(Duration.ofMinutes(1));
            assertThat(listener.count("notice failed phone c1 21")).isEqualTo(1);
        }
    }

    @Test
    void aTransportThatThrowsIsTriedAgain() {
        int[] left = {1};
        PushService failing = start(PushPolicy.defaults(), RetryPolicy.defaults(), (session, one) -> {
            if (left[0]-- > 0) {
                throw new IllegalStateException("not now");
            }
            transport.deliver(session, one);
        });
        connect(failing);
        push(failing, 1, Delivery.C2C);
        time.advance(Duration.ofSeconds(3));
        assertThat(seqs()).containsExactly(1L);
    }

    @Test
    void aLargeGroupIsToldOncePerInterval() {
        PushService large = start(PushPolicy.defaults().withLargeGroup(2), RetryPolicy.defaults(), transport);
        connect(large);
        join("c2", "ann", "bob", "cid");
        for (int seq = 1; seq <= 100; seq++) {
            large.push(announce("c2", seq, null, false));
            time.run();
        }
        assertThat(transport.delivered()).isEmpty();
        assertThat(transport.noticed()).containsExactly(new Noticed("bob", "phone", "c2", 1));
        time.advance(Duration.ofSeconds(1));
        assertThat(transport.noticed()).last().isEqualTo(new Noticed("bob", "phone", "c2", 100));
        time.advance(Duration.ofMinutes(1));
        assertThat(transport.noticed()).hasSize(2);
        assertThat(large.pending()).isZero();
        assertThat(time.timers()).isZero();
    }

    @Test
    void whoIsNotConnectedIsHandedOver() {
        join("c2", "ann", "bob", "cid");
        connect(push);
        members.join("c2", "dan", 5);
        push.push(announce("c2", 1, null, false));
        push.push(announce("c2", 1, null, true));
        time.run();
        assertThat(offline)
                .extracting(one -> one.user() + " " + one.message().seq() + " " + one.repeat())
                .containsExactly("cid 1 false", "cid 1 true");
        assertThat(listener.count("handed over cid c2 1")).isEqualTo(2);
    }

    @Test
    @DisplayName("H28: a hand-over that throws is contained and logged once")
    void aHandOverThatThrows() {
        PushService throwing = PushService.over(members, presence, transport, time, time)
                .offline(handover -> {
                    throw new IllegalStateException("the host's");
                })
                .listener(listener)
                .build();
        throwing.start();
        try (Logs logs = new Logs()) {
            for (int seq = 1; seq <= 10; seq++) {
                throwing.push(announce("c1", seq, null, false));
            }
            time.run();
            assertThat(logs.lines()).hasSize(1);
            assertThat(logs.lines().get(0)).contains("bob", "c1");
            assertThat(listener.count("handed over")).isZero();
        }
    }

    @Test
    @DisplayName("H37: after shutting down nothing is retried nor told")
    void shuttingDownForgets() {
        connect(push);
        push(push, 1, Delivery.S2C);
        push.shutdown(Duration.ofSeconds(1));
        time.advance(Duration.ofMinutes(5));
        assertThat(seqs()).containsExactly(1L);
        assertThat(transport.noticed()).isEmpty();
        assertThat(push.pending()).isZero();
    }

    @Test
    void aWrongAcknowledgementIsRefusedByName() {
        assertThatThrownBy(() -> push.acknowledge(BOB, "c1", 0))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("seq"));
        assertThatThrownBy(() -> push.acknowledge(BOB, "", 1))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("conversation"));
    }

    @Test
    @DisplayName(
            "H26, H27: whatever devices answer, everything is had or told of, and nothing is waited for in the end")
    void randomHistories() {
        for (long seed = 1; seed <= 200; seed++) {
            random(seed);
        }
    }

    private void random(long seed) {
        Random random = new Random(seed);
        VirtualTime shuffled = new VirtualTime(seed);
        RecordingTransport remembers = new RecordingTransport();
        PushService one = PushService.over(members, presence, remembers, shuffled, shuffled)
                .policy(PushPolicy.defaults()
                        .withLanes(2)
                        .withLaneCapacity(1 + random.nextInt(20))
                        .withFanOutCapacity(1 + random.nextInt(20))
                        .withMaxPending(1 + random.nextInt(50))
                        .withRecentBytes(random.nextInt(5_000)))
                .retry(RetryPolicy.defaults())
                .build();
        one.start();
        connect(one);
        int messages = 60;
        for (int seq = 1; seq <= messages; seq++) {
            Delivery[] sorts = Delivery.values();
            one.push(announce("c1", seq, sorts[random.nextInt(sorts.length)], false));
            switch (random.nextInt(5)) {
                case 0 -> one.acknowledge(BOB, "c1", 1 + random.nextInt(seq));
                case 1 -> one.rendered(BOB, "c1", random.nextInt(seq));
                case 2 -> shuffled.advance(Duration.ofMillis(random.nextInt(4_000)));
                case 3 -> shuffled.step();
                default -> shuffled.run();
            }
        }
        shuffled.advance(Duration.ofMinutes(2));
        List<Long> had = remembers.seqs("bob", "phone", "c1");
        long told = remembers.noticed().stream()
                .mapToLong(notice -> notice.conversation() == null ? Long.MAX_VALUE : notice.upTo())
                .max()
                .orElse(0);
        assertThat(LongStream.rangeClosed(1, messages).filter(seq -> seq > told && !had.contains(seq)))
                .as("neither had nor told of, seed " + seed)
                .isEmpty();
        assertThat(one.pending()).as("pending, seed " + seed).isZero();
        assertThat(shuffled.timers()).as("timers, seed " + seed).isZero();
    }

    private void push(PushService one, long seq, Delivery delivery) {
        one.push(announce("c1", seq, delivery, false));
        time.run();
    }

    private List<Long> seqs() {
        return transport.seqs("bob", "phone", "c1");
    }

    private Session connect(PushService one) {
        return one.presence().connect(BOB, "node");
    }

    private PushService start(PushPolicy policy, RetryPolicy retry, Transport over) {
        PushService one = PushService.over(members, presence, over, time, time)
                .policy(policy)
                .retry(retry)
                .offline(offline::add)
                .listener(listener)
                .build();
        one.start();
        return one;
    }

    private void join(String conversation, String... users) {
        for (String user : users) {
            members.join(conversation, user, 1);
        }
    }

    private static Announcement announce(String conversation, long seq, Delivery delivery, boolean repeat) {
        StoredMessage message =
                new StoredMessage(conversation, seq, "ann", "m" + seq, "text", true, Body.of("x"), 0, Instant.EPOCH);
        return new Announcement(message, "phone", delivery, repeat, false);
    }
}
