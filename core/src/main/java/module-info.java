/**
 * The services of Tidemark: send, push, fetch and cursors over the stores of {@link dev.tidemark.storage}.
 *
 * <p>{@link dev.tidemark.Tidemark} is the one door; every service can also be built alone.
 */
module dev.tidemark.core {
    requires static transitive org.jspecify;
    requires transitive dev.tidemark.storage;
    requires org.slf4j;

    exports dev.tidemark;
    exports dev.tidemark.concurrent;
    exports dev.tidemark.cursor;
    exports dev.tidemark.fetch;
    exports dev.tidemark.inbox;
    exports dev.tidemark.listener;
    exports dev.tidemark.push;
    exports dev.tidemark.send;
}
