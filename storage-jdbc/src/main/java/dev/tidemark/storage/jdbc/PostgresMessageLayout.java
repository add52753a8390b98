package dev.tidemark.storage.jdbc;

import dev.tidemark.storage.Draft;
import dev.tidemark.storage.Head;
import dev.tidemark.storage.MessageKey;
import dev.tidemark.storage.Receipt;
import dev.tidemark.storage.append.FreshDrafts;
import dev.tidemark.storage.append.HashedDraft;
import dev.tidemark.storage.append.Locking;
import dev.tidemark.storage.append.NumberedDraft;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The standard tables on PostgreSQL. Rows travel as arrays that the server unnests: one statement text for every batch size,
 * so it is parsed and planned once per connection.
 */
final class PostgresMessageLayout extends StandardMessageLayout {

    private final String find;
    private final String insert;
    private final String moveHeads;
    private final String createHeads;
    private final Map<Locking, String> appendFresh = new EnumMap<>(Locking.class);

    PostgresMessageLayout(Dialect dialect, String prefix) {
        super(dialect, prefix);
        // The lateral sub-select with its limit can only be run as one look-up in the unique index per key. As a plain
        // join it was planned on the empty table as a scan, and that plan stayed in use while the table grew.
        find = "SELECT k.conversation_id, k.sender_id, k.message_id, m.seq, m.stored_at, m.body_hash"
                + " FROM unnest(?::text[], ?::text[], ?::text[]) AS k (conversation_id, sender_id, message_id)"
                + " CROSS JOIN LATERAL (SELECT seq, stored_at, body_hash FROM " + messageTable + " m"
                + " WHERE m.conversation_id = k.conversation_id AND m.sender_id = k.sender_id"
                + " AND m.message_id = k.message_id LIMIT 1) m";
        insert = "INSERT INTO " + messageTable
                + " (conversation_id, seq, sender_id, message_id, kind, countable, revision,"
                + " stored_at, body_hash, body) SELECT conversation_id, seq, sender_id, message_id, kind, countable, 0,"
                + " ?::bigint, body_hash, body FROM unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[],"
                + " ?::boolean[], ?::bigint[], ?::bytea[]) AS d (conversation_id, seq, sender_id, message_id, kind,"
                + " countable, body_hash, body)";
        moveHeads = "UPDATE " + conversationTable + " c SET head_seq = h.head_seq, head_tag = h.head_tag"
                + " FROM (SELECT * FROM unnest(?::text[], ?::bigint[], ?::int[]) LIMIT ?) AS h (conversation_id, head_seq, head_tag)"
                + " WHERE c.conversation_id = h.conversation_id";
        createHeads = "INSERT INTO " + conversationTable + " (conversation_id, head_seq, floor_seq, head_tag)"
                + " SELECT * FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::int[]) AS h"
                + " ON CONFLICT (conversation_id) DO NOTHING";
        for (Locking locking : Locking.values()) {
            appendFresh.put(locking, appendStatement(locking));
        }
    }

    /**
     * A lock in a lateral sub-select keeps it one look-up per conversation, in their order. A limit, whose value the plan
     * does not know, keeps the update one: on a table that was never analyzed both would be scans otherwise. The time-out
     * holds for this statement's own transaction.
     */
    private String appendStatement(Locking locking) {
        String asked = "SELECT a.* FROM unnest(?::text[], ?::int[], ?::int[]) WITH ORDINALITY"
                + " AS a (conversation_id, n, tag, idx)";
        String patient = asked + ", set_config('lock_timeout', '" + Locking.PATIENCE.toMillis() + "', true)";
        String locked = "SELECT a.* FROM asked a CROSS JOIN LATERAL (SELECT 1 FROM " + conversationTable
                + " WHERE conversation_id = a.conversation_id ";
        return switch (locking) {
            case ANY_ORDER -> appendStatement(patient, "SELECT * FROM asked");
            case IN_ORDER -> appendStatement(patient, locked + dialect.forUpdate(Locking.PATIENCE) + ") c");
            case PASSING_OVER -> appendStatement(asked, locked + dialect.forUpdate(Duration.ZERO) + ") c");
        };
    }

    private String appendStatement(String asked, String locked) {
        return "WITH asked AS MATERIALIZED (" + asked + "), locked AS MATERIALIZED (" + locked + " LIMIT ?), moved AS ("
                + "UPDATE " + conversationTable
                + " c SET head_seq = GREATEST(c.head_seq, c.floor_seq) + l.n, head_tag = l.tag"
                + " FROM locked l"
                + " WHERE c.conversation_id = l.conversation_id"
                + " RETURNING l.idx, c.conversation_id, c.head_seq - l.n AS head_seq, c.floor_seq"
                + "), inserted AS ("
                + "INSERT INTO " + messageTable + " (conversation_id, seq, sender_id, message_id, kind, countable,"
                + " revision, stored_at, body_hash, body) SELECT m.conversation_id, m.head_seq + d.ord, d.sender_id,"
                + " d.message_id, d.kind, d.countable, 0, ?::bigint, d.body_hash, d.body"
                + " FROM unnest(?::int[], ?::int[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::bigint[], ?::bytea[])"
                + " AS d (idx, ord, sender_id, message_id, kind, countable, body_hash, body) JOIN moved m ON m.idx = d.idx"
                + ") SELECT conversation_id, head_seq, floor_seq, 0 FROM moved";
    }

    @Override
    Map<String, Head> selectHeads(Connection connection, Collection<String> conversations, String lock)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT c.* FROM unnest(?::text[]) AS a (conversation_id) CROSS JOIN LATERAL"
                        + " (SELECT conversation_id, head_seq, floor_seq, head_tag FROM " + conversationTable
                        + " WHERE conversation_id = a.conversation_id LIMIT 1 " + lock + ") c")) {
            statement.setObject(1, conversations.toArray(String[]::new));
            return readHeads(statement);
        }
    }

    @Override
    public Map<MessageKey, Receipt> find(Connection connection, Collection<MessageKey> keys) throws SQLException {
        Map<MessageKey, Receipt> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(find)) {
            statement.setObject(1, keys.stream().map(MessageKey::conversation).toArray(String[]::new));
            statement.setObject(2, keys.stream().map(MessageKey::sender).toArray(String[]::new));
            statement.setObject(3, keys.stream().map(MessageKey::messageId).toArray(String[]::new));
            readReceipts(statement, found);
        }
        return found;
    }

    @Override
    public void insert(Connection connection, List<NumberedDraft> rows) throws SQLException {
        DraftArrays drafts = new DraftArrays(rows.size());
        String[] conversations = new String[rows.size()];
        long[] seqs = new long[rows.size()];
        for (int i = 0; i < seqs.length; i++) {
            NumberedDraft row = rows.get(i);
            conversations[i] = row.hashed().draft().conversation();
            seqs[i] = row.seq();
            drafts.set(i, row.hashed());
        }
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setLong(1, millis(rows.get(0).storedAt()));
            statement.setObject(2, conversations);
            statement.setObject(3, seqs);
            drafts.bind(statement, 4);
            statement.executeUpdate();
        }
    }

    @Override
    public void moveHeads(Connection connection, Map<String, Head> heads) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(moveHeads)) {
            statement.setObject(1, heads.keySet().toArray(String[]::new));
            statement.setObject(2, heads.values().stream().mapToLong(Head::seq).toArray());
            statement.setObject(3, heads.values().stream().mapToInt(Head::tag).toArray());
            statement.setInt(4, heads.size());
            statement.executeUpdate();
        }
    }

    @Override
    public void createHeads(Connection connection, Map<String, Head> heads) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(createHeads)) {
            statement.setObject(1, heads.keySet().toArray(String[]::new));
            statement.setObject(2, heads.values().stream().mapToLong(Head::seq).toArray());
            statement.setObject(
                    3, heads.values().stream().mapToLong(Head::floor).toArray());
            statement.setObject(4, heads.values().stream().mapToInt(Head::tag).toArray());
            statement.executeUpdate();
        }
    }

    @Override
    public boolean canAppendFresh() {
        return dialect.appendsInOneStatement();
    }

    @Override
    public Map<String, Head> appendFresh(Connection connection, List<FreshDrafts> fresh, Locking locking)
            throws SQLException {
        int count = fresh.stream().mapToInt(drafts -> drafts.drafts().size()).sum();
        String[] conversations = new String[fresh.size()];
        int[] sizes = new int[fresh.size()];
        int[] tags = new int[fresh.size()];
        int[] indexes = new int[count];
        int[] ordinals = new int[count];
        DraftArrays drafts = new DraftArrays(count);
        int row = 0;
        for (int i = 0; i < conversations.length; i++) {
            FreshDrafts ofOne = fresh.get(i);
            conversations[i] = ofOne.conversation();
            sizes[i] = ofOne.drafts().size();
            tags[i] = ofOne.lastTag();
            for (int ordinal = 1; ordinal <= sizes[i]; ordinal++, row++) {
                indexes[row] = i + 1;
                ordinals[row] = ordinal;
                drafts.set(row, ofOne.drafts().get(ordinal - 1));
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(appendFresh.get(locking))) {
            statement.setObject(1, conversations);
            statement.setObject(2, sizes);
            statement.setObject(3, tags);
            statement.setInt(4, conversations.length);
            statement.setLong(5, millis(fresh.get(0).storedAt()));
            statement.setObject(6, indexes);
            statement.setObject(7, ordinals);
            drafts.bind(statement, 8);
            return readHeads(statement);
        }
    }

    private static long millis(Instant time) {
        return time.toEpochMilli();
    }

    /** The columns of drafts that do not depend on where they go, as arrays. */
    private static final class DraftArrays {

        private final String[] senders;
        private final String[] messageIds;
        private final String[] kinds;
        private final boolean[] countables;
        private final long[] bodyHashes;
        private final byte[][] bodies;

        DraftArrays(int size) {
            senders = new String[size];
            messageIds = new String[size];
            kinds = new String[size];
            countables = new boolean[size];
            bodyHashes = new long[size];
            bodies = new byte[size][];
        }

        void set(int i, HashedDraft hashed) {
            Draft draft = hashed.draft();
            senders[i] = draft.sender();
            messageIds[i] = draft.messageId();
            kinds[i] = draft.kind();
            countables[i] = draft.countable();
            bodyHashes[i] = hashed.bodyHash();
            bodies[i] = draft.body().unsafeBytes();
        }

        void bind(PreparedStatement statement, int first) throws SQLException {
            statement.setObject(first, senders);
            statement.setObject(first + 1, messageIds);
            statement.setObject(first + 2, kinds);
            statement.setObject(first + 3, countables);
            statement.setObject(first + 4, bodyHashes);
            statement.setObject(first + 5, bodies);
        }
    }
}
