package dev.tidemark.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * The most the database can do with these rows: two writers, group commit, one multi-row INSERT from arrays per batch in
 * autocommit, with the sequences known beforehand.
 */
final class CeilingDesign extends WorkerPool {

    private static final String INSERT =
            "INSERT INTO tidemark_message (conversation_id, seq, sender_id, message_id, kind,"
                    + " countable, revision, stored_at, body_hash, body) SELECT c, n, s, m, k, t, 0, ?::bigint, h, b FROM"
                    + " unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::bigint[], ?::bytea[])"
                    + " AS d (c, n, s, m, k, t, h, b)";

    private static final int WRITERS = 2;
    private static final int BATCH = 512;

    private final DataSource dataSource;

    CeilingDesign(DataSource dataSource) {
        this.dataSource = dataSource;
        start(WRITERS, 1, BATCH);
    }

    @Override
    void store(List<Message> messages) throws Exception {
        int size = messages.size();
        String[] kinds = new String[size];
        Arrays.fill(kinds, "text");
        boolean[] countables = new boolean[size];
        Arrays.fill(countables, true);
        byte[][] bodies = new byte[size][];
        Arrays.fill(bodies, Message.BODY);
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setLong(1, System.currentTimeMillis());
            insert.setObject(2, messages.stream().map(Message::conversationId).toArray(String[]::new));
            insert.setObject(3, messages.stream().mapToLong(Message::seq).toArray());
            insert.setObject(4, messages.stream().map(Message::sender).toArray(String[]::new));
            insert.setObject(5, messages.stream().map(Message::messageId).toArray(String[]::new));
            insert.setObject(6, kinds);
            insert.setObject(7, countables);
            insert.setObject(8, IntStream.range(0, size).asLongStream().toArray());
            insert.setObject(9, bodies);
            insert.executeUpdate();
        }
    }
}
