-- Who took a note.

ALTER TABLE note ADD COLUMN persona INTEGER NOT NULL DEFAULT 0;
