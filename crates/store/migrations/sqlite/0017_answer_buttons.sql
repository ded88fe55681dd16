-- What can be done with an answer is an offer too.

CREATE TABLE offer_of_more_kinds (
    scope        TEXT    NOT NULL,
    id           INTEGER NOT NULL,
    kind         TEXT    NOT NULL CHECK (kind IN ('confirm', 'undo', 'again', 'source')),
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

INSERT INTO offer_of_more_kinds
    (scope, id, kind, trigger_kind, trigger, take, channel, asker, action, arguments, made_at,
     until, message, state, taken_by)
SELECT scope, id, kind, trigger_kind, trigger, take, channel, asker, action, arguments, made_at,
       until, message, state, taken_by
FROM offer;

DROP TABLE offer;
ALTER TABLE offer_of_more_kinds RENAME TO offer;

CREATE INDEX offer_open ON offer (until) WHERE state = 'open';
CREATE INDEX offer_by_age ON offer (until);
