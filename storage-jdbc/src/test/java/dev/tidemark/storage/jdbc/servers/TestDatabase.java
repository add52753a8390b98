package dev.tidemark.storage.jdbc.servers;

import java.util.UUID;

/**
 * The databases the tests run on: real servers of the versions named, started by the tests themselves.
 *
 * <p>A server starts with the first {@link #freshDatabase()}, once per JVM, and is stopped, its data deleted, when the
 * JVM ends. It listens on the loopback interface only, on a free port, and is as durable as its makers' defaults: what
 * is committed survives a kill of the server. The unpacked programs stay in {@code tidemark-test-servers-<user>} and
 * {@code embedded-pg} in the temporary folder, where the next run finds them; both may be deleted at any time when no
 * test is running.
 *
 * <p>The same tests can be pointed at servers of one's own, by environment variables:
 *
 * <table>
 * <caption>Environment variables</caption>
 * <tr><th>variables</th><th>example of a URL</th></tr>
 * <tr><td>{@code TIDEMARK_TEST_POSTGRESQL_URL}, {@code _USER}, {@code _PASSWORD}</td>
 *     <td>{@code jdbc:postgresql://db.example.org:5432/postgres}</td></tr>
 * <tr><td>{@code TIDEMARK_TEST_MARIADB_URL}, {@code _USER}, {@code _PASSWORD}</td>
 *     <td>{@code jdbc:mariadb://db.example.org:3306/mysql}</td></tr>
 * <tr><td>{@code TIDEMARK_TEST_MYSQL_URL}, {@code _USER}, {@code _PASSWORD}</td>
 *     <td>{@code jdbc:mysql://db.example.org:3306/mysql}</td></tr>
 * </table>
 *
 * The URL names a database that exists, from which the user may {@code CREATE DATABASE} and {@code DROP DATABASE}.
 * Every test works in databases of its own, called {@code tidemark_test_...}; nothing else is touched, and the server
 * is not stopped.
 *
 * <p>Thread-safe. A server that cannot be started is an {@link IllegalStateException} that says why, for every test
 * that needs it: a test is never skipped for want of its server.
 */
public enum TestDatabase {
    /** PostgreSQL 18, sorting text as in American English rather than by bytes. */
    POSTGRESQL,

    /** MariaDB 11.4. Its default character set is latin1. */
    MARIADB,

    /** MySQL 8.0. On Linux it needs the system library libaio.so.1, on Debian in the package libaio1. */
    MYSQL,

    /** H2, as files without write delay, opened by the process that connects. */
    H2;

    /** Creates an empty database, and starts the server before if this is the first one. */
    public FreshDatabase freshDatabase() {
        String unique = UUID.randomUUID().toString().replace("-", "");
        return new FreshDatabase(SharedServer.of(this).get(), "tidemark_test_" + unique);
    }
}
