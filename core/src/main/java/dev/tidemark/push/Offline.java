package dev.tidemark.push;

/**
 * Takes messages for users none of whose devices is connected, for the host's own way of waking them: APNs, FCM, mail. Best
 * effort, as pushing is: what a crash or a full queue loses is not handed over again. Called on fan-out lanes, several at
 * once, so it must be safe for use by many threads and should only enqueue. One that throws is contained and logged (H28).
 */
@FunctionalInterface
public interface Offline {

    /** Takes a message for a recipient; never called for the message's own sender. */
    void handOver(Handover handover);

    /** Leaves those who are not connected alone. */
    static Offline none() {
        return handover -> {};
    }
}
