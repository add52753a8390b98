package dev.tidemark.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TokenBucketsTest {

    private static final String TEXT = "text";

    /** Near the end of the numbers, so that whoever compares readings rather than differences is found out. */
    private long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();

    private final TokenBucketsBuilder builder =
            TokenBuckets.perSender(new RateLimit(3, 1, Duration.ofSeconds(1))).nanoTime(() -> now);

    @Test
    void aBurstPassesAndThenTheWaitIsExact() {
        TokenBuckets buckets = builder.build();
        for (int i = 0; i < 3; i++) {
            assertThat(buckets.charge("ann", TEXT)).isZero();
        }
        assertThat(buckets.charge("ann", TEXT)).isEqualTo(Duration.ofSeconds(1));
        pass(Duration.ofMillis(400));
        assertThat(buckets.charge("ann", TEXT)).isEqualTo(Duration.ofMillis(600));
        pass(Duration.ofMillis(600).minusNanos(1));
        assertThat(buckets.charge("ann", TEXT)).isEqualTo(Duration.ofNanos(1));
        pass(Duration.ofNanos(1));
        assertThat(buckets.charge("ann", TEXT)).isZero();
        assertThat(buckets.charge("ann", TEXT)).isPositive();
    }

    @Test
    void inTheLongRunTheRateIsKept() {
        TokenBuckets buckets = builder.build();
        int passed = 0;
        for (int i = 0; i < 10_000; i++) {
            pass(Duration.ofMillis(10));
            passed += buckets.charge("ann", TEXT).isZero() ? 1 : 0;
        }
        assertThat(passed).isBetween(102, 103);
    }

    @Test
    void eachSenderHasABucket() {
        TokenBuckets buckets = builder.build();
        for (int i = 0; i < 4; i++) {
            buckets.charge("ann", TEXT);
        }
        assertThat(buckets.charge("ann", TEXT)).isPositive();
        assertThat(buckets.charge("bob", TEXT)).isZero();
    }

    @Test
    void aKindCanHaveALimitOfItsOwnWhichIsApart() {
        TokenBuckets buckets =
                builder.kind("typing", RateLimit.of(1, Duration.ofSeconds(3))).build();
        assertThat(buckets.charge("ann", "typing")).isZero();
        assertThat(buckets.charge("ann", "typing")).isEqualTo(Duration.ofSeconds(3));
        for (int i = 0; i < 3; i++) {
            assertThat(buckets.charge("ann", i % 2 == 0 ? TEXT : "image")).isZero();
        }
        assertThat(buckets.charge("ann", TEXT)).isPositive();
    }

    @Test
    void aSenderCanHaveALimitOfItsOwn() {
        TokenBuckets buckets = builder.senders(
                        sender -> sender.equals("bot") ? RateLimit.of(100, Duration.ofSeconds(1)) : null)
                .build();
        for (int i = 0; i < 100; i++) {
            assertThat(buckets.charge("bot", TEXT)).isZero();
        }
        assertThat(buckets.charge("bot", TEXT)).isEqualTo(Duration.ofMillis(10));
        for (int i = 0; i < 3; i++) {
            buckets.charge("ann", TEXT);
        }
        assertThat(buckets.charge("ann", TEXT)).isPositive();
    }

    @Test
    void whatIsRefundedCanBeSpentAgainButNoMore() {
        TokenBuckets buckets = builder.build();
        buckets.refund("ann", TEXT);
        for (int i = 0; i < 3; i++) {
            buckets.charge("ann", TEXT);
        }
        assertThat(buckets.charge("ann", TEXT)).isPositive();
        buckets.refund("ann", TEXT);
        assertThat(buckets.charge("ann", TEXT)).isZero();
        assertThat(buckets.charge("ann", TEXT)).isPositive();
    }

    @Test
    void aBucketIsForgottenWhenItIsFullAgain() {
        AtomicInteger made = new AtomicInteger();
        TokenBuckets buckets = builder.senders(sender -> {
                    made.incrementAndGet();
                    return null;
                })
                .build();
        for (int i = 0; i < 1000; i++) {
            buckets.charge("user-" + i, TEXT);
        }
        assertThat(buckets.size()).isEqualTo(1000);
        pass(Duration.ofSeconds(2));
        buckets.charge("user-0", TEXT);
        assertThat(made).hasValue(1000);
        pass(Duration.ofSeconds(2));
        assertThat(buckets.size()).isEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(buckets.size()).isZero();
    }

    @Test
    void thereAreNeverMoreBucketsThanAllowed() {
        TokenBuckets buckets = builder.maxBuckets(100).build();
        for (int i = 0; i < 10_000; i++) {
            buckets.charge("user-" + i, TEXT);
        }
        assertThat(buckets.size()).isLessThanOrEqualTo(100);
    }

    @Test
    void whatIsWrongIsNamed() {
        Duration second = Duration.ofSeconds(1);
        assertNamed("burst", () -> new RateLimit(0, 1, second));
        assertNamed("messages", () -> new RateLimit(1, 0, second));
        assertNamed("messages", () -> new RateLimit(1, 2, Duration.ofNanos(1)));
        assertNamed("per", () -> new RateLimit(1, 1, Duration.ZERO));
        assertNamed("per", () -> new RateLimit(1, 1, Duration.ofDays(2)));
        assertNamed("maxBuckets", () -> builder.maxBuckets(0));
        assertNamed("kind", () -> builder.kind("", RateLimit.of(1, second)));
        assertNamed("limit", () -> builder.kind("x", null));
        assertNamed("senders", () -> builder.senders(null));
        assertNamed("perSender", () -> TokenBuckets.perSender(null));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private static void assertNamed(String field, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo(field));
    }
}
