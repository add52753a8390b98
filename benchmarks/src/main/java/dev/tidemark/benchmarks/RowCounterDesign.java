package dev.tidemark.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * What teams without Redis run: a counter in the conversation's row gives the sequence, and the message's row is inserted in
 * the same transaction. Sixteen connections.
 */
final class RowCounterDesign extends WorkerPool {

    private static final String COUNT =
            "UPDATE tidemark_conversation SET head_seq = head_seq + 1 WHERE conversation_id = ? RETURNING head_seq";

    private static final int CONNECTIONS = 16;

    private final DataSource dataSource;

    RowCounterDesign(DataSource dataSource) {
        this.dataSource = dataSource;
        start(1, CONNECTIONS, 1);
    }

    @Override
    void store(List<Message> messages) throws Exception {
        Message message = messages.get(0);
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            LiteralDesign.insert(connection, message, count(connection, message));
            connection.commit();
        }
    }

    private static long count(Connection connection, Message message) throws SQLException {
        try (PreparedStatement count = connection.prepareStatement(COUNT)) {
            count.setString(1, message.conversationId());
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
