package dev.tidemark.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.tidemark.send.SendLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket per sender, of this node alone: a sender who is connected to two nodes has two. Kinds of messages can have
 * limits of their own, and so can senders.
 *
 * <pre>{@code
 * Tidemark.builder()
 *         .limiter(TokenBuckets.perSender(RateLimit.of(20, Duration.ofSeconds(10)))
 *                 .kind("typing", RateLimit.of(1, Duration.ofSeconds(3)))
 *                 .build())
 * }</pre>
 *
 * <p>Memory is bounded by a number of buckets; one that nobody has used until it was full again is forgotten, which changes
 * nothing. When more senders than that are active, some of them find their buckets full too early. Starts no thread. Safe
 * for use by many threads.
 */
public final class TokenBuckets implements SendLimiter {

    /** Whose bucket it is; the kind is empty in the key of the one that all kinds without their own limit share. */
    private record Key(String sender, String kind) {}

    /** A bucket, and how long it takes to be as good as new. */
    private record Filled(Bucket bucket, long nanosToFill) {}

    private final RateLimit perSender;
    private final Map<String, RateLimit> kinds;
    private final Function<String, @Nullable RateLimit> senders;
    private final TimeMeter time;
    private final Cache<Key, Filled> buckets;

    TokenBuckets(TokenBucketsBuilder parts) {
        this.perSender = parts.perSender;
        this.kinds = Map.copyOf(parts.kinds);
        this.senders = parts.senders;
        // The buckets compare readings, which may overflow unless they begin at zero.
        long begin = parts.nanoTime.getAsLong();
        LongSupplier passed = () -> parts.nanoTime.getAsLong() - begin;
        this.time = meter(passed);
        this.buckets = Caffeine.newBuilder()
                .maximumSize(parts.maxBuckets)
                .expireAfter(Expiry.<Key, Filled>accessing((key, filled) -> Duration.ofNanos(filled.nanosToFill())))
                .ticker(passed::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Begins to put buckets together.
     *
     * @param limit holds for each sender who has no other, and for all kinds together that have no other
     */
    public static TokenBucketsBuilder perSender(RateLimit limit) {
        return new TokenBucketsBuilder(limit);
    }

    @Override
    public Duration charge(String sender, String kind) {
        ConsumptionProbe probe = bucket(sender, kind).tryConsumeAndReturnRemaining(1);
        return probe.isConsumed() ? Duration.ZERO : Duration.ofNanos(Math.max(1, probe.getNanosToWaitForRefill()));
    }

    @Override
    public void refund(String sender, String kind) {
        bucket(sender, kind).addTokens(1);
    }

    /** About how many buckets are kept. */
    public long size() {
        buckets.cleanUp();
        return buckets.estimatedSize();
    }

    private Bucket bucket(String sender, String kind) {
        boolean own = kinds.containsKey(kind);
        return buckets.get(new Key(sender, own ? kind : ""), this::fill).bucket();
    }

    private Filled fill(Key key) {
        RateLimit limit = limit(key);
        Bucket bucket = Bucket.builder()
                .addLimit(rule -> rule.capacity(limit.burst()).refillGreedy(limit.messages(), limit.per()))
                .withCustomTimePrecision(time)
                .build();
        return new Filled(bucket, limit.timeToFill().toNanos());
    }

    private RateLimit limit(Key key) {
        RateLimit ofKind = kinds.get(key.kind());
        if (ofKind != null) {
            return ofKind;
        }
        RateLimit ofSender = senders.apply(key.sender());
        return ofSender == null ? perSender : ofSender;
    }

    private static TimeMeter meter(LongSupplier passed) {
        return new TimeMeter() {
            @Override
            public long currentTimeNanos() {
                return passed.getAsLong();
            }

            @Override
            public boolean isWallClockBased() {
                return false;
            }
        };
    }
}
