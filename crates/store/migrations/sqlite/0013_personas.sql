-- Who speaks in a scope: number 0 is the bot itself. `body` is JSON, sealed as
-- the bodies of memories are. Pictures are shown to everybody anyway; they are
-- named after their content.

CREATE TABLE persona (
    scope      TEXT    NOT NULL,
    id         INTEGER NOT NULL CHECK (id BETWEEN 0 AND 4294967295),
    key        INTEGER NOT NULL,
    body       BLOB    NOT NULL,
    changed_by INTEGER, -- nobody on Discord, if it was the operator
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (scope, id)
) STRICT;

CREATE TABLE persona_picture (
    scope   TEXT    NOT NULL,
    persona INTEGER NOT NULL,
    id      TEXT    NOT NULL,
    body    BLOB    NOT NULL,
    PRIMARY KEY (scope, persona, id),
    FOREIGN KEY (scope, persona) REFERENCES persona (scope, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
