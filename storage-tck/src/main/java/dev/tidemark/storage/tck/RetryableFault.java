package dev.tidemark.storage.tck;

/** A fault that ends a transaction which, begun anew, would go through (H35). */
public enum RetryableFault {
    /** The transaction was chosen as a deadlock's victim: MySQL 1213, PostgreSQL 40P01. */
    DEADLOCK,
    /** The transaction could not be serialized: SQLState 40001. */
    SERIALIZATION_FAILURE
}
