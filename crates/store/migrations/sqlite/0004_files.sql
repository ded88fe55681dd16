-- Posts may be files, whose body is their name, a new line and their text.
-- SQLite cannot change a CHECK in place, so the rows move to a new table.

CREATE TABLE outbox_with_files (
    scope           TEXT    NOT NULL,
    trigger         INTEGER NOT NULL,
    take            INTEGER NOT NULL,
    idx             INTEGER NOT NULL CHECK (idx BETWEEN 0 AND 4294967295),
    channel         INTEGER NOT NULL,
    reply_to        INTEGER,
    kind            TEXT    NOT NULL CHECK (kind IN ('say', 'table', 'file')),
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

INSERT INTO outbox_with_files
    (scope, trigger, take, idx, channel, reply_to, kind, body, state, attempt, sent_message_id, code, queued_at, updated_at)
SELECT scope, trigger, take, idx, channel, reply_to, kind, body, state, attempt, sent_message_id, code, queued_at, updated_at
FROM outbox;

DROP TABLE outbox;

ALTER TABLE outbox_with_files RENAME TO outbox;
