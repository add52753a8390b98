/**
 * The store contracts of Tidemark as tests: an adapter's author extends the abstract classes of {@link
 * dev.tidemark.storage.tck}.
 */
open module dev.tidemark.storage.tck {
    requires transitive dev.tidemark.storage;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires static transitive org.jspecify;

    exports dev.tidemark.storage.tck;
}
