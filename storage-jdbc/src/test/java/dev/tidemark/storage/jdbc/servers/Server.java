package dev.tidemark.storage.jdbc.servers;

/**
 * A running database server on which tests create databases of their own. Thread-safe, except that nothing may be
 * called after {@link #stop()}.
 */
interface Server {

    /** Creates an empty database with the server's own defaults. The name is a plain lower case identifier. */
    Access create(String database);

    /** Drops a database for good, however many connections are still open on it. */
    void drop(String database);

    /** Ends the server if it was started here; a server of the user's is left as it is. */
    void stop();
}
