-- People who joined guilds, and what is still owed to them: a welcome at a
-- moment, a role, and another one for staying.

CREATE TABLE newcomer (
    scope      TEXT    NOT NULL,
    user       INTEGER NOT NULL,
    joined_at  INTEGER NOT NULL,
    welcome_at INTEGER,
    role       INTEGER,
    messages   INTEGER NOT NULL,
    promoted   INTEGER NOT NULL,
    PRIMARY KEY (scope, user)
) STRICT;
