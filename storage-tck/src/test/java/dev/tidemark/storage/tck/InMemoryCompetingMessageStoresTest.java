package dev.tidemark.storage.tck;

class InMemoryCompetingMessageStoresTest extends CompetingMessageStoresContract {

    @Override
    protected MessageStoreFixture open() {
        return new InMemoryMessageStoreFixture();
    }
}
