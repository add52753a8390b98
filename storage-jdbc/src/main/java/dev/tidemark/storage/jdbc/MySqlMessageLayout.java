package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The standard tables on MySQL and MariaDB. */
final class MySqlMessageLayout extends InListMessageLayout {

    /**
     * The keys of one look-up. With some hundreds more, whose conversations are the same, MySQL's optimizer runs out of the
     * memory it gives itself (range_optimizer_max_mem_size) and scans the table, FORCE INDEX or not.
     */
    private static final int MAX_KEYS = 100;

    MySqlMessageLayout(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /** A scan of the table, which the optimizer prefers while it is small, would lock and wait for rows not asked for. */
    @Override
    String byPrimaryKey() {
        return " FORCE INDEX (PRIMARY)";
    }

    @Override
    public Map<MessageKey, Receipt> find(Connection connection, Collection<MessageKey> keys) throws SQLException {
        Map<MessageKey, Receipt> found = new HashMap<>();
        for (List<MessageKey> chunk : chunks(keys, MAX_KEYS)) {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT conversation_id, sender_id, message_id, seq, stored_at, body_hash FROM " + messageTable
                            + " FORCE INDEX (" + messageTable + "_key)"
                            + " WHERE (conversation_id, sender_id, message_id) IN (" + list("(?, ?, ?)", chunk.size())
                            + ")")) {
                int index = 1;
                for (MessageKey key : chunk) {
                    dialect.setId(statement, index++, key.conversation());
                    dialect.setId(statement, index++, key.sender());
                    dialect.setId(statement, index++, key.messageId());
                }
                readReceipts(statement, found);
            }
        }
        return found;
    }

    /** An upsert that never inserts, since the rows are locked: the one way to give each row values of its own at once. */
    @Override
    public void moveHeads(Connection connection, Map<String, Head> heads) throws SQLException {
        upsert(connection, heads, "head_seq = VALUES(head_seq), head_tag = VALUES(head_tag)");
    }

    @Override
    public void createHeads(Connection connection, Map<String, Head> heads) throws SQLException {
        upsert(connection, heads, "conversation_id = VALUES(conversation_id)");
    }

    private void upsert(Connection connection, Map<String, Head> heads, String onDuplicate) throws SQLException {
        for (List<Map.Entry<String, Head>> chunk : chunks(heads.entrySet(), MAX_ROWS)) {
            try (PreparedStatement statement = connection.prepareStatement(
                    "INSERT INTO " + conversationTable + " (conversation_id, head_seq, floor_seq, head_tag) VALUES "
                            + list("(?, ?, ?, ?)", chunk.size()) + " ON DUPLICATE KEY UPDATE " + onDuplicate)) {
                int index = 1;
                for (Map.Entry<String, Head> head : chunk) {
                    dialect.setId(statement, index++, head.getKey());
                    statement.setLong(index++, head.getValue().seq());
                    statement.setLong(index++, head.getValue().floor());
                    statement.setInt(index++, head.getValue().tag());
                }
                statement.executeUpdate();
            }
        }
    }
}
