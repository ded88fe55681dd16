-- Which actions moderators have been told of. What was done before there was a
-- channel for that is not told.

ALTER TABLE audit ADD COLUMN told INTEGER NOT NULL DEFAULT 1 CHECK (told IN (0, 1));

CREATE INDEX audit_untold ON audit (at) WHERE told = 0;
