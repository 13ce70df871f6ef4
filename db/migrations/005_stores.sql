-- Where the conversations of a kind in one of its homes lie, as the config says; NULL:
-- not known. Those with one store have each other's sessions.
CREATE TABLE stores (
	kind  TEXT NOT NULL,
	home  TEXT NOT NULL,
	store TEXT,
	PRIMARY KEY (kind, home)
) STRICT, WITHOUT ROWID;

INSERT INTO stores (kind, home) SELECT DISTINCT kind, home FROM bindings;

-- A session is looked for in whatever kind and home.
DROP INDEX bindings_identity;
CREATE INDEX bindings_session ON bindings (session_id, kind, home, end_reason);
