package kinds_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// That there is no conversation is said only where it is known: behind a long line there
// may be one, and behind a link whose disk is not there.
func TestNoTranscriptIsKnown(t *testing.T) {
	const said = `{"type":"user","message":{}}`
	long := `{"x":"` + strings.Repeat("x", 64<<10) + `","type":"user"}`
	for name, c := range map[string]struct {
		lay  map[string]string // files, and links that begin with ->
		want agent.Transcript
	}{
		"nothing was said":              {map[string]string{"projects/-w/a.jsonl": `{"type":"mode"}`}, agent.NoTranscript},
		"no file":                       {map[string]string{"projects/-w/b.jsonl": said}, agent.NoTranscript},
		"no folder":                     {map[string]string{"other": ""}, agent.NoTranscript},
		"a file for a folder":           {map[string]string{"projects": ""}, agent.NoTranscript},
		"at the end of a long line":     {map[string]string{"projects/-w/a.jsonl": long + "\n"}, agent.HasTranscript},
		"a long line without its end":   {map[string]string{"projects/-w/a.jsonl": long}, agent.HasTranscript},
		"a long line with nothing":      {map[string]string{"projects/-w/a.jsonl": long[:len(long)-20] + "\n"}, agent.NoTranscript},
		"a short line behind it":        {map[string]string{"projects/-w/a.jsonl": long[:len(long)-20] + "\n" + said + "\n"}, agent.HasTranscript},
		"a long line of another's":      {map[string]string{"projects/-w/b.jsonl": long}, agent.NoTranscript},
		"a folder on no disk":           {map[string]string{"projects": "->/absent/projects"}, agent.CannotTell},
		"a folder below on no disk":     {map[string]string{"projects": "->moved", "moved": "->/absent/projects"}, agent.CannotTell},
		"a file on no disk":             {map[string]string{"projects/-w/a.jsonl": "->/absent/a.jsonl"}, agent.CannotTell},
		"a folder that a link leads to": {map[string]string{"projects": "->moved", "moved/-w/b.jsonl": said}, agent.NoTranscript},
	} {
		home := filepath.Join(t.TempDir(), "home")
		for path, content := range c.lay {
			path = filepath.Join(home, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			var err error
			if to, link := strings.CutPrefix(content, "->"); link {
				err = os.Symlink(to, path)
			} else {
				err = os.WriteFile(path, []byte(content), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		// A described one has only names without a star on its way there.
		plain := coder
		plain.HomeEnv, plain.Transcript, plain.Store.Has = "CODER_HOME", "{home}/projects/-w/{session_id}.jsonl", []string{`"type":"user"`}
		reg, err := kinds.New([]kinds.Custom{plain})
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"claude", plain.Name} {
			k, _ := reg.Kind(kind)
			if got := k.Transcript(home, "/w", "a"); got != c.want {
				t.Errorf("%s, %s: %v, want %v", name, kind, got, c.want)
			}
		}
	}
}

// A word is found wherever it stands, also where a line is read in pieces; where only the
// beginning of each line is looked at, a longer one leaves the question open.
func TestNoTranscriptOfLongLines(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, ".gemini", "tmp", "p", "chats")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	k := kind(t, "gemini")
	const id = "1234abcd-0000-4000-8000-000000000000"
	check := func(what, text string, want agent.Transcript) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, "session-2026-11-30T10-00-1234abcd.jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := k.Transcript(home, "/w", id); got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	const user = `{"type":"user"}` + "\n"
	for before := 64<<10 - 60; before < 64<<10+60; before++ {
		check("at a border", `{"x":"`+strings.Repeat("x", before)+`","sessionId":"`+id+`"}`+"\n"+user, agent.HasTranscript)
	}
	check("behind a long line", `{"sessionId":"`+id+`"}`+"\n"+`{"x":"`+strings.Repeat("x", 64<<10)+`","type":"user"}`, agent.CannotTell)
	check("of another session", `{"sessionId":"1234abcd-1"}`+"\n"+strings.Repeat("x", 64<<10)+"\n"+user, agent.NoTranscript)
}
