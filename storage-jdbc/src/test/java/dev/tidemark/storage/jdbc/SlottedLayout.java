package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Body;
import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.Slice;
import dev.tidemark.storage.StoreLimits;
import dev.tidemark.storage.StoredMessage;
import dev.tidemark.storage.Tag;
import dev.tidemark.storage.append.NumberedDraft;
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
import java.util.stream.IntStream;

/**
 * A host's own tables on PostgreSQL, for the test that a foreign layout needs no more than its statements: rooms and lines
 * instead of conversations and messages, and the lines spread over sixteen tables by room.
 */
final class SlottedLayout implements MessageLayout {

    private static final int SLOTS = 16;

    static final MessageTables TABLES = new MessageTables(
            "chat_room",
            "room",
            "last_no",
            IntStream.range(0, SLOTS).mapToObj(SlottedLayout::lines).toList(),
            "digest",
            "INSERT INTO chat_line");

    static String[] ddl() {
        List<String> ddl = new ArrayList<>();
        ddl.add("CREATE TABLE chat_room (room text COLLATE \"C\" PRIMARY KEY, last_no bigint NOT NULL,"
                + " trimmed_no bigint NOT NULL, last_mark int NOT NULL)");
        for (String lines : TABLES.messages()) {
            ddl.add("CREATE TABLE " + lines
                    + " (room text COLLATE \"C\", no bigint, author text COLLATE \"C\" NOT NULL,"
                    + " client_ref text COLLATE \"C\" NOT NULL, type text NOT NULL, counts boolean NOT NULL,"
                    + " edits int NOT NULL, at_millis bigint NOT NULL, digest bigint NOT NULL, content bytea NOT NULL,"
                    + " PRIMARY KEY (room, no), UNIQUE (room, author, client_ref))");
        }
        return ddl.toArray(String[]::new);
    }

    private static String lines(int slot) {
        return "chat_line_" + slot;
    }

    private static String linesOf(String room) {
        return lines(Math.floorMod(room.hashCode(), SLOTS));
    }

    @Override
    public StoreLimits limits() {
        return new StoreLimits(1024 * 1024);
    }

    @Override
    public Map<String, Head> lockHeads(Connection connection, List<String> rooms, Duration wait) throws SQLException {
        try (PreparedStatement limit = connection.prepareStatement("SELECT set_config('lock_timeout', ?, true)")) {
            limit.setString(1, wait.toMillis() + "ms");
            limit.execute();
        }
        return rooms(connection, rooms, " ORDER BY room FOR UPDATE" + (wait.isZero() ? " SKIP LOCKED" : ""));
    }

    @Override
    public Map<String, Head> heads(Connection connection, Collection<String> rooms) throws SQLException {
        return rooms(connection, rooms, "");
    }

    private static Map<String, Head> rooms(Connection connection, Collection<String> rooms, String suffix)
            throws SQLException {
        Map<String, Head> heads = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT room, last_no, trimmed_no, last_mark FROM chat_room WHERE room = ANY (?)" + suffix)) {
            select.setArray(1, connection.createArrayOf("text", rooms.toArray()));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    heads.put(rows.getString(1), new Head(rows.getLong(2), rows.getLong(3), rows.getInt(4)));
                }
            }
        }
        return heads;
    }

    @Override
    public void moveHeads(Connection connection, Map<String, Head> heads) throws SQLException {
        write(connection, "UPDATE chat_room SET last_no = ?, trimmed_no = ?, last_mark = ? WHERE room = ?", heads);
    }

    @Override
    public void createHeads(Connection connection, Map<String, Head> heads) throws SQLException {
        write(
                connection,
                "INSERT INTO chat_room (last_no, trimmed_no, last_mark, room) VALUES (?, ?, ?, ?)"
                        + " ON CONFLICT (room) DO NOTHING",
                heads);
    }

    private static void write(Connection connection, String sql, Map<String, Head> heads) throws SQLException {
        try (PreparedStatement write = connection.prepareStatement(sql)) {
            for (Map.Entry<String, Head> head : heads.entrySet()) {
                write.setLong(1, head.getValue().seq());
                write.setLong(2, head.getValue().floor());
                write.setInt(3, head.getValue().tag());
                write.setString(4, head.getKey());
                write.addBatch();
            }
            write.executeBatch();
        }
    }

    @Override
    public Map<String, Head> lastRows(Connection connection, List<String> rooms) throws SQLException {
        Map<String, Head> last = new HashMap<>();
        for (String room : rooms) {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT no, author, client_ref, (SELECT min(no) FROM " + linesOf(room)
                            + " WHERE room = ?) FROM " + linesOf(room) + " WHERE room = ? ORDER BY no DESC LIMIT 1")) {
                select.setString(1, room);
                select.setString(2, room);
                try (ResultSet row = select.executeQuery()) {
                    if (row.next()) {
                        int mark = Tag.of(row.getString(2), row.getString(3));
                        last.put(room, new Head(row.getLong(1), row.getLong(4) - 1, mark));
                    }
                }
            }
        }
        return last;
    }

    @Override
    public Map<MessageKey, Receipt> find(Connection connection, Collection<MessageKey> keys) throws SQLException {
        Map<MessageKey, Receipt> found = new HashMap<>();
        for (MessageKey key : keys) {
            try (PreparedStatement select = connection.prepareStatement("SELECT no, at_millis, digest FROM "
                    + linesOf(key.conversation()) + " WHERE room = ? AND author = ? AND client_ref = ?")) {
                select.setString(1, key.conversation());
                select.setString(2, key.sender());
                select.setString(3, key.messageId());
                try (ResultSet row = select.executeQuery()) {
                    if (row.next()) {
                        Instant at = Instant.ofEpochMilli(row.getLong(2));
                        found.put(key, new Receipt(row.getLong(1), at, row.getLong(3)));
                    }
                }
            }
        }
        return found;
    }

    @Override
    public void insert(Connection connection, List<NumberedDraft> rows) throws SQLException {
        for (NumberedDraft row : rows) {
            Draft draft = row.hashed().draft();
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + linesOf(draft.conversation())
                    + " (room, no, author, client_ref, type, counts, edits,"
                    + " at_millis, digest, content) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?)")) {
                insert.setString(1, draft.conversation());
                insert.setLong(2, row.seq());
                insert.setString(3, draft.sender());
                insert.setString(4, draft.messageId());
                insert.setString(5, draft.kind());
                insert.setBoolean(6, draft.countable());
                insert.setLong(7, row.storedAt().toEpochMilli());
                insert.setLong(8, row.hashed().bodyHash());
                insert.setBytes(9, draft.body().unsafeBytes());
                insert.executeUpdate();
            }
        }
    }

    @Override
    public Slice after(Connection connection, String room, long after, int limit) throws SQLException {
        Head head = head(connection, room);
        List<StoredMessage> lines = lines(connection, room, "no >= ? ORDER BY no", after, limit + 1);
        boolean isAnchored = !lines.isEmpty() && lines.get(0).seq() == after;
        int from = isAnchored ? 1 : 0;
        return new Slice(
                head,
                isAnchored ? lines.get(0).tag() : null,
                lines.subList(from, Math.min(lines.size(), from + limit)));
    }

    @Override
    public Slice before(Connection connection, String room, long before, int limit) throws SQLException {
        Head head = head(connection, room);
        List<StoredMessage> lines = lines(connection, room, "no < ? ORDER BY no DESC", before, limit);
        Collections.reverse(lines);
        return new Slice(head, null, lines);
    }

    /** Read before the lines, so that it is never ahead of them. */
    private static Head head(Connection connection, String room) throws SQLException {
        return rooms(connection, List.of(room), "").getOrDefault(room, Head.EMPTY);
    }

    private static List<StoredMessage> lines(Connection connection, String room, String range, long no, int limit)
            throws SQLException {
        List<StoredMessage> lines = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT no, author, client_ref, type, counts, content, edits, at_millis FROM " + linesOf(room)
                        + " WHERE room = ? AND " + range + " LIMIT ?")) {
            select.setString(1, room);
            select.setLong(2, no);
            select.setInt(3, limit);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    lines.add(new StoredMessage(
                            room,
                            row.getLong(1),
                            row.getString(2),
                            row.getString(3),
                            row.getString(4),
                            row.getBoolean(5),
                            Body.wrap(row.getBytes(6)),
                            row.getInt(7),
                            Instant.ofEpochMilli(row.getLong(8))));
                }
            }
        }
        return lines;
    }
}
