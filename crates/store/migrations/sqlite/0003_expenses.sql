-- What models cost, one row a call.
--
-- Budgets look at the rows of one UTC day. Older ones are for reports only, and
-- may be deleted at any age: nothing refers to them. They refer to no turn
-- either, so turns can be deleted before them.

CREATE TABLE expense (
    id        INTEGER PRIMARY KEY,
    scope     TEXT    NOT NULL,
    trigger   INTEGER NOT NULL, -- with take: the turn
    take      INTEGER NOT NULL CHECK (take BETWEEN 0 AND 65535),
    channel   INTEGER NOT NULL,
    user      INTEGER NOT NULL,
    role      TEXT    NOT NULL,
    model     TEXT    NOT NULL, -- vendor/model
    input     INTEGER NOT NULL CHECK (input >= 0),
    cached    INTEGER NOT NULL CHECK (cached >= 0),
    output    INTEGER NOT NULL CHECK (output >= 0),
    thinking  INTEGER NOT NULL CHECK (thinking >= 0),
    estimated INTEGER NOT NULL CHECK (estimated IN (0, 1)),
    cost      INTEGER CHECK (cost >= 0), -- millionths of a US dollar; NULL if unknown
    at        INTEGER NOT NULL
) STRICT;

-- They hold all that the sums need.
CREATE INDEX expense_of_everyone ON expense (scope, at, input, output, cost);
CREATE INDEX expense_of_user ON expense (scope, user, at, input, output, cost);
