-- The guilds that the bot is no longer in, and since when. What is kept of them
-- is erased a while after that.

CREATE TABLE departure (
    scope TEXT    NOT NULL PRIMARY KEY,
    at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
