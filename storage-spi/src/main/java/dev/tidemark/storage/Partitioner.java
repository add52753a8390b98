package dev.tidemark.storage;

/** Says in which database a conversation is. Safe for use by many threads. */
@FunctionalInterface
public interface Partitioner {

    /**
     * The partition of a conversation. A conversation must not change its partition while it has messages.
     *
     * @return from 0 on, less than the number of partitions; always the same for the same conversation
     */
    int partitionOf(String conversation);
}
