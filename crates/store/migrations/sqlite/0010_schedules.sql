-- What is to be done at a certain time. `body` is the words of whoever set it,
-- sealed as the bodies of memories are. `mark` tells a request that comes twice.

CREATE TABLE schedule (
    scope      TEXT    NOT NULL,
    id         INTEGER NOT NULL,
    user       INTEGER NOT NULL,
    channel    INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    key        INTEGER NOT NULL,
    body       BLOB    NOT NULL,
    due        INTEGER NOT NULL,
    recurrence TEXT,
    zone       TEXT    NOT NULL,
    mark       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (scope, id)
) STRICT;

CREATE INDEX schedule_by_due ON schedule (due);
CREATE INDEX schedule_by_user ON schedule (user, scope);
