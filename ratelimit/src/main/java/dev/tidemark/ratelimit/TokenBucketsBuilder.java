package dev.tidemark.ratelimit;

import dev.tidemark.error.InvalidInputException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Puts {@link TokenBuckets} together. Not for many threads. */
public final class TokenBucketsBuilder {

    final RateLimit perSender;
    final Map<String, RateLimit> kinds = new HashMap<>();
    Function<String, @Nullable RateLimit> senders = sender -> null;
    int maxBuckets = 1_000_000;
    LongSupplier nanoTime = System::nanoTime;

    TokenBucketsBuilder(RateLimit perSender) {
        this.perSender = given("perSender", perSender);
    }

    /**
     * A limit for one kind of message, whoever sends it. Messages of this kind are not charged to the sender's other bucket.
     *
     * @throws InvalidInputException naming {@code kind}, which is not empty, or {@code limit}
     */
    public TokenBucketsBuilder kind(String kind, RateLimit limit) {
        if (given("kind", kind).isEmpty()) {
            throw new InvalidInputException("kind", "not to be empty");
        }
        kinds.put(kind, given("limit", limit));
        return this;
    }

    /**
     * Limits for particular senders, such as the host's own bots.
     *
     * @param rule the limit of a sender, or null for the one that holds for everybody. Called when a sender has no bucket yet,
     *     on the thread that sends: it must be fast
     */
    public TokenBucketsBuilder senders(Function<String, @Nullable RateLimit> rule) {
        senders = given("senders", rule);
        return this;
    }

    /**
     * How many buckets are kept, 1 or more. Default: 1,000,000, which take about 300 MB when that many senders are active.
     *
     * @throws InvalidInputException naming {@code maxBuckets}
     */
    public TokenBucketsBuilder maxBuckets(int value) {
        if (value < 1) {
            throw new InvalidInputException("maxBuckets", "1 or more, was " + value);
        }
        maxBuckets = value;
        return this;
    }

    /** The passing of time, in nanoseconds. Default: the system's monotonic time. */
    public TokenBucketsBuilder nanoTime(LongSupplier value) {
        nanoTime = given("nanoTime", value);
        return this;
    }

    /** Builds them. */
    public TokenBuckets build() {
        return new TokenBuckets(this);
    }

    private static <T> T given(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidInputException(field, "something, was null");
        }
        return value;
    }
}
