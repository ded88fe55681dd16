-- The webhooks that personas speak by, how they appeared, and where they cannot.

CREATE TABLE webhook (
    scope   TEXT    NOT NULL,
    id      INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    key     INTEGER NOT NULL,
    body    BLOB    NOT NULL, -- the token, sealed
    made_at INTEGER NOT NULL,
    gone_at INTEGER,          -- it no longer works
    PRIMARY KEY (scope, id)
) STRICT;

CREATE INDEX webhook_channel ON webhook (scope, channel) WHERE gone_at IS NULL;

CREATE TABLE webhook_refusal (
    scope   TEXT    NOT NULL,
    channel INTEGER NOT NULL,
    code    INTEGER NOT NULL, -- Discord's
    told    INTEGER NOT NULL, -- somebody knows
    at      INTEGER NOT NULL,
    PRIMARY KEY (scope, channel)
) STRICT;

-- A name, a picture and a look, as JSON.
ALTER TABLE effect ADD COLUMN identity TEXT;

ALTER TABLE message ADD COLUMN look TEXT;
