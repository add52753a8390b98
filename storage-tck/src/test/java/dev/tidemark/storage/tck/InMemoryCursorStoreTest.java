package dev.tidemark.storage.tck;

import dev.tidemark.storage.CursorStore;
import dev.tidemark.storage.memory.InMemoryCursorStore;

class InMemoryCursorStoreTest extends CursorStoreContract {

    @Override
    protected StoreFixture<CursorStore> open() {
        return new InMemoryStoreFixture<>(new InMemoryCursorStore());
    }
}
