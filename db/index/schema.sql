-- What was read of the stores of agents. Times are nanoseconds since 1970, NULL for none.

-- Every file that was read, also one without a conversation, so that none is read twice.
CREATE TABLE files (
	id   INTEGER PRIMARY KEY,
	path TEXT NOT NULL UNIQUE,
	size INTEGER NOT NULL,
	time INTEGER NOT NULL,
	kind TEXT NOT NULL,
	home TEXT NOT NULL,
	form INTEGER NOT NULL -- a hash of how it was read
) STRICT;

CREATE TABLE sessions (
	id      INTEGER PRIMARY KEY,
	file    INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
	kind    TEXT NOT NULL,
	home    TEXT NOT NULL,
	session TEXT NOT NULL,
	dir     TEXT NOT NULL,
	first   TEXT NOT NULL,
	last    TEXT NOT NULL,
	own     INTEGER NOT NULL,
	begun   INTEGER,
	used    INTEGER NOT NULL,
	UNIQUE (file, session)
) STRICT;

CREATE INDEX sessions_used ON sessions (used DESC);

-- The words of a session, to be searched; their rowid is the session's.
CREATE VIRTUAL TABLE words USING fts5 (
	text, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER sessions_gone AFTER DELETE ON sessions BEGIN
	DELETE FROM words WHERE rowid = old.id;
END;

-- Counts what was put in and dropped, from a number that no index before had.
CREATE TABLE changes (n INTEGER NOT NULL) STRICT;
INSERT INTO changes VALUES (CAST(unixepoch('subsec') * 1000000 AS INTEGER));
