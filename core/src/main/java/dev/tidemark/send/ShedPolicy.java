package dev.tidemark.send;

import dev.tidemark.error.InvalidInputException;
import java.time.Duration;

/**
 * From which load on optional work is left out. The load of a partition is the greatest of three: how full its queues are, its
 * commit latency as a share of {@code slowCommit}, and the share of commits that failed lately. Work is taken up again once the
 * load has fallen by {@link #HYSTERESIS} below what left it out. Immutable.
 *
 * @param pushBodies the load from which {@link OptionalWork#PUSH_BODIES} is left out, more than {@link #HYSTERESIS}; more than
 *     1 for never, as far as queues and failures go
 * @param index the load from which {@link OptionalWork#INDEX} is left out, {@code pushBodies} or more
 * @param slowCommit the commit latency that counts as a load of 1, more than zero
 */
public record ShedPolicy(double pushBodies, double index, Duration slowCommit) {

    /** How far the load has to fall. */
    public static final double HYSTERESIS = 0.25;

    /** Checks the ranges; throws an {@link InvalidInputException} naming the component. */
    public ShedPolicy {
        if (!(pushBodies > HYSTERESIS)) {
            throw new InvalidInputException("pushBodies", "more than " + HYSTERESIS + ", was " + pushBodies);
        }
        if (!(index >= pushBodies)) {
            throw new InvalidInputException("index", "pushBodies, " + pushBodies + ", or more, was " + index);
        }
        if (slowCommit.isNegative() || slowCommit.isZero()) {
            throw new InvalidInputException("slowCommit", "more than zero, was " + slowCommit);
        }
    }

    /** Bodies from half a load on, the index from three quarters, where a commit of a second is slow. */
    public static ShedPolicy defaults() {
        return new ShedPolicy(0.5, 0.75, Duration.ofSeconds(1));
    }

    double threshold(OptionalWork work) {
        return switch (work) {
            case PUSH_BODIES -> pushBodies;
            case INDEX -> index;
        };
    }
}
