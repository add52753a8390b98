package dev.tidemark.send;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.ErrorCode;
import dev.tidemark.storage.Position;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;
import dev.tidemark.storage.memory.InMemoryMessageStore;
import dev.tidemark.testing.RecordingListener;
import dev.tidemark.testing.ScriptedMessageStore;
import dev.tidemark.testing.Stages;
import dev.tidemark.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A pipeline in virtual time over a store that does what the test says. Ann and Bob are members everywhere. */
final class SendFixture {

    final VirtualTime time = new VirtualTime();
    final InMemoryMessageStore memory = new InMemoryMessageStore(time.clock());
    final ScriptedMessageStore store = new ScriptedMessageStore(memory);
    final InMemoryConversationDirectory members = new InMemoryConversationDirectory();
    final RecordingListener listener = new RecordingListener();
    final List<StoredMessage> pushed = new ArrayList<>();
    SendPipeline pipeline;

    SendFixture() {
        // The in-memory store waits for locks in real time, of which there is none here.
        this(SendPolicy.defaults().withLanes(1).withLockWait(Duration.ofNanos(1)), BatchPolicy.defaults());
    }

    SendFixture(SendPolicy policy, BatchPolicy batchPolicy) {
        this(policy, batchPolicy, null);
    }

    SendFixture(SendPolicy policy, BatchPolicy batchPolicy, Executor storeExecutor) {
        pipeline = SendPipeline.over(
                        store, members, new Threads(storeExecutor == null ? time : storeExecutor, time, time))
                .pusher(announcement -> pushed.add(announcement.message()))
                .policy(policy)
                .batchPolicy(batchPolicy)
                .listener(listener)
                .build();
        pipeline.start();
        for (int i = 1; i <= 20; i++) {
            members.join("c" + i, "ann", 1);
            members.join("c" + i, "bob", 1);
        }
    }

    CompletionStage<SendResult> send(String conversation, String messageId) {
        return send(SendRequest.of(conversation, "ann", messageId, "hello " + messageId));
    }

    CompletionStage<SendResult> send(SendRequest request) {
        return pipeline.send(request);
    }

    /** Runs what is to do now, without letting time pass. */
    SendFixture run() {
        time.run();
        return this;
    }

    static SendResult.Stored stored(CompletionStage<SendResult> stage) {
        return (SendResult.Stored) Stages.now(stage);
    }

    static SendResult.Refused refused(CompletionStage<SendResult> stage) {
        return (SendResult.Refused) Stages.now(stage);
    }

    static ErrorCode code(CompletionStage<SendResult> stage) {
        return refused(stage).code();
    }

    /** What is stored of a conversation, as message ids in the order of sequences. */
    List<String> stored(String conversation) {
        return memory.after(conversation, Position.START.seq(), 10_000).messages().stream()
                .map(StoredMessage::messageId)
                .toList();
    }

    /** What was pushed of a conversation, as sequences in order. */
    List<Long> pushed(String conversation) {
        return pushed.stream()
                .filter(message -> message.conversation().equals(conversation))
                .map(StoredMessage::seq)
                .toList();
    }
}
