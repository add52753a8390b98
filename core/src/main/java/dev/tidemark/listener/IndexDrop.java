package dev.tidemark.listener;

/** Why messages were not put into conversation lists when they were stored. The lists are mended when they are read. */
public enum IndexDrop {
    /** Too many were waiting for it. */
    LANE_FULL,
    /** The conversation has too many members for that. */
    LARGE_GROUP,
    /** The directory or the inbox store failed. */
    FAILED,
    /** The service was not running, or had no thread. */
    CLOSED
}
