package past

import (
	"context"
	"os"
	"path/filepath"
	"slices"
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
		"as the other's":              {agent.Shelf{}, []string{"default"}},
		"at a home of its own":        {agent.Shelf{Home: "~/.mine", Folder: "below"}, []string{"moved: there", "own"}},
		"at an absolute home":         {agent.Shelf{Home: user + "/.mine"}, []string{"own"}},
		"by a pattern in its home":    {agent.Shelf{Home: "~/.mine", Folder: "below", Pattern: "{home}/chats/*/chat-{session_id}.txt"}, []string{"a1", "moved: e5"}},
		"in a home that is not known": {agent.Shelf{Folder: "below", Pattern: "{home}/chats/*/chat-{session_id}.txt"}, []string{"moved: e5"}},
		"below the person's home":     {agent.Shelf{Pattern: "~/notes/{session_id}/log"}, []string{"c3"}},
		"at a path":                   {agent.Shelf{Pattern: user + "/notes/{session_id}/log"}, []string{"c3"}},
		"out of the home again":       {agent.Shelf{Home: "~/.mine", Pattern: "{home}/../notes/{session_id}/log"}, nil},
		"where the name may be read in ways": {
			agent.Shelf{Pattern: "~/notes/*_{session_id}/x.jsonl"}, nil,
		},
		"by the first letters alone": {agent.Shelf{Home: "~/.mine", Pattern: "{home}/projects/*/{session_id:8}*.jsonl"}, []string{"own"}},
	} {
		store := Stores()[0].In("mine", c.at)
		m := memory{}
		sources := Sources([]Store{store}, user, noEnv, map[string][]string{"mine": {moved}})
		if _, err := Refresh(context.Background(), m, sources, nil); err != nil {
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
