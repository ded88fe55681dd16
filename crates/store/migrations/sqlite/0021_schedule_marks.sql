-- Which request set a schedule. It stays for a while when that is over: a request
-- that is repeated after a crash sets nothing anew.

CREATE TABLE schedule_mark (
    scope    TEXT    NOT NULL,
    user     INTEGER NOT NULL,
    mark     INTEGER NOT NULL,
    schedule INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (scope, user, mark)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO schedule_mark (scope, user, mark, schedule, at)
    SELECT scope, user, mark, id, created_at FROM schedule;
