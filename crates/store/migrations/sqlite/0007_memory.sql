-- What is remembered, what models were told, why the bot answered, who opted
-- out, and what is being erased.
--
-- A `body` is sealed: 24 bytes of nonce, then XChaCha20-Poly1305 with the key
-- whose version is `key`, bound to table, version, scope and row. Keys are in
-- the file `memory.key` beside the database; `proof` is a known text under each.
-- `people` is a JSON list of user ids as decimal strings.

CREATE TABLE memory_key (
    version INTEGER PRIMARY KEY CHECK (version BETWEEN 1 AND 4294967295),
    proof   BLOB    NOT NULL
) STRICT;

CREATE TABLE fact (
    scope      TEXT    NOT NULL,
    id         INTEGER NOT NULL CHECK (id BETWEEN 1 AND 4294967295),
    about      INTEGER, -- a person; NULL for the server
    audience   INTEGER, -- a channel; NULL for the whole scope
    author     INTEGER, -- NULL for the operator
    source     TEXT    NOT NULL,
    channel    INTEGER,
    message    INTEGER,
    key        INTEGER NOT NULL,
    body       BLOB    NOT NULL,
    mark       INTEGER NOT NULL, -- by chance; their sum tells whether facts changed
    learned_at INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (scope, id)
) STRICT;

CREATE INDEX fact_marks ON fact (scope, mark);
CREATE INDEX fact_about ON fact (scope, about, id);
CREATE INDEX fact_by_expiry ON fact (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE note (
    scope      TEXT    NOT NULL,
    channel    INTEGER NOT NULL,
    id         INTEGER NOT NULL,
    people     TEXT    NOT NULL,
    key        INTEGER NOT NULL,
    body       BLOB    NOT NULL,
    at         INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (scope, channel, id)
) STRICT;

CREATE INDEX note_by_expiry ON note (expires_at);

-- The message after which the conversation of a channel begins.
CREATE TABLE context_reset (
    scope   TEXT    NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (scope, channel)
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshot (
    scope        TEXT    NOT NULL,
    trigger_kind TEXT    NOT NULL,
    trigger      INTEGER NOT NULL,
    take         INTEGER NOT NULL CHECK (take BETWEEN 0 AND 65535),
    channel      INTEGER NOT NULL,
    people       TEXT    NOT NULL,
    key          INTEGER NOT NULL,
    body         BLOB    NOT NULL,
    at           INTEGER NOT NULL,
    PRIMARY KEY (scope, trigger_kind, trigger, take)
) STRICT;

CREATE INDEX snapshot_of_turn ON snapshot (trigger, trigger_kind, take);
CREATE INDEX snapshot_by_age ON snapshot (at);

CREATE TABLE decision (
    scope        TEXT    NOT NULL,
    trigger_kind TEXT    NOT NULL,
    trigger      INTEGER NOT NULL,
    channel      INTEGER NOT NULL,
    user         INTEGER NOT NULL,
    outcome      TEXT    NOT NULL,
    reason       TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    PRIMARY KEY (scope, trigger_kind, trigger)
) STRICT, WITHOUT ROWID;

CREATE INDEX decision_of_channel ON decision (channel, at);
CREATE INDEX decision_by_age ON decision (at);

-- Who is never read. It holds everywhere.
CREATE TABLE opt_out (
    user INTEGER PRIMARY KEY,
    at   INTEGER NOT NULL
) STRICT;

-- Whose data is being deleted. Once that is done, `subject` is gone too.
CREATE TABLE erasure (
    id      INTEGER PRIMARY KEY,
    subject TEXT, -- user:<id> or guild:<id>
    at      INTEGER NOT NULL
) STRICT;
