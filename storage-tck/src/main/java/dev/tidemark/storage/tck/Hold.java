package dev.tidemark.storage.tck;

/** Something a test holds on to until it lets go, at the latest at the end of the {@code try} block it is opened in. */
@FunctionalInterface
public interface Hold extends AutoCloseable {

    /** Lets go. A second time does nothing. */
    void release();

    /** {@link #release()}. */
    @Override
    default void close() {
        release();
    }
}
