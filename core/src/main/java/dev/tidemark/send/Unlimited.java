package dev.tidemark.send;

import java.time.Duration;

/** Charges nothing. */
enum Unlimited implements SendLimiter {
    INSTANCE;

    @Override
    public Duration charge(String sender, String kind) {
        return Duration.ZERO;
    }

    @Override
    public void refund(String sender, String kind) {}
}
