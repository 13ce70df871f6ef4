-- Times are nanoseconds since 1970, NULL for none. Lists are JSON arrays of strings.

-- One row per process that owns terminals. Whether it lives is asked of its lock
-- file, never of this row; the process is recorded for the case that the file is gone.
CREATE TABLE instances (
	id    TEXT PRIMARY KEY,
	build TEXT NOT NULL,
	pid   INTEGER NOT NULL,
	start INTEGER NOT NULL,
	boot  TEXT NOT NULL,
	-- swept: dead, and nothing of it is left to be mended.
	swept INTEGER NOT NULL DEFAULT 0 CHECK (swept IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE terminals (
	id           TEXT PRIMARY KEY,
	pane         TEXT NOT NULL,
	dir          TEXT NOT NULL,
	argv         TEXT NOT NULL,
	env          TEXT NOT NULL,
	nonce        TEXT NOT NULL,
	pid          INTEGER NOT NULL,
	start        INTEGER NOT NULL,
	boot         TEXT NOT NULL,
	instance     TEXT NOT NULL REFERENCES instances (id),
	gate_open    INTEGER NOT NULL CHECK (gate_open IN (0, 1)),
	status       TEXT NOT NULL CHECK (status IN ('active', 'exited', 'disposed')),
	exit_status  INTEGER,
	exit_signal  INTEGER,
	created_at   INTEGER NOT NULL,
	ended_at     INTEGER,
	dispose_requested_at INTEGER,
	CHECK (status <> 'disposed' OR dispose_requested_at IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX terminals_nonce ON terminals (nonce) WHERE nonce <> '';
CREATE INDEX terminals_instance ON terminals (instance, status);

CREATE TABLE bindings (
	terminal_id   TEXT PRIMARY KEY REFERENCES terminals (id),
	kind          TEXT NOT NULL,
	home          TEXT NOT NULL,
	session_id    TEXT CHECK (session_id <> ''),
	-- session_at: when the hook fired that named the session; NULL: preset or inherited.
	session_at    INTEGER,
	prompted      INTEGER NOT NULL CHECK (prompted IN (0, 1)),
	first_failed  INTEGER NOT NULL CHECK (first_failed IN (0, 1)),
	dir           TEXT NOT NULL,
	flags         TEXT NOT NULL,
	env           TEXT NOT NULL,
	predecessor   TEXT,
	started_at    INTEGER NOT NULL,
	last_event    TEXT,
	last_event_at INTEGER,
	ended_at      INTEGER,
	end_reason    TEXT CHECK (end_reason IN ('detached', 'terminal-exited', 'resuming', 'resumed', 'disposed')),
	unsure        INTEGER NOT NULL DEFAULT 0 CHECK (unsure = 0 OR (unsure = 1 AND end_reason = 'detached')),
	owner         TEXT REFERENCES instances (id),
	token         TEXT,
	claimed_at    INTEGER,
	-- deferred: a confirmation consumes the claim before it records the successor
	successor     TEXT REFERENCES terminals (id) DEFERRABLE INITIALLY DEFERRED,
	attempts      INTEGER NOT NULL,
	first_death   INTEGER,
	next_attempt  INTEGER,
	dismissed_at  INTEGER,
	CHECK ((end_reason IS NULL) = (ended_at IS NULL)),
	CHECK (end_reason IS NOT 'resuming' OR (owner IS NOT NULL AND token IS NOT NULL)),
	CHECK ((end_reason IS 'resumed') = (successor IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX bindings_identity ON bindings (kind, home, session_id, end_reason);
CREATE INDEX bindings_reason ON bindings (end_reason);
CREATE INDEX bindings_successor ON bindings (successor) WHERE successor IS NOT NULL;

CREATE TABLE workspaces (
	name        TEXT PRIMARY KEY,
	dir         TEXT NOT NULL,
	-- born orders the workspaces of one directory: the first is its default.
	born        INTEGER NOT NULL,
	owner       TEXT REFERENCES instances (id),
	layout      BLOB,
	layout_prev BLOB
) STRICT, WITHOUT ROWID;

CREATE INDEX workspaces_dir ON workspaces (dir, born);
CREATE INDEX workspaces_owner ON workspaces (owner) WHERE owner IS NOT NULL;

-- A pane's durable pointer: the terminal it was last set to. What it shows is the
-- end of the chain of successors from there.
CREATE TABLE panes (
	id          TEXT PRIMARY KEY,
	terminal_id TEXT NOT NULL REFERENCES terminals (id),
	workspace   TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE hook_events (
	id       INTEGER PRIMARY KEY,
	nonce    TEXT NOT NULL,
	kind     TEXT NOT NULL,
	event    TEXT NOT NULL,
	session  TEXT NOT NULL,
	reason   TEXT NOT NULL,
	certain  INTEGER NOT NULL,
	fired_at INTEGER NOT NULL,
	depth    INTEGER NOT NULL
) STRICT;

CREATE INDEX hook_events_nonce ON hook_events (nonce, fired_at);

-- Agents go on calling hooks while no owner runs to take them in.
CREATE TRIGGER hook_events_bound AFTER INSERT ON hook_events BEGIN
	DELETE FROM hook_events WHERE id <= new.id - 200000;
END;

CREATE TABLE ledger (
	id       INTEGER PRIMARY KEY,
	at       INTEGER NOT NULL,
	terminal TEXT,
	session  TEXT,
	what     TEXT NOT NULL,
	why      TEXT NOT NULL
) STRICT;

CREATE INDEX ledger_terminal ON ledger (terminal, id) WHERE terminal IS NOT NULL;
CREATE INDEX ledger_at ON ledger (at);

CREATE TRIGGER ledger_bound AFTER INSERT ON ledger BEGIN
	DELETE FROM ledger WHERE id <= new.id - 200000;
END;
