package dev.tidemark.storage.jdbc;

import dev.tidemark.error.InvalidInputException;
import dev.tidemark.storage.Member;
import dev.tidemark.storage.MemberKey;
import dev.tidemark.storage.StorageException;
import dev.tidemark.storage.Visibility;
import dev.tidemark.storage.VisibleRange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The table of memberships: the statements, and nothing but the statements. A row per membership; those of one user in one
 * conversation are numbered from 1, and only the last of them may be without an end.
 */
final class MembershipTable {

    private static final List<KeyedRows.Part<MemberKey>> KEY = List.of(
            new KeyedRows.Part<>("conversation_id", MemberKey::conversation),
            new KeyedRows.Part<>("user_id", MemberKey::user));

    private final Dialect dialect;
    private final KeyedRows<MemberKey> rows;
    private final String members;
    private final String conversations;
    private final String latest;
    private final String begin;
    private final String end;
    private final String remove;

    MembershipTable(Dialect dialect, String prefix) {
        this.dialect = dialect;
        String table = prefix + "membership";
        String ofPair = " WHERE conversation_id = ? AND user_id = ?";
        rows = KeyedRows.of(dialect, table, KEY, List.of("first_seq", "last_seq"));
        members = "SELECT user_id, first_seq FROM " + table
                + " WHERE conversation_id = ? AND last_seq IS NULL AND user_id > ? ORDER BY user_id LIMIT ?";
        conversations = "SELECT conversation_id FROM " + table
                + " WHERE user_id = ? AND conversation_id > ? GROUP BY conversation_id ORDER BY conversation_id LIMIT ?";
        latest = "SELECT nth, last_seq FROM " + table + ofPair + " ORDER BY nth DESC LIMIT 1";
        begin = "INSERT INTO " + table + " (conversation_id, user_id, nth, first_seq) VALUES (?, ?, ?, ?)";
        end = "UPDATE " + table + " SET last_seq = ?" + ofPair + " AND last_seq IS NULL AND first_seq <= ?";
        remove = "DELETE FROM " + table + ofPair + " AND last_seq IS NULL AND first_seq > ?";
    }

    /** The present members of a conversation after a user, in the byte order of the user's id. */
    List<Member> members(Connection connection, String conversation, String after, int limit) throws SQLException {
        return list(
                connection, members, conversation, after, limit, row -> new Member(row.getString(1), row.getLong(2)));
    }

    /** The conversations of a user after one of them, in the byte order of the conversation's id. */
    List<String> conversations(Connection connection, String user, String after, int limit) throws SQLException {
        return list(connection, conversations, user, after, limit, row -> row.getString(1));
    }

    /** What users may see; there is no entry for one who never was a member. */
    Map<MemberKey, Visibility> visibility(Connection connection, Collection<MemberKey> members) throws SQLException {
        Map<MemberKey, NavigableMap<Long, Long>> ranges = new HashMap<>();
        rows.read(
                connection,
                members,
                row -> ranges.computeIfAbsent(new MemberKey(row.getString(1), row.getString(2)), key -> new TreeMap<>())
                        .put(row.getLong(3), end(row, 4)));
        Map<MemberKey, Visibility> visibility = new HashMap<>();
        ranges.forEach((member, ofMember) -> visibility.put(member, visibility(member, ofMember)));
        return visibility;
    }

    /** The last of the memberships of a user in a conversation. */
    Latest latest(Connection connection, String conversation, String user) throws SQLException {
        try (PreparedStatement statement = dialect.prepareQuery(connection, latest)) {
            dialect.setId(statement, 1, conversation);
            dialect.setId(statement, 2, user);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new Latest(row.getInt(1), end(row, 2)) : Latest.NONE;
            }
        }
    }

    /** Begins the nth membership of a user in a conversation; a violated key when that was begun already. */
    void begin(Connection connection, String conversation, String user, int nth, long first) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(begin)) {
            dialect.setId(statement, 1, conversation);
            dialect.setId(statement, 2, user);
            statement.setInt(3, nth);
            statement.setLong(4, first);
            statement.executeUpdate();
        }
    }

    /** Ends a membership that lasts and began at {@code last} or before; false when there is none. */
    boolean end(Connection connection, String conversation, String user, long last) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(end)) {
            statement.setLong(1, last);
            dialect.setId(statement, 2, conversation);
            dialect.setId(statement, 3, user);
            statement.setLong(4, last);
            return statement.executeUpdate() > 0;
        }
    }

    /** Removes a membership that lasts and began after {@code last}, if there is one. */
    void remove(Connection connection, String conversation, String user, long last) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(remove)) {
            dialect.setId(statement, 1, conversation);
            dialect.setId(statement, 2, user);
            statement.setLong(3, last);
            statement.executeUpdate();
        }
    }

    private <E> List<E> list(Connection connection, String sql, String of, String after, int limit, RowMapper<E> mapper)
            throws SQLException {
        try (PreparedStatement statement = dialect.prepareQuery(connection, sql)) {
            dialect.setId(statement, 1, of);
            dialect.setId(statement, 2, after);
            statement.setInt(3, limit);
            List<E> found = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(mapper.map(row));
                }
            }
            return found;
        }
    }

    private static long end(ResultSet row, int column) throws SQLException {
        long last = row.getLong(column);
        return row.wasNull() ? VisibleRange.OPEN : last;
    }

    private static Visibility visibility(MemberKey member, NavigableMap<Long, Long> ranges) {
        try {
            List<VisibleRange> visible = new ArrayList<>();
            ranges.forEach((first, last) -> visible.add(new VisibleRange(first, last)));
            return new Visibility(visible);
        } catch (IllegalArgumentException | InvalidInputException e) {
            throw new StorageException(
                    StorageException.Kind.CORRUPT,
                    "the memberships of " + member + " are not one after the other: " + ranges,
                    e);
        }
    }

    /**
     * The last of several memberships.
     *
     * @param nth its number, 0 when there is none
     * @param last its end, {@link VisibleRange#OPEN} while it lasts
     */
    record Latest(int nth, long last) {

        static final Latest NONE = new Latest(0, 0);

        boolean isLasting() {
            return last == VisibleRange.OPEN;
        }
    }

    private interface RowMapper<E> {
        E map(ResultSet row) throws SQLException;
    }
}
