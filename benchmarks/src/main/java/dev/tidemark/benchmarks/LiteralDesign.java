package dev.tidemark.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import javax.sql.DataSource;
import redis.clients.jedis.RedisClient;

/**
 * What many teams run: a counter per conversation in Redis gives the sequence, then the row is inserted in a transaction of
 * its own. Sixteen connections, Redis without persistence: the design at its fastest.
 */
final class LiteralDesign extends WorkerPool {

    private static final String INSERT =
            "INSERT INTO tidemark_message (conversation_id, seq, sender_id, message_id, kind,"
                    + " countable, revision, stored_at, body_hash, body) VALUES (?, ?, ?, ?, 'text', true, 0, ?, 0, ?)";

    private static final int CONNECTIONS = 16;

    private final DataSource dataSource;
    private final RedisClient redis;
    private final String prefix = "seq:" + System.nanoTime() + ":";

    LiteralDesign(DataSource dataSource, int redisPort) {
        this.dataSource = dataSource;
        this.redis = RedisClient.create("127.0.0.1", redisPort);
        start(1, CONNECTIONS, 1);
    }

    @Override
    void store(List<Message> messages) throws Exception {
        Message message = messages.get(0);
        long seq = redis.incr(prefix + message.conversation());
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, message.conversationId());
            insert.setLong(2, seq);
            insert.setString(3, message.sender());
            insert.setString(4, message.messageId());
            insert.setLong(5, System.currentTimeMillis());
            insert.setBytes(6, Message.BODY);
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        super.close();
        redis.close();
    }
}
