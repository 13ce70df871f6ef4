-- The builds that a process ran before it was re-executed: its agents call them.
CREATE TABLE builds (
	instance TEXT NOT NULL REFERENCES instances (id),
	build    TEXT NOT NULL,
	PRIMARY KEY (instance, build)
) STRICT, WITHOUT ROWID;

-- The pane that was looked at last, and when someone last looked at the workspace.
ALTER TABLE workspaces ADD COLUMN focus TEXT;
ALTER TABLE workspaces ADD COLUMN used_at INTEGER;

-- What is long over is found by its age.
CREATE INDEX terminals_ended ON terminals (ended_at) WHERE ended_at IS NOT NULL;
DROP INDEX bindings_successor;
CREATE INDEX bindings_successor ON bindings (successor);
CREATE INDEX panes_terminal ON panes (terminal_id);
CREATE INDEX panes_workspace ON panes (workspace) WHERE workspace IS NOT NULL;
