package dev.tidemark.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.DeviceId;
import dev.tidemark.storage.KeyPage;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.Presence;
import dev.tidemark.storage.Session;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryPresence;
import dev.tidemark.testing.Logs;
import dev.tidemark.testing.RecordingListener;
import dev.tidemark.testing.RecordingTransport;
import dev.tidemark.testing.Stages;
import dev.tidemark.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("P4: push is best effort")
class PushServiceTest {

    private static final PushPolicy POLICY = policy(4, 1000, 2, 1000);

    private final VirtualTime time = new VirtualTime();
    private final InMemoryConversationDirectory members = new InMemoryConversationDirectory();
    private final InMemoryPresence presence = new InMemoryPresence();
    private final RecordingTransport transport = new RecordingTransport();
    private final RecordingListener listener = new RecordingListener();

    @Test
    void everyConnectedDeviceOfEveryMemberGetsTheMessage() {
        join("c1", "ann", "bob", "cid", "dan");
        connect("ann", "phone");
        connect("bob", "phone", "tablet");
        connect("cid", "phone");
        connect("eve", "phone");
        PushService push = start(POLICY, transport);
        push.push(announce("c1", 1, "ann", null));
        time.run();
        assertThat(transport.delivered())
                .extracting(one -> one.user() + "/" + one.device() + "/" + one.seq())
                .containsExactlyInAnyOrder("ann/phone/1", "bob/phone/1", "bob/tablet/1", "cid/phone/1");
        assertThat(listener.count("delivered")).isEqualTo(4);
    }

    @Test
    void theSendersOtherDevicesGetItAndTheOneItCameFromDoesNot() {
        join("c1", "ann", "bob");
        connect("ann", "phone", "tablet");
        connect("bob", "phone");
        PushService push = start(POLICY, transport);
        push.push(announce("c1", 1, "ann", "phone"));
        time.run();
        assertThat(transport.seqs("ann", "phone", "c1")).isEmpty();
        assertThat(transport.seqs("ann", "tablet", "c1")).containsExactly(1L);
        // The same device id of another user is another device.
        assertThat(transport.seqs("bob", "phone", "c1")).containsExactly(1L);
    }

    @Test
    @DisplayName("H23: who joined later gets nothing from before, who left gets nothing more")
    void membershipIsCheckedAgainstTheSequence() {
        join("c1", "ann");
        members.join("c1", "bob", 3);
        members.join("c1", "cid", 1);
        members.leave("c1", "cid", 1);
        connect("ann", "phone");
        connect("bob", "phone");
        connect("cid", "phone");
        PushService push = start(POLICY, transport);
        for (int seq = 1; seq <= 4; seq++) {
            push.push(announce("c1", seq, "ann", "phone"));
        }
        time.run();
        assertThat(transport.seqs("bob", "phone", "c1")).containsExactly(3L, 4L);
        assertThat(transport.seqs("cid", "phone", "c1")).isEmpty();
    }

    @Test
    void firstInFirstOutPerConversationAndRecipientWhateverTheThreadsDo() {
        for (long seed = 1; seed <= 50; seed++) {
            VirtualTime shuffled = new VirtualTime(seed);
            RecordingTransport remembers = new RecordingTransport();
            PushService push = PushService.over(members, presence, remembers, shuffled, shuffled)
                    .policy(POLICY)
                    .build();
            push.start();
            for (int c = 1; c <= 5; c++) {
                join("c" + c, "ann", "bob", "cid");
            }
            connect("bob", "phone", "tablet");
            connect("cid", "phone");
            for (int seq = 1; seq <= 200; seq++) {
                for (int c = 1; c <= 5; c++) {
                    push.push(announce("c" + c, seq, "ann", null));
                }
                shuffled.step();
            }
            shuffled.run();
            List<Long> all = LongStream.rangeClosed(1, 200).boxed().toList();
            for (int c = 1; c <= 5; c++) {
                assertThat(remembers.seqs("bob", "phone", "c" + c))
                        .as("seed " + seed)
                        .isEqualTo(all);
                assertThat(remembers.seqs("bob", "tablet", "c" + c))
                        .as("seed " + seed)
                        .isEqualTo(all);
                assertThat(remembers.seqs("cid", "phone", "c" + c))
                        .as("seed " + seed)
                        .isEqualTo(all);
            }
        }
    }

    @Test
    void aBatchReadsTheMembersOfAConversationOnceAndSessionsInBulk() {
        List<String> calls = new ArrayList<>();
        for (int c = 1; c <= 10; c++) {
            join("c" + c, "ann", "bob" + c);
        }
        connect("bob3", "phone");
        PushService push = start(policy(4, 1000, 1, 1000), transport, counting(calls), new Presence() {
            @Override
            public Session connect(DeviceId device, String node) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean disconnect(Session session) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Session session(DeviceId device) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Map<String, List<Session>> sessions(Collection<String> users) {
                calls.add("sessions " + users.size());
                return presence.sessions(users);
            }
        });
        for (int seq = 1; seq <= 20; seq++) {
            for (int c = 1; c <= 10; c++) {
                push.push(announce("c" + c, seq, "ann", null));
            }
        }
        time.run();
        assertThat(calls).hasSize(11).last().isEqualTo("sessions 11");
        assertThat(transport.seqs("bob3", "phone", "c3")).hasSize(20);
    }

    @Test
    void aLargeGroupIsReadPageByPage() {
        List<String> calls = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            members.join("c1", "user" + i, 1);
        }
        connect("user0", "phone");
        connect("user2499", "phone");
        PushService push = start(POLICY, transport, counting(calls), presence);
        push.push(announce("c1", 1, "user7", null));
        time.run();
        assertThat(calls).hasSize(3);
        assertThat(transport.delivered()).hasSize(2);
    }

    @Test
    @DisplayName("H28: a transport that throws has failed that push only, and is logged once")
    void aTransportThatThrows() {
        join("c1", "ann", "bob");
        connect("bob", "phone", "tablet");
        PushService push = start(POLICY, (session, one) -> {
            if (session.device().device().equals("tablet")) {
                throw new IllegalStateException("the host's");
            }
            transport.deliver(session, one);
        });
        try (Logs logs = new Logs()) {
            for (int seq = 1; seq <= 30; seq++) {
                push.push(announce("c1", seq, "ann", null));
            }
            time.run();
            assertThat(transport.seqs("bob", "phone", "c1")).hasSize(30);
            assertThat(listener.count("failed tablet c1")).isEqualTo(30);
            assertThat(logs.lines()).hasSize(1);
            assertThat(logs.lines().get(0)).contains("bob", "tablet", "c1");
        }
    }

    @Test
    void aDirectoryOrPresenceThatThrowsDropsAndCounts() {
        boolean[] broken = {true};
        join("c1", "ann", "bob");
        connect("bob", "phone");
        PushService push = start(
                POLICY,
                transport,
                new Counting(members) {
                    @Override
                    public KeyPage<Member> members(String conversation, String after, int limit) {
                        if (broken[0]) {
                            throw new IllegalStateException("the host's");
                        }
                        return super.members(conversation, after, limit);
                    }
                },
                presence);
        push.push(announce("c1", 1, "ann", null));
        time.run();
        assertThat(listener.events()).containsExactly("dropped LOOKUP_FAILED c1 1 0");
        broken[0] = false;
        push.push(announce("c1", 2, "ann", null));
        time.run();
        assertThat(transport.seqs("bob", "phone", "c1")).containsExactly(2L);
    }

    @Test
    @DisplayName("H27: a full lane drops and counts, and what is in it stays in order")
    void aFullLaneDropsAndCounts() {
        join("c1", "ann", "bob");
        connect("bob", "phone");
        PushService push = start(policy(4, 10, 1, 1000), transport);
        for (int seq = 1; seq <= 100; seq++) {
            push.push(announce("c1", seq, "ann", null));
        }
        time.run();
        assertThat(transport.seqs("bob", "phone", "c1"))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 10).boxed().toList());
        assertThat(listener.count("dropped LANE_FULL c1")).isEqualTo(90);
        push.push(announce("c1", 101, "ann", null));
        time.run();
        assertThat(transport.seqs("bob", "phone", "c1")).last().isEqualTo(101L);
    }

    @Test
    void aFullFanOutLaneDropsAndCounts() {
        join("c1", "ann", "bob");
        connect("bob", "phone");
        PushService push = start(policy(4, 1000, 1, 10), transport);
        for (int seq = 1; seq <= 100; seq++) {
            push.push(announce("c1", seq, "ann", null));
        }
        assertThat(listener.count("dropped FAN_OUT_FULL c1")).isEqualTo(90);
        time.run();
        assertThat(transport.seqs("bob", "phone", "c1")).hasSize(10);
    }

    @Test
    void anExecutorThatRefusesDropsAndCounts() {
        join("c1", "ann", "bob");
        connect("bob", "phone");
        PushService push = PushService.over(
                        members,
                        presence,
                        transport,
                        task -> {
                            throw new RejectedExecutionException();
                        },
                        time)
                .policy(POLICY)
                .listener(listener)
                .build();
        push.start();
        push.push(announce("c1", 1, "ann", null));
        assertThat(listener.events()).containsExactly("dropped EXECUTOR_REFUSED c1 1 0");
        assertThat(Stages.isDone(push.shutdown(Duration.ofSeconds(1)))).isTrue();
    }

    @Test
    @DisplayName("H27: a transport that blocks for ever stalls its own lane only")
    void aTransportThatBlocksForEver() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        int users = 64;
        CountDownLatch delivered = new CountDownLatch(users - 16);
        for (int i = 0; i < users; i++) {
            members.join("c1", "user" + i, 1);
            connect("user" + i, "phone");
        }
        members.join("c2", "slow", 1);
        connect("slow", "phone");
        ExecutorService threads = Executors.newFixedThreadPool(10);
        try {
            PushService push = PushService.over(
                            members,
                            presence,
                            (session, one) -> {
                                if (session.device().user().equals("slow")) {
                                    await(never);
                                }
                                delivered.countDown();
                            },
                            threads,
                            time)
                    .policy(policy(8, 100, 2, 1000))
                    .listener(listener)
                    .build();
            push.start();
            push.push(announce("c2", 1, "slow", null));
            push.push(announce("c1", 1, "user0", null));
            // The lane of the slow one has about an eighth of the others.
            assertThat(delivered.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            never.countDown();
            threads.shutdown();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void shuttingDownPushesWhatThereIs() {
        join("c1", "ann", "bob");
        connect("bob", "phone");
        PushService push = start(POLICY, transport);
        IntStream.rangeClosed(1, 500).forEach(seq -> push.push(announce("c1", seq, "ann", null)));
        CompletionStage<Void> end = push.shutdown(Duration.ofSeconds(1));
        push.push(announce("c1", 501, "ann", null));
        assertThat(listener.events()).containsExactly("dropped CLOSED c1 501 0");
        time.run();
        assertThat(Stages.isDone(end)).isTrue();
        assertThat(transport.seqs("bob", "phone", "c1")).hasSize(500);
    }

    @Test
    void whatIsLeftAtTheDeadlineIsDroppedAndCounted() {
        join("c1", "ann", "bob");
        connect("bob", "phone");
        List<CompletionStage<Void>> end = new ArrayList<>();
        PushService[] push = new PushService[1];
        push[0] = start(POLICY, (session, one) -> {
            // The first delivery lasts until long after the deadline.
            if (end.isEmpty()) {
                end.add(push[0].shutdown(Duration.ofSeconds(1)));
                time.advance(Duration.ofSeconds(2));
            }
        });
        IntStream.rangeClosed(1, 5).forEach(seq -> push[0].push(announce("c1", seq, "ann", null)));
        time.run();
        assertThat(Stages.isDone(end.get(0))).isTrue();
        assertThat(listener.count("delivered")).isEqualTo(1);
        assertThat(listener.count("dropped CLOSED c1")).isEqualTo(4);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PushService start(PushPolicy policy, Transport over) {
        return start(policy, over, members, presence);
    }

    private PushService start(PushPolicy policy, Transport over, ConversationDirectory directory, Presence sessions) {
        PushService push = PushService.over(directory, sessions, over, time, time)
                .policy(policy)
                .listener(listener)
                .build();
        push.start();
        return push;
    }

    private void join(String conversation, String... users) {
        for (String user : users) {
            members.join(conversation, user, 1);
        }
    }

    private void connect(String user, String... devices) {
        for (String device : devices) {
            presence.connect(new DeviceId(user, device), "node");
        }
    }

    private static PushPolicy policy(int lanes, int laneCapacity, int fanOutLanes, int fanOutCapacity) {
        return PushPolicy.defaults()
                .withLanes(lanes)
                .withLaneCapacity(laneCapacity)
                .withFanOutLanes(fanOutLanes)
                .withFanOutCapacity(fanOutCapacity)
                .withLargeGroup(10_000);
    }

    private static Announcement announce(String conversation, long seq, String sender, String fromDevice) {
        StoredMessage message =
                new StoredMessage(conversation, seq, sender, "m" + seq, "text", true, Body.of("x"), 0, Instant.EPOCH);
        return new Announcement(message, fromDevice, null, false, false);
    }

    private Counting counting(List<String> calls) {
        return new Counting(members) {
            @Override
            public KeyPage<Member> members(String conversation, String after, int limit) {
                calls.add("members " + conversation);
                return super.members(conversation, after, limit);
            }
        };
    }

    private static class Counting implements ConversationDirectory {

        private final ConversationDirectory real;

        Counting(ConversationDirectory real) {
            this.real = real;
        }

        @Override
        public KeyPage<Member> members(String conversation, String after, int limit) {
            return real.members(conversation, after, limit);
        }

        @Override
        public KeyPage<String> conversations(String user, String after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<MemberKey, Visibility> visibility(Collection<MemberKey> keys) {
            throw new UnsupportedOperationException();
        }
    }
}
