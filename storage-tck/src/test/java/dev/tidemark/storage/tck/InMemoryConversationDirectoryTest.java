package dev.tidemark.storage.tck;

import dev.tidemark.storage.MutableConversationDirectory;
import dev.tidemark.storage.memory.InMemoryConversationDirectory;

class InMemoryConversationDirectoryTest extends ConversationDirectoryContract {

    @Override
    protected StoreFixture<MutableConversationDirectory> open() {
        return new InMemoryStoreFixture<>(new InMemoryConversationDirectory());
    }
}
