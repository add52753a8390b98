package dev.tidemark.storage;

/**
 * A store whose conversations are spread over several databases. A service that is given one has lanes of their own for each,
 * so that a database that is slow or down holds up nothing of the others (H45). Safe for use by many threads.
 */
public interface Partitioned {

    /** How many partitions there are, 1 or more; always the same. */
    int partitions();

    /**
     * The partition of a conversation. Cheap: it is asked for every send and every read.
     *
     * @return from 0 on, less than {@link #partitions()}; always the same for the same conversation
     */
    int partitionOf(String conversation);

    /** The partitions of a log: its own, or one where it knows of none. */
    static Partitioned of(MessageLog log) {
        return log instanceof Partitioned partitioned ? partitioned : Whole.INSTANCE;
    }
}
