-- What was done to members of guilds. The row of a ban is open while it is
-- `asked` or `done`: it is what remembers to lift it.

CREATE TABLE moderation_case (
    scope        TEXT    NOT NULL,
    number       INTEGER NOT NULL,
    trigger_kind TEXT    NOT NULL,
    trigger      INTEGER NOT NULL,
    take         INTEGER NOT NULL,
    kind         TEXT    NOT NULL,
    user         INTEGER NOT NULL,
    moderator    INTEGER,
    reason       TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    until        INTEGER,
    state        TEXT    NOT NULL,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (scope, number),
    UNIQUE (scope, trigger_kind, trigger, take, kind, user)
) STRICT;

CREATE INDEX moderation_case_by_user ON moderation_case (scope, user, number);

CREATE INDEX moderation_case_open ON moderation_case (scope, until)
    WHERE kind = 'ban' AND state IN ('asked', 'done');
