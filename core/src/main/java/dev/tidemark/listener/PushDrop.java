package dev.tidemark.listener;

/** Why a push was given up. */
public enum PushDrop {
    /** Too many messages wait for their recipients to be looked up. */
    FAN_OUT_FULL,
    /** Too many pushes wait for the transport of this recipient. */
    LANE_FULL,
    /** The directory or the presence threw. */
    LOOKUP_FAILED,
    /** The executor took no more work. */
    EXECUTOR_REFUSED,
    /** The service is not running. */
    CLOSED
}
