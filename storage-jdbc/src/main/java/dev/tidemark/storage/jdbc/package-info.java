/**
 * The stores on PostgreSQL, MySQL, MariaDB and H2.
 *
 * <p>Each store is made over a {@code DataSource} by its {@code over} method and takes a connection from it for each call;
 * a pool is the host's business. A connection is given back as it was found: autocommit, isolation and session settings
 * included. Nothing is created in the database unless {@link dev.tidemark.storage.jdbc.SchemaInstaller} is asked to.
 *
 * <p>A host whose messages live in tables of another shape supplies a {@link dev.tidemark.storage.jdbc.MessageLayout} and
 * gets the numbering, the idempotency and the repair of {@link dev.tidemark.storage.jdbc.JdbcMessageStore} over them.
 */
@NullMarked
package dev.tidemark.storage.jdbc;

import org.jspecify.annotations.NullMarked;
