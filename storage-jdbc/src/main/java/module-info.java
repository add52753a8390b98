/** The stores of Tidemark on PostgreSQL, MySQL, MariaDB and H2. */
module dev.tidemark.storage.jdbc {
    requires static org.jspecify;
    requires transitive dev.tidemark.storage;
    requires transitive java.sql;

    exports dev.tidemark.storage.jdbc;
}
