package dev.tidemark.storage.tck;

/**
 * Opens a store for one test.
 *
 * @param <S> the contract under test
 */
public interface StoreFixture<S> extends AutoCloseable {

    /** The instance under test, the same on every call. */
    S store();

    /**
     * One more instance over the same data, as another node has it. A store that lives in one process answers with
     * {@link #store()}.
     */
    S another();

    /**
     * Closes whatever was opened. The place to check that the store returned what it borrowed, as it found it: an
     * exception thrown here fails the test. Nothing by default.
     */
    @Override
    default void close() {}
}
