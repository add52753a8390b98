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
        /** Multi-row INSERTs of rows whose numbers are known before: no numbering, no idempotency. */
        CEILING,
        /** Tidemark's send pipeline on one node. */
        TIDEMARK,
        /** Three nodes, each with its own pipeline and pool, writing to the same conversations. */
        TIDEMARK_3_NODES
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
