package dev.tidemark.send;

import dev.tidemark.concurrent.Threads;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.inbox.Indexer;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.push.Pusher;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.MessageStore;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Puts a {@link SendPipeline} together. Every part has a default but for those it begins with. Not for many threads. */
public final class SendPipelineBuilder {

    final MessageStore store;
    final ConversationDirectory directory;
    final Threads threads;
    SendAuthorizer authorizer = SendAuthorizer.all();
    SendLimiter limiter = SendLimiter.none();
    Clock clock = Clock.systemUTC();
    Indexer indexer = Indexer.none();
    Pusher pusher = Pusher.none();
    SendPolicy policy = SendPolicy.defaults();
    BatchPolicy batchPolicy = BatchPolicy.defaults();
    ShedPolicy shedPolicy = ShedPolicy.defaults();
    TidemarkListener listener = TidemarkListener.NONE;

    SendPipelineBuilder(MessageStore store, ConversationDirectory directory, Threads threads) {
        this.store = given("store", store);
        this.directory = given("directory", directory);
        this.threads = given("threads", threads);
    }

    /** The host's say in who may send what, after membership. Default: {@link SendAuthorizer#all()}. */
    public SendPipelineBuilder authorizer(SendAuthorizer value) {
        authorizer = given("authorizer", value);
        return this;
    }

    /** How fast a sender may send. Default: {@link SendLimiter#none()}. */
    public SendPipelineBuilder limiter(SendLimiter value) {
        limiter = given("limiter", value);
        return this;
    }

    /** What says how old a message is; decides no order. Default: the system's clock. */
    public SendPipelineBuilder clock(Clock value) {
        clock = given("clock", value);
        return this;
    }

    /** Told of every stored message, to bring conversation lists up to date. Default: {@link Indexer#none()}. */
    public SendPipelineBuilder indexer(Indexer value) {
        indexer = given("indexer", value);
        return this;
    }

    /** Told of every stored message, to push it. Default: {@link Pusher#none()}. */
    public SendPipelineBuilder pusher(Pusher value) {
        pusher = given("pusher", value);
        return this;
    }

    /** What sends are held to. Default: {@link SendPolicy#defaults()}. */
    public SendPipelineBuilder policy(SendPolicy value) {
        policy = given("policy", value);
        return this;
    }

    /** How much goes into one transaction. Default: {@link BatchPolicy#defaults()}. */
    public SendPipelineBuilder batchPolicy(BatchPolicy value) {
        batchPolicy = given("batchPolicy", value);
        return this;
    }

    /** What is left out under load. Default: {@link ShedPolicy#defaults()}. */
    public SendPipelineBuilder shedPolicy(ShedPolicy value) {
        shedPolicy = given("shedPolicy", value);
        return this;
    }

    /** Told of what happens. Default: {@link TidemarkListener#NONE}. */
    public SendPipelineBuilder listener(TidemarkListener value) {
        listener = given("listener", value);
        return this;
    }

    /** Builds it. It takes no sends before it is {@linkplain SendPipeline#start() started}. */
    public SendPipeline build() {
        return new SendPipeline(this);
    }

    private static <T> T given(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidInputException(field, "something, was null");
        }
        return value;
    }
}
