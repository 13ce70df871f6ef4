package stores

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/past"
)

// shelf is a past.Index.
type shelf map[string]past.File

func (s shelf) Marks(context.Context) (map[string]past.Mark, error) {
	marks := map[string]past.Mark{}
	for path, f := range s {
		marks[path] = f.Mark
	}
	return marks, nil
}

func (s shelf) Put(_ context.Context, files []past.File) error {
	for _, f := range files {
		s[f.Path] = f
	}
	return nil
}

func (s shelf) Drop(_ context.Context, paths []string) error {
	for _, p := range paths {
		delete(s, p)
	}
	return nil
}

// The databases of crush's projects are found by its list, each session with the
// directory of its project; what the list has beside is no database.
func TestCrush(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	path, pool := made(t, `CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL)`,
		`CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts BLOB NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
		`INSERT INTO sessions VALUES ('one', NULL, 'x', 1777802430, 1777802400), ('sub', 'one', 'x', 1777802430, 1), ('empty', NULL, 'x', 1777802400, 1)`,
		`INSERT INTO messages VALUES
			('a', 'one', 'user', '[{"type":"text","data":{"text":"mend the parser"}},{"type":"binary","data":"x"}]', 1777802400, 1),
			('b', 'one', 'assistant', '[{"type":"reasoning","data":{"text":"hm"}},{"type":"text","data":{"text":"it is mended"}},{"type":"finish","data":{"reason":"end"}}]', 1777802410000, 1),
			('c', 'one', 'tool', '[{"type":"tool_result","data":{"text":"ok"}}]', 1777802411, 1), ('d', 'one', 'user', '{{', 1777802412, 1), ('e', 'sub', 'user', '[{"type":"text","data":{"text":"a subagent"}}]', 1777802400, 1)`)
	if err := pool.Close(); err != nil { // no log is left
		t.Fatal(err)
	}
	put := func(path string, data []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(filepath.Join(project, ".crush", "crush.db"), data)
	put(filepath.Join(project, "state", "crush.db"), data)
	shared := t.TempDir()
	put(filepath.Join(shared, "crush.db"), data)
	list := filepath.Join(home, ".local", "share", "crush", "projects.json")
	projects := func(entries ...map[string]any) {
		t.Helper()
		b, err := json.Marshal(map[string]any{"projects": entries})
		if err != nil {
			t.Fatal(err)
		}
		put(list, b)
	}
	projects(map[string]any{"path": project, "data_dir": filepath.Join(project, ".crush")}, map[string]any{"path": project, "data_dir": "state"},
		map[string]any{"path": project, "data_dir": shared}, map[string]any{"path": filepath.Dir(project), "data_dir": shared},
		map[string]any{"path": "not/absolute"}, map[string]any{"path": "/not/there", "data_dir": ""})
	index := shelf{}
	refresh := func() (all []past.Conversation) {
		t.Helper()
		stores := []past.Store{past.InListed("crush", Crush(), past.CrushProjects, ".", "crush", "projects.json")}
		if stats, err := past.Refresh(t.Context(), index, stores, past.Sources(stores, home, func(string) string { return "" }, nil), nil); err != nil || stats.Failed != 0 {
			t.Fatalf("%+v, %v", stats, err)
		}
		for _, f := range index {
			all = append(all, f.Sessions...)
		}
		return all
	}
	all := refresh()
	dirs := map[string]int{}
	for _, s := range all {
		dirs[s.Dir]++
		want := past.Conversation{
			Identity: agent.Identity{Kind: "crush", Session: "one"}, Dir: s.Dir, First: "mend the parser", Last: "it is mended",
			Begun: time.Unix(1777802400, 0), Used: time.Unix(1777802412, 0), Words: s.Words,
		}
		if d := cmp.Diff(want, s); d != "" {
			t.Error(d)
		}
	}
	if len(all) != 3 || dirs[project] != 2 || dirs[""] != 1 {
		t.Errorf("%+v", all)
	}
	for _, bad := range []string{`{`, `[]`, `{"projects":[{"path":7}]}`} {
		put(list, []byte(bad))
		if got := past.CrushProjects(list); got != nil {
			t.Errorf("%s: %q", bad, got)
		}
	}
	if all = refresh(); len(all) != 3 { // an unreadable list forgets nothing
		t.Errorf("%+v", all)
	}
}
