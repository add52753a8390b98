package dev.tidemark.send;

/** What is left out under load, the earlier before the later. Storing is not among it. */
public enum OptionalWork {
    /** Messages on the push path; devices are told to sync instead, once an interval. */
    PUSH_BODIES,
    /** The index of conversation lists; counters are counted anew when they are read. */
    INDEX
}
