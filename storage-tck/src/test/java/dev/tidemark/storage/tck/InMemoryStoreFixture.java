package dev.tidemark.storage.tck;

/** A store that lives in one process: every node there is uses the same instance. */
record InMemoryStoreFixture<S>(S store) implements StoreFixture<S> {

    @Override
    public S another() {
        return store;
    }
}
