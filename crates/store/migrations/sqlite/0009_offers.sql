-- What waits for a click, and what was done for whom.

CREATE TABLE offer (
    scope        TEXT    NOT NULL,
    id           INTEGER NOT NULL,
    kind         TEXT    NOT NULL CHECK (kind IN ('confirm', 'undo')),
    trigger_kind TEXT    NOT NULL, -- of the turn that made it
    trigger      INTEGER NOT NULL,
    take         INTEGER NOT NULL,
    channel      INTEGER NOT NULL,
    asker        INTEGER NOT NULL,
    action       TEXT    NOT NULL,
    arguments    TEXT    NOT NULL,
    made_at      INTEGER NOT NULL,
    until        INTEGER NOT NULL,
    message      INTEGER, -- the message of ours that shows it
    state        TEXT    NOT NULL CHECK (state IN ('open', 'taken', 'cancelled', 'expired')),
    taken_by     TEXT, -- the turn of the click
    PRIMARY KEY (scope, id),
    CHECK ((state = 'taken') = (taken_by IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX offer_open ON offer (until) WHERE state = 'open';
CREATE INDEX offer_by_age ON offer (until);

CREATE TABLE audit (
    scope        TEXT    NOT NULL,
    trigger_kind TEXT    NOT NULL,
    trigger      INTEGER NOT NULL,
    take         INTEGER NOT NULL,
    action       TEXT    NOT NULL,
    arguments    TEXT    NOT NULL,
    channel      INTEGER NOT NULL,
    asker        INTEGER NOT NULL,
    outcome      TEXT    NOT NULL CHECK (outcome IN ('done', 'denied', 'failed')),
    result       TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    PRIMARY KEY (scope, trigger_kind, trigger, take, action, arguments)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_by_age ON audit (at);
CREATE INDEX audit_by_scope ON audit (scope, at);
