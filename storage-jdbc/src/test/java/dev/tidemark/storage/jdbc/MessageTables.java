package dev.tidemark.storage.jdbc;

import java.util.List;

/**
 * Where a layout keeps things, for tests that reach around it.
 *
 * @param conversations the table of heads
 * @param conversationId its key
 * @param headSeq its column of the highest sequence
 * @param messages the tables of messages
 * @param bodyHash their column of the body's hash
 * @param insertsMessages what stands in a statement that inserts messages, and in no other
 */
record MessageTables(
        String conversations,
        String conversationId,
        String headSeq,
        List<String> messages,
        String bodyHash,
        String insertsMessages) {

    static MessageTables standard(String prefix) {
        return new MessageTables(
                prefix + "conversation",
                "conversation_id",
                "head_seq",
                List.of(prefix + "message"),
                "body_hash",
                "INSERT INTO " + prefix + "message");
    }
}
