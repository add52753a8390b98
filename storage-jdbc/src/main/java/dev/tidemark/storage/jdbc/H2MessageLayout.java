package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The standard tables on H2, which runs in the process: a statement per row costs no round trip. */
final class H2MessageLayout extends InListMessageLayout {

    H2MessageLayout(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    @Override
    String byPrimaryKey() {
        return "";
    }

    @Override
    public Map<MessageKey, Receipt> find(Connection connection, Collection<MessageKey> keys) throws SQLException {
        Map<MessageKey, Receipt> found = new HashMap<>();
        try (PreparedStatement statement = dialect.prepareQuery(
                connection,
                "SELECT conversation_id, sender_id, message_id, seq, stored_at, body_hash FROM " + messageTable
                        + " WHERE conversation_id = ? AND sender_id = ? AND message_id = ?")) {
            for (MessageKey key : keys) {
                dialect.setId(statement, 1, key.conversation());
                dialect.setId(statement, 2, key.sender());
                dialect.setId(statement, 3, key.messageId());
                readReceipts(statement, found);
            }
        }
        return found;
    }

    @Override
    public void moveHeads(Connection connection, Map<String, Head> heads) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE " + conversationTable + " SET head_seq = ?, head_tag = ? WHERE conversation_id = ?")) {
            for (Map.Entry<String, Head> head : heads.entrySet()) {
                statement.setLong(1, head.getValue().seq());
                statement.setInt(2, head.getValue().tag());
                dialect.setId(statement, 3, head.getKey());
                statement.executeUpdate();
            }
        }
    }

    @Override
    public void createHeads(Connection connection, Map<String, Head> heads) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + conversationTable
                + " (conversation_id, head_seq, floor_seq, head_tag) SELECT h.* FROM (VALUES (CAST(? AS VARBINARY(255)),"
                + " CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS INTEGER))) h (id, seq, floor, tag)"
                + " WHERE NOT EXISTS (SELECT 1 FROM " + conversationTable + " c WHERE c.conversation_id = h.id)")) {
            for (Map.Entry<String, Head> head : heads.entrySet()) {
                dialect.setId(statement, 1, head.getKey());
                statement.setLong(2, head.getValue().seq());
                statement.setLong(3, head.getValue().floor());
                statement.setInt(4, head.getValue().tag());
                statement.executeUpdate();
            }
        }
    }
}
