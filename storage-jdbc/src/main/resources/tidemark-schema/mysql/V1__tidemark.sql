-- Tidemark's tables on MySQL 8.0.17 or newer, version 1.
-- Ids are compared byte for byte, whatever the database's collation, and trailing spaces count: utf8mb4_0900_bin.
-- Times are milliseconds since 1970-01-01 UTC: FROM_UNIXTIME(stored_at / 1000) reads them.

-- One row per conversation, the one source of its numbers.
CREATE TABLE tidemark_conversation (
    conversation_id VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    head_seq        BIGINT NOT NULL,
    floor_seq       BIGINT NOT NULL,
    head_tag        INT NOT NULL,
    PRIMARY KEY (conversation_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- tidemark_message_key is what a repeat is recognised by. The message id stands before the sender: ids that grow with time,
-- like UUIDv7, then go to the end of their conversation, and a comparison is decided sooner.
CREATE TABLE tidemark_message (
    conversation_id VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    seq             BIGINT NOT NULL,
    sender_id       VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    message_id      VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    kind            VARCHAR(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    countable       BOOLEAN NOT NULL,
    revision        INT NOT NULL,
    stored_at       BIGINT NOT NULL,
    body_hash       BIGINT NOT NULL,
    body            LONGBLOB NOT NULL,
    PRIMARY KEY (conversation_id, seq),
    UNIQUE KEY tidemark_message_key (conversation_id, message_id, sender_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- How far each device has rendered each conversation.
CREATE TABLE tidemark_cursor (
    user_id         VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    device_id       VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    conversation_id VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    seq             BIGINT NOT NULL,
    generation      BIGINT NOT NULL,
    PRIMARY KEY (user_id, device_id, conversation_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- What each user's list shows of each conversation, and a counter of unread messages: after read_to, up to counted_to; below
-- zero it has to be counted anew. recency is the lowest number where there is no message.
CREATE TABLE tidemark_inbox (
    user_id         VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    conversation_id VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    recency         BIGINT NOT NULL,
    latest_seq      BIGINT NOT NULL,
    sender_id       VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    kind            VARCHAR(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    preview         VARBINARY(1024) NOT NULL,
    stored_at       BIGINT NOT NULL,
    read_to         BIGINT NOT NULL,
    counted_to      BIGINT NOT NULL,
    unread          INT NOT NULL,
    PRIMARY KEY (user_id, conversation_id),
    KEY tidemark_inbox_recency (user_id, recency, conversation_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- Who may see which stretch of which conversation; last_seq is null while the membership lasts. The memberships of one
-- user in one conversation are numbered 1, 2, 3: of two nodes that let a user join at the same time, one finds the number
-- taken.
CREATE TABLE tidemark_membership (
    conversation_id VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    user_id         VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
    nth             INT NOT NULL,
    first_seq       BIGINT NOT NULL,
    last_seq        BIGINT,
    PRIMARY KEY (conversation_id, user_id, nth),
    KEY tidemark_membership_user (user_id, conversation_id),
    -- The present members, however many have left.
    KEY tidemark_membership_present (conversation_id, last_seq, user_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

CREATE TABLE tidemark_schema (
    version INT NOT NULL,
    PRIMARY KEY (version)
) ENGINE = InnoDB;

INSERT INTO tidemark_schema (version) VALUES (1);
