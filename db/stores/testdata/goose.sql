-- Tables of goose's sessions.db as others that read it document them (1.43 to 1.46): what is read of them.
CREATE TABLE sessions (
	id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', session_type TEXT NOT NULL DEFAULT 'user',
	working_dir TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE messages (
	id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions (id), role TEXT NOT NULL,
	content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, metadata_json TEXT
);
