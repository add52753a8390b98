package dev.tidemark.storage.tck;

import dev.tidemark.storage.Presence;
import dev.tidemark.storage.memory.InMemoryPresence;

class InMemoryPresenceTest extends PresenceContract {

    @Override
    protected StoreFixture<Presence> open() {
        return new InMemoryStoreFixture<>(new InMemoryPresence());
    }
}
