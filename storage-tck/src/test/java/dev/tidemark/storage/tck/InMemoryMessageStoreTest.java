package dev.tidemark.storage.tck;

import java.util.Set;

class InMemoryMessageStoreTest extends MessageStoreContract {

    @Override
    protected MessageStoreFixture open() {
        return new InMemoryMessageStoreFixture();
    }

    @Override
    protected Set<Capability> missing() {
        return InMemoryMessageStoreFixture.MISSING;
    }
}
