package dev.tidemark.push;

import dev.tidemark.concurrent.Scheduler;
import dev.tidemark.error.InvalidInputException;
import dev.tidemark.listener.TidemarkListener;
import dev.tidemark.storage.ConversationDirectory;
import dev.tidemark.storage.Presence;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Puts a {@link PushService} together. Every part has a default but for those it begins with. Not for many threads. */
public final class PushServiceBuilder {

    final ConversationDirectory directory;
    final Presence presence;
    final Transport transport;
    final Executor executor;
    final Scheduler scheduler;
    Offline offline = Offline.none();
    PushPolicy policy = PushPolicy.defaults();
    RetryPolicy retry = RetryPolicy.none();
    TidemarkListener listener = TidemarkListener.NONE;

    PushServiceBuilder(
            ConversationDirectory directory,
            Presence presence,
            Transport transport,
            Executor executor,
            Scheduler scheduler) {
        this.directory = given("directory", directory);
        this.presence = given("presence", presence);
        this.transport = given("transport", transport);
        this.executor = given("executor", executor);
        this.scheduler = given("scheduler", scheduler);
    }

    /** Takes messages for those who are not connected. Default: {@link Offline#none()}. */
    public PushServiceBuilder offline(Offline value) {
        offline = given("offline", value);
        return this;
    }

    /** How much is pushed at once and how much may wait. Default: {@link PushPolicy#defaults()}. */
    public PushServiceBuilder policy(PushPolicy value) {
        policy = given("policy", value);
        return this;
    }

    /** How often a push is tried that is not acknowledged. Default: {@link RetryPolicy#none()}. */
    public PushServiceBuilder retry(RetryPolicy value) {
        retry = given("retry", value);
        return this;
    }

    /** Told of what happens. Default: {@link TidemarkListener#NONE}. */
    public PushServiceBuilder listener(TidemarkListener value) {
        listener = given("listener", value);
        return this;
    }

    /** Builds it. It takes no messages before it is {@linkplain PushService#start() started}. */
    public PushService build() {
        return new PushService(this);
    }

    private static <T> T given(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidInputException(field, "something, was null");
        }
        return value;
    }
}
