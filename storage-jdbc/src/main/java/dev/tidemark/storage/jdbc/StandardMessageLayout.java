package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StoreLimits;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.Tag;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tidemark's own tables: what is the same on every database. */
abstract class StandardMessageLayout implements MessageLayout {

    /** Well below the 16 MiB in which MariaDB by default wants a whole packet. */
    static final StoreLimits LIMITS = new StoreLimits(8 * 1024 * 1024);

    /** The parts of one union that asks each conversation for its last row. */
    private static final int LAST_ROWS_CHUNK = 100;

    final Dialect dialect;
    final String prefix;
    final String conversationTable;
    final String messageTable;
    private final String after;
    private final String before;
    private final String edgeRows;

    StandardMessageLayout(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = prefix;
        this.conversationTable = prefix + "conversation";
        this.messageTable = prefix + "message";
        this.after = slice("seq >= ? ORDER BY seq");
        this.before = slice("seq < ? ORDER BY seq DESC");
        String edge = "(SELECT conversation_id, seq, sender_id, message_id FROM " + messageTable
                + " WHERE conversation_id = ? ORDER BY seq %s LIMIT 1)";
        this.edgeRows = edge.formatted("ASC") + " UNION ALL " + edge.formatted("DESC");
    }

    @Override
    public StoreLimits limits() {
        return LIMITS;
    }

    @Override
    public void verify(Connection connection) {
        Schema.of(dialect, prefix).verify(connection);
    }

    @Override
    public Map<String, Head> lockHeads(Connection connection, List<String> conversations, Duration wait)
            throws SQLException {
        Connections.Restoring waitLimit = dialect.limitWait(connection, wait);
        try {
            return selectHeads(connection, conversations, dialect.forUpdate(wait));
        } finally {
            Connections.restore(waitLimit);
        }
    }

    @Override
    public Map<String, Head> heads(Connection connection, Collection<String> conversations) throws SQLException {
        return selectHeads(connection, conversations, "");
    }

    /** Selects the heads of conversations, in their order, with a clause that locks them or none. */
    abstract Map<String, Head> selectHeads(Connection connection, Collection<String> conversations, String lock)
            throws SQLException;

    @Override
    public Map<String, Head> lastRows(Connection connection, List<String> conversations) throws SQLException {
        Map<String, NavigableMap<Long, Integer>> edges = new HashMap<>();
        for (List<String> chunk : chunks(conversations, LAST_ROWS_CHUNK)) {
            String sql = String.join(" UNION ALL ", Collections.nCopies(chunk.size(), edgeRows));
            try (PreparedStatement statement = dialect.prepareQuery(connection, sql)) {
                int index = 1;
                for (String conversation : chunk) {
                    dialect.setId(statement, index++, conversation);
                    dialect.setId(statement, index++, conversation);
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        edges.computeIfAbsent(rows.getString(1), key -> new TreeMap<>())
                                .put(rows.getLong(2), Tag.of(rows.getString(3), rows.getString(4)));
                    }
                }
            }
        }
        Map<String, Head> last = new HashMap<>();
        edges.forEach((conversation, edge) -> last.put(
                conversation,
                new Head(edge.lastKey(), edge.firstKey() - 1, edge.lastEntry().getValue())));
        return last;
    }

    @Override
    public Slice after(Connection connection, String conversation, long after, int limit) throws SQLException {
        Slice slice = readSlice(connection, this.after, conversation, after, limit + 1);
        List<StoredMessage> messages = slice.messages();
        if (messages.isEmpty()) {
            return slice;
        }
        boolean isAnchored = messages.get(0).seq() == after;
        int from = isAnchored ? 1 : 0;
        return new Slice(
                slice.head(),
                isAnchored ? messages.get(0).tag() : null,
                messages.subList(from, Math.min(messages.size(), from + limit)));
    }

    @Override
    public Slice before(Connection connection, String conversation, long before, int limit) throws SQLException {
        return readSlice(connection, this.before, conversation, before, limit);
    }

    /**
     * Head and rows by one statement, so from one snapshot. It yields a row for a conversation without messages, and for
     * messages without a conversation.
     */
    private String slice(String range) {
        return "SELECT c.head_seq, c.floor_seq, c.head_tag, m.seq, m.sender_id, m.message_id, m.kind, m.countable,"
                + " m.body, m.revision, m.stored_at FROM (SELECT 1 AS one) o LEFT JOIN " + conversationTable
                + " c ON c.conversation_id = ? LEFT JOIN (SELECT seq, sender_id, message_id, kind, countable, body,"
                + " revision, stored_at FROM " + messageTable + " WHERE conversation_id = ? AND " + range
                + " LIMIT ?) m ON 1 = 1 ORDER BY m.seq";
    }

    private Slice readSlice(Connection connection, String sql, String conversation, long seq, int limit)
            throws SQLException {
        try (PreparedStatement statement = dialect.prepareQuery(connection, sql)) {
            dialect.setId(statement, 1, conversation);
            dialect.setId(statement, 2, conversation);
            statement.setLong(3, seq);
            statement.setInt(4, limit);
            try (ResultSet rows = statement.executeQuery()) {
                Head head = Head.EMPTY;
                List<StoredMessage> messages = new ArrayList<>();
                while (rows.next()) {
                    head = head(rows, 1);
                    StoredMessage message = message(rows, conversation);
                    if (message != null) {
                        messages.add(message);
                    }
                }
                return new Slice(head, null, messages);
            }
        }
    }

    /** Null columns, where there is no row, read as 0 and so as the empty head. */
    static Head head(ResultSet rows, int column) throws SQLException {
        long seq = rows.getLong(column);
        long floor = rows.getLong(column + 1);
        // Numbers up to the floor were given out, whatever a script has made of the head (H15).
        return new Head(Math.max(seq, floor), floor, rows.getInt(column + 2));
    }

    private static @Nullable StoredMessage message(ResultSet rows, String conversation) throws SQLException {
        long seq = rows.getLong(4);
        if (rows.wasNull()) {
            return null;
        }
        return new StoredMessage(
                conversation,
                seq,
                rows.getString(5),
                rows.getString(6),
                rows.getString(7),
                rows.getBoolean(8),
                Body.wrap(rows.getBytes(9)),
                rows.getInt(10),
                Instant.ofEpochMilli(rows.getLong(11)));
    }

    static Map<String, Head> readHeads(PreparedStatement statement) throws SQLException {
        Map<String, Head> heads = new HashMap<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                heads.put(rows.getString(1), head(rows, 2));
            }
        }
        return heads;
    }

    static void readReceipts(PreparedStatement statement, Map<MessageKey, Receipt> found) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.put(
                        new MessageKey(rows.getString(1), rows.getString(2), rows.getString(3)),
                        new Receipt(rows.getLong(4), Instant.ofEpochMilli(rows.getLong(5)), rows.getLong(6)));
            }
        }
    }

    static <E> List<List<E>> chunks(Collection<E> elements, int size) {
        List<E> list = List.copyOf(elements);
        List<List<E>> chunks = new ArrayList<>();
        for (int i = 0; i < list.size(); i += size) {
            chunks.add(list.subList(i, Math.min(i + size, list.size())));
        }
        return chunks;
    }
}
