package dev.tidemark.storage.tck;

import dev.tidemark.storage.InboxStore;
import dev.tidemark.storage.memory.InMemoryInboxStore;

class InMemoryInboxStoreTest extends InboxStoreContract {

    @Override
    protected StoreFixture<InboxStore> open() {
        return new InMemoryStoreFixture<>(new InMemoryInboxStore());
    }
}
