-- Tables of Superset's host.db, by its source of 2026 (commit 0606ed97): what is read of them, and what they hang on.
CREATE TABLE projects (
	id text PRIMARY KEY NOT NULL, repo_path text NOT NULL, name text DEFAULT '' NOT NULL, created_at integer NOT NULL
);
CREATE TABLE workspaces (
	id text PRIMARY KEY NOT NULL, project_id text REFERENCES projects (id) ON DELETE cascade, worktree_path text NOT NULL,
	branch text NOT NULL, head_sha text, name text DEFAULT '' NOT NULL, type text DEFAULT 'worktree' NOT NULL,
	created_at integer NOT NULL, updated_at integer DEFAULT 0 NOT NULL, archived_at integer, archive_reason text
);
CREATE TABLE terminal_sessions (
	id text PRIMARY KEY NOT NULL, origin_workspace_id text REFERENCES workspaces (id) ON DELETE set null,
	status text DEFAULT 'active' NOT NULL, created_at integer NOT NULL, last_attached_at integer, ended_at integer, dispose_requested_at integer
);
CREATE TABLE terminal_agent_bindings (
	terminal_id text PRIMARY KEY NOT NULL REFERENCES terminal_sessions (id) ON DELETE cascade, workspace_id text NOT NULL,
	agent_id text NOT NULL, agent_session_id text, definition_id text, started_at integer NOT NULL,
	last_event_at integer NOT NULL, last_event_type text NOT NULL, ended_at integer, end_reason text
);
