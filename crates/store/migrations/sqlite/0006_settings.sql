-- What was set for a scope, one of its channels or one of its personas. Names
-- and values are checked where they are declared: a new setting changes no
-- table.
CREATE TABLE setting (
    scope      TEXT    NOT NULL,
    layer      TEXT    NOT NULL CHECK (layer IN ('guild', 'channel', 'persona')),
    target     INTEGER NOT NULL, -- the channel or persona; 0 for all of the scope
    name       TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    changed_by INTEGER, -- nobody on Discord, if it was the operator
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (scope, layer, target, name)
) STRICT, WITHOUT ROWID;
