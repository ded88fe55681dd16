-- How often the file was opened to be written. Whoever opened it before the
-- last one may say nothing any more.

ALTER TABLE probe ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
