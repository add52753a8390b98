package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.append.NumberedDraft;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The standard tables on databases whose statements take lists of values, as long as the batch is. */
abstract class InListMessageLayout extends StandardMessageLayout {

    /** The most rows or ids of one statement; what is above goes into another one of the same transaction. */
    static final int MAX_ROWS = 1000;

    /** The most bytes of bodies in one statement, so that it fits the packet of a server with default settings. */
    private static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final String ROW = "(?, ?, ?, ?, ?, ?, 0, ?, ?, ?)";

    InListMessageLayout(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /** What stands between the table's name and WHERE where rows are looked up by their primary key. */
    abstract String byPrimaryKey();

    @Override
    Map<String, Head> selectHeads(Connection connection, Collection<String> conversations, String lock)
            throws SQLException {
        Map<String, Head> heads = new HashMap<>();
        for (List<String> chunk : chunks(conversations, MAX_ROWS)) {
            try (PreparedStatement statement = dialect.prepareQuery(
                    connection,
                    "SELECT conversation_id, head_seq, floor_seq, head_tag FROM "
                            + conversationTable + byPrimaryKey() + " WHERE conversation_id IN ("
                            + list("?", chunk.size()) + ") ORDER BY conversation_id " + lock)) {
                for (int i = 0; i < chunk.size(); i++) {
                    dialect.setId(statement, i + 1, chunk.get(i));
                }
                heads.putAll(readHeads(statement));
            }
        }
        return heads;
    }

    @Override
    public void insert(Connection connection, List<NumberedDraft> rows) throws SQLException {
        for (List<NumberedDraft> chunk : chunksOfPacketSize(rows)) {
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + messageTable
                    + " (conversation_id, seq, sender_id, message_id, kind, countable, revision, stored_at, body_hash,"
                    + " body) VALUES " + list(ROW, chunk.size()))) {
                int index = 1;
                for (NumberedDraft row : chunk) {
                    Draft draft = row.hashed().draft();
                    dialect.setId(statement, index++, draft.conversation());
                    statement.setLong(index++, row.seq());
                    dialect.setId(statement, index++, draft.sender());
                    dialect.setId(statement, index++, draft.messageId());
                    dialect.setId(statement, index++, draft.kind());
                    statement.setBoolean(index++, draft.countable());
                    statement.setLong(index++, row.storedAt().toEpochMilli());
                    statement.setLong(index++, row.hashed().bodyHash());
                    statement.setBytes(index++, draft.body().unsafeBytes());
                }
                statement.executeUpdate();
            }
        }
    }

    static String list(String element, int size) {
        return String.join(", ", Collections.nCopies(size, element));
    }

    private static List<List<NumberedDraft>> chunksOfPacketSize(List<NumberedDraft> rows) {
        List<List<NumberedDraft>> chunks = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            int size = rows.get(i).hashed().draft().body().size();
            if (i > from && (i - from == MAX_ROWS || bytes + size > MAX_BYTES)) {
                chunks.add(rows.subList(from, i));
                from = i;
                bytes = 0;
            }
            bytes += size;
        }
        chunks.add(rows.subList(from, rows.size()));
        return chunks;
    }
}
