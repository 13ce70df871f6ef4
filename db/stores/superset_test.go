package stores

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const supersetRows = `
INSERT INTO workspaces (id, worktree_path, branch, name, created_at, archived_at) VALUES
	('w1', '/w/api', 'main', 'api', 1, NULL), ('w2', '/w/web', 'fix-login', '', 2, NULL), ('w3', '/w/old', 'old', 'old', 3, 99);
INSERT INTO terminal_sessions (id, origin_workspace_id, status, created_at, dispose_requested_at) VALUES
	('t1', 'w1', 'active', 1, NULL), ('t2', 'w1', 'active', 2, NULL), ('t3', 'w1', 'exited', 3, NULL), ('t4', 'w1', 'exited', 4, NULL),
	('t5', 'w1', 'active', 5, 9), ('t6', 'w1', 'active', 6, NULL), ('t7', 'w2', 'exited', 7, NULL), ('t8', NULL, 'active', 8, NULL), ('t9', 'w1', 'active', 9, NULL);
INSERT INTO terminal_agent_bindings (terminal_id, workspace_id, agent_id, agent_session_id, started_at, last_event_at, last_event_type, ended_at, end_reason) VALUES
	('t2', 'w1', 'claude', '11111111-2222-4333-8444-555555555555', 1, 1, 'Stop', NULL, NULL),
	('t3', 'w1', 'codex', '99999999-2222-4333-8444-555555555555', 1, 1, 'Stop', 5, 'terminal-exited'),
	('t4', 'w1', 'claude', 'gone', 1, 1, 'SessionEnd', 5, 'detached'),
	('t6', 'w1', 'claude', '--dangerous', 1, 1, 'Start', NULL, NULL),
	('t9', 'w1', 'gemini', NULL, 1, 1, 'Start', NULL, NULL);
`

func TestSuperset(t *testing.T) {
	path, _ := made(t, seen(t, "superset-host.sql"), supersetRows)
	before := around(t, path)
	got, err := Superset(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []SupersetWorkspace{
		{Name: "api", Dir: "/w/api", Terminals: []SupersetTerminal{
			{},
			{Agent: "claude", Session: "11111111-2222-4333-8444-555555555555"},
			{Agent: "codex", Session: "99999999-2222-4333-8444-555555555555"},
			{Agent: "claude"},
			{Agent: "gemini"},
		}},
		{Name: "fix-login", Dir: "/w/web"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(before, around(t, path)); d != "" {
		t.Errorf("it changed: %s", d)
	}
	if _, err := OldSuperset(path); err == nil {
		t.Error("it is taken for an older one")
	}
}

func TestOldSuperset(t *testing.T) {
	path, _ := made(t, seen(t, "superset-local.sql"), `
		INSERT INTO projects VALUES ('p', '/src/api', 'api', 'red', 1, 1);
		INSERT INTO worktrees VALUES ('t', 'p', '/w/api/fix', 'fix', 'main', 1);
		INSERT INTO workspaces VALUES ('a', 'p', NULL, 'branch', 'main', 'main', 0, 1, 1, 1, NULL), ('b', 'p', 't', 'worktree', 'fix', 'fix it', 1, 2, 1, 1, NULL),
			('c', 'p', 't', 'worktree', 'gone', 'gone', 2, 3, 1, 1, 77);`)
	got, err := OldSuperset(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []SupersetWorkspace{{Name: "main", Dir: "/src/api"}, {Name: "fix it", Dir: "/w/api/fix"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := Superset(path); err == nil {
		t.Error("it is taken for a newer one")
	}
}
