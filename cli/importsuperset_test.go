package cli

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// A database of Superset's, by the schema of its source, becomes sessions with
// candidates; what is there is not touched, and what is gone is said.
func TestImportOfSuperset(t *testing.T) {
	home := t.TempDir()
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	t.Setenv("HOME", home)
	t.Setenv("REPRISE_HOME", filepath.Join(home, "reprise"))
	t.Setenv("SUPERSET_HOME_DIR", "")
	if got := sessionsSay(t, "import", "superset"); !strings.Contains(got, "nothing of Superset is kept in "+filepath.Join(home, ".superset")) {
		t.Errorf("without it: %q", got)
	}
	api, org := filepath.Join(home, "w", "api"), filepath.Join(home, ".superset", "host", "org-1")
	for _, dir := range []string{api, org} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tables, err := os.ReadFile("../db/stores/testdata/superset-host.sql")
	if err != nil {
		t.Fatal(err)
	}
	pool, err := sql.Open("sqlite", filepath.Join(org, "host.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, s := range []string{
		string(tables),
		`INSERT INTO workspaces (id, worktree_path, branch, name, created_at) VALUES ('w1', '` + api + `', 'main', 'a' || char(27) || 'pi', 1), ('w2', '/gone/web', 'x', 'web', 2)`,
		`INSERT INTO terminal_sessions (id, origin_workspace_id, created_at) VALUES ('t1', 'w1', 1), ('t2', 'w1', 2), ('t3', 'w1', 3), ('t4', 'w1', 4)`,
		`INSERT INTO terminal_agent_bindings (terminal_id, workspace_id, agent_id, agent_session_id, started_at, last_event_at, last_event_type) VALUES
			('t2', 'w1', 'claude', '` + importedID + `', 1, 1, 'Stop'), ('t3', 'w1', 'superset-chat', 'x', 1, 1, 'Stop'), ('t4', 'w1', 'claude', '` + importedID + `', 1, 1, 'Stop')`,
	} {
		if _, err := pool.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	const made = "reprise: web is left out: its directory /gone/web is gone\nNAME  3 tabs, 3 panes  ~/w/api DID\n" +
		"  1.1   a shell                                  ~/w/api\n  2.1   a shell                                  ~/w/api\n  3.1   claude, session …55555555, comes back  ~/w/api\n"
	for _, c := range []struct{ args, name, did string }{{"--dry-run", "api", "would be made"}, {"", "api", "made"}, {"", "api-2", "made"}} {
		got := sessionsSay(t, append([]string{"import", "superset"}, strings.Fields(c.args)...)...)
		want := strings.NewReplacer("NAME", c.name, "DID", c.did).Replace(made)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%q:\n%s\nwant\n%s", c.args, got, want)
		}
	}
	d, err := db.Open(t.Context(), filepath.Join(home, "reprise", "state"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ws, err := d.Workspace(t.Context(), "api")
	if err != nil || ws.Dir != api {
		t.Fatalf("%+v, %v", ws, err)
	}
	l, err := panes.DecodeLayout(ws.Layout)
	if err != nil || len(l.Tabs) != 3 {
		t.Fatalf("%+v, %v", l, err)
	}
	r, err := d.Pane(t.Context(), l.Panes()[2])
	if err != nil || !r.Candidate || r.Binding.Session != importedID || r.Binding.Origin.Kind != "claude" || r.Binding.Origin.Dir != api || r.Terminal.Status != agent.TerminalExit {
		t.Errorf("%+v, %v", r, err)
	}
	if got := sessionsSay(t, "import", "superset", "--file", filepath.Join(home, "reprise", "state", db.File)); !strings.Contains(got, "a version that Reprise does not know") {
		t.Errorf("another database: %q", got)
	}
}
