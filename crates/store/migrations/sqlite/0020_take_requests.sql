-- Requests for another take of an answer, and which take each was for, so that
-- an event that comes twice asks once.

CREATE TABLE take_request (
    scope     TEXT    NOT NULL,
    message   INTEGER NOT NULL, -- what was edited, or bears the reaction
    user      INTEGER NOT NULL,
    edited_at INTEGER NOT NULL, -- 0 is a reaction
    take      INTEGER NOT NULL CHECK (take BETWEEN 0 AND 65535),
    at        INTEGER NOT NULL,
    PRIMARY KEY (scope, message, user, edited_at)
) STRICT, WITHOUT ROWID;
