-- Tidemark's tables on H2 2.2.220 or newer, version 1.
-- Ids are UTF-8 in binary columns: so they are compared byte for byte, also where the database is opened with IGNORECASE.
-- UTF8TOSTRING(message_id) reads them. Times are milliseconds since 1970-01-01 UTC.

-- One row per conversation, the one source of its numbers.
CREATE TABLE tidemark_conversation (
    conversation_id VARBINARY(255) NOT NULL,
    head_seq        BIGINT NOT NULL,
    floor_seq       BIGINT NOT NULL,
    head_tag        INTEGER NOT NULL,
    CONSTRAINT tidemark_conversation_pk PRIMARY KEY (conversation_id)
);

-- tidemark_message_key is what a repeat is recognised by. The message id stands before the sender: ids that grow with time,
-- like UUIDv7, then go to the end of their conversation, and a comparison is decided sooner.
CREATE TABLE tidemark_message (
    conversation_id VARBINARY(255) NOT NULL,
    seq             BIGINT NOT NULL,
    sender_id       VARBINARY(255) NOT NULL,
    message_id      VARBINARY(255) NOT NULL,
    kind            VARBINARY(32) NOT NULL,
    countable       BOOLEAN NOT NULL,
    revision        INTEGER NOT NULL,
    stored_at       BIGINT NOT NULL,
    body_hash       BIGINT NOT NULL,
    body            BLOB NOT NULL,
    CONSTRAINT tidemark_message_pk PRIMARY KEY (conversation_id, seq),
    CONSTRAINT tidemark_message_key UNIQUE (conversation_id, message_id, sender_id)
);

-- How far each device has rendered each conversation.
CREATE TABLE tidemark_cursor (
    user_id         VARBINARY(255) NOT NULL,
    device_id       VARBINARY(255) NOT NULL,
    conversation_id VARBINARY(255) NOT NULL,
    seq             BIGINT NOT NULL,
    generation      BIGINT NOT NULL,
    CONSTRAINT tidemark_cursor_pk PRIMARY KEY (user_id, device_id, conversation_id)
);

-- What each user's list shows of each conversation, and a counter of unread messages: after read_to, up to counted_to; below
-- zero it has to be counted anew. recency is the lowest number where there is no message.
CREATE TABLE tidemark_inbox (
    user_id         VARBINARY(255) NOT NULL,
    conversation_id VARBINARY(255) NOT NULL,
    recency         BIGINT NOT NULL,
    latest_seq      BIGINT NOT NULL,
    sender_id       VARBINARY(255) NOT NULL,
    kind            VARBINARY(32) NOT NULL,
    preview         VARBINARY(1024) NOT NULL,
    stored_at       BIGINT NOT NULL,
    read_to         BIGINT NOT NULL,
    counted_to      BIGINT NOT NULL,
    unread          INTEGER NOT NULL,
    CONSTRAINT tidemark_inbox_pk PRIMARY KEY (user_id, conversation_id)
);

CREATE INDEX tidemark_inbox_recency ON tidemark_inbox (user_id, recency, conversation_id);

-- Who may see which stretch of which conversation; last_seq is null while the membership lasts. The memberships of one
-- user in one conversation are numbered 1, 2, 3: of two nodes that let a user join at the same time, one finds the number
-- taken.
CREATE TABLE tidemark_membership (
    conversation_id VARBINARY(255) NOT NULL,
    user_id         VARBINARY(255) NOT NULL,
    nth             INTEGER NOT NULL,
    first_seq       BIGINT NOT NULL,
    last_seq        BIGINT,
    CONSTRAINT tidemark_membership_pk PRIMARY KEY (conversation_id, user_id, nth)
);

CREATE INDEX tidemark_membership_user ON tidemark_membership (user_id, conversation_id);

-- The present members, however many have left.
CREATE INDEX tidemark_membership_present ON tidemark_membership (conversation_id, last_seq, user_id);

CREATE TABLE tidemark_schema (
    version INTEGER NOT NULL,
    CONSTRAINT tidemark_schema_pk PRIMARY KEY (version)
);

INSERT INTO tidemark_schema (version) VALUES (1);
