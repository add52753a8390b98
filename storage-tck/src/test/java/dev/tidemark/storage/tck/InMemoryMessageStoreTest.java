package dev.tidemark.storage.tck;

import dev.tidemark.storage.memory.InMemoryTransaction;
import java.util.Set;

class InMemoryMessageStoreTest extends TransactionalMessageStoreContract<InMemoryTransaction> {

    @Override
    protected TransactionalMessageStoreFixture<InMemoryTransaction> open() {
        return new InMemoryMessageStoreFixture();
    }

    @Override
    protected Set<Capability> missing() {
        return InMemoryMessageStoreFixture.MISSING;
    }
}
