-- What interactions can be answered with, for as long as they can. `body` is
-- Discord's token for it, sealed as the bodies of memories are.

CREATE TABLE response_handle (
    scope       TEXT    NOT NULL,
    interaction INTEGER NOT NULL,
    application INTEGER NOT NULL,
    key         INTEGER NOT NULL,
    body        BLOB    NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (scope, interaction)
) STRICT;

CREATE INDEX response_handle_by_expiry ON response_handle (expires_at);

CREATE INDEX turn_by_channel ON turn (scope, channel, admitted_at);
