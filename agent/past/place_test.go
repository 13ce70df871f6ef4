package past

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
)

// A kind whose files have another's form is read where its person says that they are; the
// names there tell the ids, and none that could not be one.
func TestStoreOfAnotherKind(t *testing.T) {
	user := t.TempDir()
	put := func(path string) {
		t.Helper()
		path = filepath.Join(user, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`{"type":"user","cwd":"/w","message":{"content":"hello"}}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(".claude/projects/-w/default.jsonl")
	put(".mine/projects/-w/own.jsonl")
	put("moved/below/projects/-w/there.jsonl")
	put(".mine/chats/2026/chat-a1.txt")
	put(".mine/chats/2026/chat---yolo.txt")
	put(".mine/chats/2026/chat-.txt")
	put(".mine/chats/2026/b2.txt")
	put("notes/c3/log")
	put("notes/stamp_d4/x.jsonl")
	put("moved/below/chats/2026/chat-e5.txt")
	moved := filepath.Join(user, "moved")
	for name, c := range map[string]struct {
		at   agent.Shelf
		want []string
	}{
		"as the other's":               {agent.Shelf{}, []string{"default"}},
		"at a home of its own":         {agent.Shelf{Home: "~/.mine", Folder: "below"}, []string{"moved: there", "own"}},
		"at an absolute home":          {agent.Shelf{Home: user + "/.mine"}, []string{"own"}},
		"by a pattern in its home":     {agent.Shelf{Home: "~/.mine", Folder: "below", Pattern: "{home}/chats/*/chat-{session_id}.txt"}, []string{"a1", "moved: e5"}},
		"in a home that is not known":  {agent.Shelf{Folder: "below", Pattern: "{home}/chats/*/chat-{session_id}.txt"}, []string{"moved: e5"}},
		"below the person's home":      {agent.Shelf{Pattern: "~/notes/{session_id}/log"}, []string{"c3"}},
		"at a path":                    {agent.Shelf{Pattern: user + "/notes/{session_id}/log"}, []string{"c3"}},
		"with a letter that is quoted": {agent.Shelf{Pattern: `~/no\tes/{session_id}/l\og`}, []string{"c3"}},
		"out of the home again":        {agent.Shelf{Home: "~/.mine", Pattern: "{home}/../notes/{session_id}/log"}, nil},
		"where the name may be read in ways": {
			agent.Shelf{Pattern: "~/notes/*_{session_id}/x.jsonl"}, nil,
		},
		"by the first letters alone": {agent.Shelf{Home: "~/.mine", Pattern: "{home}/projects/*/{session_id:8}*.jsonl"}, []string{"own"}},
	} {
		stores := []Store{Stores()[0].In("mine", c.at)}
		m := memory{}
		sources := Sources(stores, user, noEnv, map[string][]string{"mine": {moved}})
		if _, err := Refresh(context.Background(), m, stores, sources, nil); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range m.sessions() {
			id := string(s.Session)
			if s.Home != "" {
				id = "moved: " + id
			}
			if s.Kind != "mine" || s.First != "hello" {
				t.Errorf("%s: %+v", name, s)
			}
			got = append(got, id)
		}
		slices.Sort(got)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// What was read by one description is read anew by another, and is forgotten when no
// store has it: of an unchanged file, and of a database.
func TestStoreDescribedAnew(t *testing.T) {
	user := t.TempDir()
	put := func(path, text string) {
		t.Helper()
		path = filepath.Join(user, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("chats/x-a1/log", says("user", "hello"))
	put(".local/share/opencode/opencode.db", "x")
	m := memory{}
	check := func(what string, read, gone int, stores []Store, homes []string, want ...string) {
		t.Helper()
		stats, err := Refresh(context.Background(), m, stores, Sources(stores, user, noEnv, map[string][]string{"mine": homes}), nil)
		if err != nil || stats.Read != read || stats.Gone != gone {
			t.Errorf("%s: %+v, %v", what, stats, err)
		}
		var got []string
		for _, s := range m.sessions() {
			got = append(got, s.Kind+" "+strings.TrimPrefix(s.Home, user)+" "+string(s.Session))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
	described := func(kind, home, pattern string) []Store {
		return []Store{Stores()[0].In(kind, agent.Shelf{Home: home, Pattern: pattern})}
	}
	first := described("mine", "", "~/chats/x-{session_id}/log")
	check("first", 1, 0, first, nil, "mine  a1")
	check("as it was", 0, 0, first, nil, "mine  a1")
	check("another name", 1, 0, described("yours", "", "~/chats/x-{session_id}/log"), nil, "yours  a1")
	check("another pattern", 1, 0, described("yours", "", "~/chats/{session_id}/log"), nil, "yours  x-a1")
	check("no pattern of these", 0, 1, described("yours", "", "~/talks/{session_id}/log"), nil)

	homely := described("mine", "", "{home}/x-{session_id}/log")
	there := []string{filepath.Join(user, "chats")}
	check("in a home", 1, 0, homely, there, "mine /chats a1")
	check("that nobody names", 0, 0, homely, nil, "mine /chats a1")
	check("that is the default", 1, 0, described("mine", "~/chats", "{home}/x-{session_id}/log"), there, "mine  a1")
	check("of no kind", 0, 1, nil, nil)

	d := InDatabase("opencode", &database{sessions: map[agent.SessionID]Mark{"d": {Size: 1}}}, "", "opencode", "opencode.db")
	check("a database", 1, 0, []Store{d}, nil, "opencode  d")
	check("of another kind, too", 0, 0, []Store{d, d.In("mine", agent.Shelf{})}, nil, "opencode  d")
	check("of another kind alone", 1, 0, []Store{d.In("mine", agent.Shelf{})}, nil, "mine  d")
	check("of no kind", 0, 2, nil, nil)
}

// A session that kinds with files of one form in one folder share is one row, by the kind
// whose terminal has it; that of another folder is another session.
func TestKindsThatShareAFolder(t *testing.T) {
	user := t.TempDir()
	moved := filepath.Join(user, "moved")
	for _, home := range []string{".claude", "moved", ".apart"} {
		path := filepath.Join(user, home, "projects", "-w", "a1.jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(says("user", "hello")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	claude := Stores()[0]
	stores := []Store{
		claude, claude.In("mine", agent.Shelf{Home: "~/.claude"}), claude.In("named", agent.Shelf{Home: "~/.claude", Pattern: "{home}/projects/*/{session_id}.jsonl"}),
		claude.In("apart", agent.Shelf{Home: "~/.apart"}),
	}
	sources := Sources(stores, user, noEnv, map[string][]string{"claude": {moved}, "mine": {moved, filepath.Join(user, ".claude")}})
	m := memory{}
	if _, err := Refresh(context.Background(), m, stores, sources, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind, home string
		want       []string
	}{
		{"mine", "", []string{"apart  free", "claude /moved free", "mine  open"}},
		{"mine", "/.claude", []string{"apart  free", "claude /moved free", "mine /.claude open"}},
		{"mine", "/moved", []string{"apart  free", "claude  free", "mine /moved open"}},
		{"named", "", []string{"apart  free", "claude /moved free", "named  open"}},
		{"apart", "", []string{"apart  open", "claude  free", "claude /moved free"}},
		{"other", "", []string{"apart  free", "claude  free", "claude /moved free", "other  open"}},
	} {
		id := agent.Identity{Kind: c.kind, Home: c.home, Session: "a1"}
		if c.home != "" {
			id.Home = filepath.Join(user, c.home)
		}
		var got []string
		for _, r := range Merge(m.sessions(), []Standing{{Identity: id, Reason: agent.Live, Prompted: true}}, sources, nil) {
			state := "free"
			if r.Standing.Open() {
				state = "open"
			}
			got = append(got, r.Kind+" "+strings.TrimPrefix(r.Home, user)+" "+state)
		}
		slices.Sort(got)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s in %q (-want +got):\n%s", c.kind, c.home, d)
		}
	}
}
