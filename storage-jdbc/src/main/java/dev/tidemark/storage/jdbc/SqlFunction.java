package dev.tidemark.storage.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Work on a connection. */
@FunctionalInterface
interface SqlFunction<R> {

    R apply(Connection connection) throws SQLException;
}
