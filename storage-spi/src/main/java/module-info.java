/**
 * The contracts between Tidemark and the databases it stores in, their records, and an in-memory reference of each.
 *
 * <p>{@link dev.tidemark.storage} holds the contracts, {@link dev.tidemark.storage.append} the append algorithm an adapter
 * may reuse, {@link dev.tidemark.storage.memory} the reference stores, {@link dev.tidemark.error} the error model that
 * every part of Tidemark shares.
 */
module dev.tidemark.storage {
    requires static transitive org.jspecify;

    exports dev.tidemark.error;
    exports dev.tidemark.storage;
    exports dev.tidemark.storage.append;
    exports dev.tidemark.storage.memory;
}
