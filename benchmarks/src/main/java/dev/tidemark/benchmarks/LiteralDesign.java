package dev.tidemark.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.RedisClient;

/**
 * What many teams run: a counter per conversation in Redis gives the sequence, then the row is inserted in a transaction of
 * its own, and then, if asked for, one pipeline brings the caches of the sender's and the recipient's conversation lists up
 * to date. Sixteen connections, Redis without persistence: the design at its fastest.
 */
final class LiteralDesign extends WorkerPool {

    private static final String INSERT =
            "INSERT INTO tidemark_message (conversation_id, seq, sender_id, message_id, kind,"
                    + " countable, revision, stored_at, body_hash, body) VALUES (?, ?, ?, ?, 'text', true, 0, ?, 0, ?)";

    private static final int CONNECTIONS = 16;

    private final DataSource dataSource;
    private final RedisClient redis;
    private final boolean cached;
    private final String prefix = "run:" + ThreadLocalRandom.current().nextLong() + ":";

    LiteralDesign(DataSource dataSource, int redisPort, boolean cached) {
        this.dataSource = dataSource;
        this.cached = cached;
        this.redis = RedisClient.create("127.0.0.1", redisPort);
        start(1, CONNECTIONS, 1);
    }

    @Override
    void store(List<Message> messages) throws Exception {
        Message message = messages.get(0);
        long seq = redis.incr(prefix + "seq:" + message.conversation());
        try (Connection connection = dataSource.getConnection()) {
            insert(connection, message, seq);
        }
        if (cached) {
            cache(message, seq);
        }
    }

    static void insert(Connection connection, Message message, long seq) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, message.conversationId());
            insert.setLong(2, seq);
            insert.setString(3, message.sender());
            insert.setString(4, message.messageId());
            insert.setLong(5, System.currentTimeMillis());
            insert.setBytes(6, Message.BODY);
            insert.executeUpdate();
        }
    }

    /** A direct conversation: latest message and recency for both, unread for the recipient, lists kept short. */
    private void cache(Message message, long seq) {
        String conversation = message.conversationId();
        String recipient = "recipient-of-" + message.sender();
        try (AbstractPipeline pipeline = redis.pipelined()) {
            pipeline.hset(prefix + "latest", conversation, message.messageId());
            pipeline.hincrBy(prefix + "unread:" + recipient, conversation, 1);
            for (String user : List.of(message.sender(), recipient)) {
                pipeline.zadd(prefix + "recent:" + user, (double) seq, conversation);
                pipeline.zremrangeByRank(prefix + "recent:" + user, 0, -101);
            }
            pipeline.sync();
        }
    }

    @Override
    public void close() {
        super.close();
        redis.close();
    }
}
