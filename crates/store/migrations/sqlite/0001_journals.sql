-- The two journals and the gateway sessions.
--
-- Ids are Discord's unsigned 64-bit numbers kept bit for bit in SQLite's signed
-- 64-bit integers. Times are milliseconds since 1970; `updated_at` is for people
-- who read this file and decides nothing. `scope` is `guild:<id>` or `dm:<id>`
-- and leads every key, so that no row is found from another scope.

CREATE TABLE turn (
    scope       TEXT    NOT NULL,
    trigger     INTEGER NOT NULL,
    take        INTEGER NOT NULL CHECK (take BETWEEN 0 AND 65535),
    channel     INTEGER NOT NULL,
    asker       INTEGER NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('admitted', 'thinking', 'speaking', 'ended')),
    attempt     INTEGER NOT NULL DEFAULT 0 CHECK (attempt BETWEEN 0 AND 4294967295),
    ending      TEXT    CHECK (ending IN ('done', 'stopped', 'failed', 'stale')),
    notice      TEXT,
    admitted_at INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    PRIMARY KEY (scope, trigger, take),
    CHECK ((state = 'ended') = (ending IS NOT NULL)),
    CHECK ((ending IS 'failed') = (notice IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX turn_open ON turn (scope, admitted_at, trigger, take) WHERE state <> 'ended';

CREATE TABLE inbox (
    scope       TEXT    NOT NULL,
    message_id  INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    author_id   INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    turn        TEXT    NOT NULL, -- the first turn it asked for: <message id>-<take>
    PRIMARY KEY (scope, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
    scope           TEXT    NOT NULL,
    trigger         INTEGER NOT NULL,
    take            INTEGER NOT NULL,
    idx             INTEGER NOT NULL CHECK (idx BETWEEN 0 AND 4294967295),
    channel         INTEGER NOT NULL,
    reply_to        INTEGER,
    kind            TEXT    NOT NULL CHECK (kind IN ('say')),
    body            TEXT    NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('queued', 'started', 'sent', 'refused', 'unknown', 'abandoned')),
    attempt         INTEGER NOT NULL DEFAULT 0 CHECK (attempt BETWEEN 0 AND 4294967295),
    sent_message_id INTEGER,
    code            INTEGER CHECK (code BETWEEN 0 AND 4294967295),
    queued_at       INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    PRIMARY KEY (scope, trigger, take, idx),
    FOREIGN KEY (scope, trigger, take) REFERENCES turn (scope, trigger, take),
    CHECK ((state = 'sent') = (sent_message_id IS NOT NULL)),
    CHECK ((state = 'refused') = (code IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- Sessions belong to the process, not to a guild or user.
CREATE TABLE session (
    shard      INTEGER PRIMARY KEY,
    session_id TEXT    NOT NULL,
    sequence   INTEGER NOT NULL,
    resume_url TEXT    NOT NULL,
    shards     INTEGER NOT NULL CHECK (shards BETWEEN 0 AND 4294967295),
    updated_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;
