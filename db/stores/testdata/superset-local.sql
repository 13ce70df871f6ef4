-- Tables of an older Superset's local.db, by its source (commit 0018e0a6): what is read of them.
CREATE TABLE projects (
	id text PRIMARY KEY NOT NULL, main_repo_path text NOT NULL, name text NOT NULL, color text NOT NULL,
	last_opened_at integer NOT NULL, created_at integer NOT NULL
);
CREATE TABLE worktrees (
	id text PRIMARY KEY NOT NULL, project_id text NOT NULL REFERENCES projects (id) ON DELETE cascade,
	path text NOT NULL, branch text NOT NULL, base_branch text, created_at integer NOT NULL
);
CREATE TABLE workspaces (
	id text PRIMARY KEY NOT NULL, project_id text NOT NULL REFERENCES projects (id) ON DELETE cascade,
	worktree_id text REFERENCES worktrees (id) ON DELETE cascade, type text NOT NULL, branch text NOT NULL, name text NOT NULL,
	tab_order integer NOT NULL, created_at integer NOT NULL, updated_at integer NOT NULL, last_opened_at integer NOT NULL, deleting_at integer
);
