-- Tidemark's tables on PostgreSQL 12 or newer, version 1.
-- Ids are compared byte for byte, whatever the database's collation: COLLATE "C".
-- Times are milliseconds since 1970-01-01 UTC: to_timestamp(stored_at / 1000.0) reads them.

-- One row per conversation, the one source of its numbers. Every append updates the row: the free space on each page and
-- the absence of indexes on the changing columns let PostgreSQL do that in place (HOT).
CREATE TABLE tidemark_conversation (
    conversation_id varchar(255) COLLATE "C" NOT NULL,
    head_seq        bigint NOT NULL,
    floor_seq       bigint NOT NULL,
    head_tag        integer NOT NULL,
    CONSTRAINT tidemark_conversation_pk PRIMARY KEY (conversation_id)
) WITH (fillfactor = 50);

-- tidemark_message_key is what a repeat is recognised by. The message id stands before the sender: ids that grow with time,
-- like UUIDv7, then go to the end of their conversation, and a comparison is decided sooner.
CREATE TABLE tidemark_message (
    conversation_id varchar(255) COLLATE "C" NOT NULL,
    seq             bigint NOT NULL,
    sender_id       varchar(255) COLLATE "C" NOT NULL,
    message_id      varchar(255) COLLATE "C" NOT NULL,
    kind            varchar(32) COLLATE "C" NOT NULL,
    countable       boolean NOT NULL,
    revision        integer NOT NULL,
    stored_at       bigint NOT NULL,
    body_hash       bigint NOT NULL,
    body            bytea NOT NULL,
    CONSTRAINT tidemark_message_pk PRIMARY KEY (conversation_id, seq),
    CONSTRAINT tidemark_message_key UNIQUE (conversation_id, message_id, sender_id)
);

-- How far each device has rendered each conversation.
CREATE TABLE tidemark_cursor (
    user_id         varchar(255) COLLATE "C" NOT NULL,
    device_id       varchar(255) COLLATE "C" NOT NULL,
    conversation_id varchar(255) COLLATE "C" NOT NULL,
    seq             bigint NOT NULL,
    generation      bigint NOT NULL,
    CONSTRAINT tidemark_cursor_pk PRIMARY KEY (user_id, device_id, conversation_id)
) WITH (fillfactor = 80);

-- What each user's list shows of each conversation, and a counter of unread messages: after read_to, up to counted_to; below
-- zero it has to be counted anew. recency is the lowest number where there is no message.
CREATE TABLE tidemark_inbox (
    user_id         varchar(255) COLLATE "C" NOT NULL,
    conversation_id varchar(255) COLLATE "C" NOT NULL,
    recency         bigint NOT NULL,
    latest_seq      bigint NOT NULL,
    sender_id       varchar(255) COLLATE "C" NOT NULL,
    kind            varchar(32) COLLATE "C" NOT NULL,
    preview         bytea NOT NULL,
    stored_at       bigint NOT NULL,
    read_to         bigint NOT NULL,
    counted_to      bigint NOT NULL,
    unread          integer NOT NULL,
    CONSTRAINT tidemark_inbox_pk PRIMARY KEY (user_id, conversation_id)
) WITH (fillfactor = 80);

CREATE INDEX tidemark_inbox_recency ON tidemark_inbox (user_id, recency, conversation_id);

-- Who may see which stretch of which conversation; last_seq is null while the membership lasts. The memberships of one
-- user in one conversation are numbered 1, 2, 3: of two nodes that let a user join at the same time, one finds the number
-- taken.
CREATE TABLE tidemark_membership (
    conversation_id varchar(255) COLLATE "C" NOT NULL,
    user_id         varchar(255) COLLATE "C" NOT NULL,
    nth             integer NOT NULL,
    first_seq       bigint NOT NULL,
    last_seq        bigint,
    CONSTRAINT tidemark_membership_pk PRIMARY KEY (conversation_id, user_id, nth)
);

CREATE INDEX tidemark_membership_user ON tidemark_membership (user_id, conversation_id);

-- The present members, however many have left.
CREATE INDEX tidemark_membership_present ON tidemark_membership (conversation_id, user_id) WHERE last_seq IS NULL;

CREATE TABLE tidemark_schema (
    version integer NOT NULL,
    CONSTRAINT tidemark_schema_pk PRIMARY KEY (version)
);

INSERT INTO tidemark_schema (version) VALUES (1);
