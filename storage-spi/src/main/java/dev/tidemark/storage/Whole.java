package dev.tidemark.storage;

/** What is not partitioned. */
enum Whole implements Partitioned {
    INSTANCE;

    @Override
    public int partitions() {
        return 1;
    }

    @Override
    public int partitionOf(String conversation) {
        return 0;
    }
}
