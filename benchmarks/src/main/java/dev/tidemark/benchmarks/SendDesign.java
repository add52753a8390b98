package dev.tidemark.benchmarks;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A way to store messages. All of them write the same rows into the same table with the same indexes. */
public interface SendDesign extends AutoCloseable {

    /** The names by which the benchmarks choose one. */
    enum Name {
        /** A counter in Redis, then an INSERT in a transaction of its own, per message, on sixteen connections. */
        LITERAL,
        /** The same, and then a pipeline to Redis that brings the caches of conversation lists up to date. */
        LITERAL_CACHED,
        /** A counter in a row of the database: counted and inserted in one transaction per message, on sixteen connections. */
        LITERAL_ROW,
        /** Multi-row INSERTs of rows whose numbers are known before: no numbering, no idempotency. */
        CEILING,
        /** Tidemark's send pipeline on one node. As with the other designs, callbacks run on the thread that stored. */
        TIDEMARK,
        /** The same with callbacks on a thread of their own, as it is unless a host says otherwise. */
        TIDEMARK_HANDING_OVER,
        /** Three nodes, each with its own pipeline and pool, writing to the same conversations. */
        TIDEMARK_3_NODES;

        boolean isTidemark() {
            return this == TIDEMARK || this == TIDEMARK_HANDING_OVER || this == TIDEMARK_3_NODES;
        }
    }

    /**
     * Stores a message.
     *
     * @param done told when the message is durable: null, or what went wrong
     */
    void send(Message message, Consumer<@Nullable String> done);

    @Override
    void close();
}
