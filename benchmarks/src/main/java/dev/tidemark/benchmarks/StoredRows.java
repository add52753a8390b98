package dev.tidemark.benchmarks;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Looks at the table after a run: a fast design that stores something else has won nothing. */
final class StoredRows {

    private StoredRows() {}

    /** What is wrong; empty when every distinct message is there once and, per conversation, numbered 1, 2, 3, … */
    static List<String> check(DataSource dataSource, SendDesign.Name name, long distinct) {
        List<String> wrong = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            long rows = count(statement, "SELECT count(*) FROM tidemark_message");
            if (rows != distinct) {
                wrong.add(name + ": " + distinct + " messages acknowledged, " + rows + " rows");
            }
            long torn = count(
                    statement,
                    "SELECT count(*) FROM (SELECT 1 FROM tidemark_message GROUP BY conversation_id"
                            + " HAVING min(seq) <> 1 OR max(seq) <> count(*)) t");
            if (torn > 0) {
                wrong.add(name + ": " + torn + " conversations with gaps");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return wrong;
    }

    private static long count(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
