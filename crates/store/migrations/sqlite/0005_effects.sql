-- The outbox of effects, and who said what.
--
-- A turn is named by the kind and the number of its trigger. An effect has an
-- open kind with a versioned body of JSON, so that a new kind changes no table;
-- its states are closed. Ids within JSON are decimal strings.

CREATE TABLE turn_by_trigger (
    scope        TEXT    NOT NULL,
    trigger_kind TEXT    NOT NULL,
    trigger      INTEGER NOT NULL,
    take         INTEGER NOT NULL CHECK (take BETWEEN 0 AND 65535),
    channel      INTEGER NOT NULL,
    asker        INTEGER NOT NULL,
    persona      INTEGER NOT NULL DEFAULT 0 CHECK (persona BETWEEN 0 AND 4294967295),
    text         TEXT, -- what was asked, where it cannot be fetched again
    state        TEXT    NOT NULL CHECK (state IN ('admitted', 'thinking', 'speaking', 'settling', 'ended')),
    attempt      INTEGER NOT NULL DEFAULT 0 CHECK (attempt BETWEEN 0 AND 4294967295),
    ending       TEXT    CHECK (ending IN ('done', 'stopped', 'failed', 'stale')),
    notice       TEXT,
    admitted_at  INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    PRIMARY KEY (scope, trigger_kind, trigger, take),
    CHECK ((state = 'ended') = (ending IS NOT NULL)),
    CHECK ((ending IS 'failed') = (notice IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO turn_by_trigger
    (scope, trigger_kind, trigger, take, channel, asker, state, attempt, ending, notice, admitted_at, updated_at)
SELECT scope, 'message', trigger, take, channel, asker, state, attempt, ending, notice, admitted_at, updated_at
FROM turn;

CREATE TABLE effect (
    scope        TEXT    NOT NULL,
    trigger_kind TEXT    NOT NULL,
    trigger      INTEGER NOT NULL,
    take         INTEGER NOT NULL,
    idx          INTEGER NOT NULL CHECK (idx BETWEEN 0 AND 65535),
    channel      INTEGER NOT NULL,
    persona      INTEGER NOT NULL DEFAULT 0 CHECK (persona BETWEEN 0 AND 4294967295),
    kind         TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    body         TEXT    NOT NULL,
    state        TEXT    NOT NULL CHECK (state IN ('queued', 'started', 'done', 'refused', 'unknown', 'expired')),
    attempt      INTEGER NOT NULL DEFAULT 0 CHECK (attempt BETWEEN 0 AND 4294967295),
    message      INTEGER, -- the last message that shows it
    code         INTEGER CHECK (code BETWEEN 0 AND 4294967295),
    queued_at    INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    PRIMARY KEY (scope, trigger_kind, trigger, take, idx),
    FOREIGN KEY (scope, trigger_kind, trigger, take)
        REFERENCES turn_by_trigger (scope, trigger_kind, trigger, take) ON DELETE CASCADE,
    CHECK (message IS NULL OR state = 'done'),
    CHECK ((state = 'refused') = (code IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO effect
    (scope, trigger_kind, trigger, take, idx, channel, kind, version, body, state, attempt, message, code, queued_at, updated_at)
SELECT scope, 'message', trigger, take, idx, channel, kind, 1,
       json_object('source', body, 'reply_to', iif(reply_to IS NULL, NULL, printf('%u', reply_to))),
       CASE state WHEN 'sent' THEN 'done' WHEN 'abandoned' THEN 'expired' ELSE state END,
       attempt, sent_message_id, code, queued_at, updated_at
FROM outbox;

-- Who said which message.
CREATE TABLE message (
    scope   TEXT    NOT NULL,
    id      INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    persona INTEGER NOT NULL CHECK (persona BETWEEN 0 AND 4294967295),
    kind    TEXT    NOT NULL, -- of the effect that it shows
    sent_at INTEGER NOT NULL,
    PRIMARY KEY (scope, id)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO message (scope, id, channel, persona, kind, sent_at)
SELECT scope, sent_message_id, channel, 0, kind, updated_at FROM outbox WHERE state = 'sent';

-- Events that led to something else than a turn, so that a replay changes
-- nothing.
CREATE TABLE handled_event (
    scope TEXT    NOT NULL,
    kind  TEXT    NOT NULL,
    id    INTEGER NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (scope, kind, id)
) STRICT, WITHOUT ROWID;

ALTER TABLE expense ADD COLUMN trigger_kind TEXT NOT NULL DEFAULT 'message';

-- One row that is rewritten to prove that the file can be written.
CREATE TABLE probe (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;

DROP TABLE outbox;
DROP TABLE inbox;
DROP TABLE turn;
ALTER TABLE turn_by_trigger RENAME TO turn;

CREATE INDEX turn_open ON turn (scope, admitted_at) WHERE state <> 'ended';
CREATE INDEX turn_by_age ON turn (admitted_at);
CREATE INDEX effect_unsettled ON effect (scope) WHERE state IN ('queued', 'started', 'unknown');
CREATE INDEX message_by_age ON message (sent_at);
CREATE INDEX expense_by_age ON expense (at);
