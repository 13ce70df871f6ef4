package past

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
)

// laborious is a Database, and a reader of files, that is busy for longer than a silent
// disk is waited for, and gets on all the time.
type laborious struct{}

func labor(alive func()) {
	for range 6 {
		time.Sleep(20 * time.Second)
		alive()
	}
}

func (laborious) List(_ string, alive func()) ([]Listed, error) {
	labor(alive)
	return []Listed{{Session: "large", Mark: Mark{Time: 1}}}, nil
}

func (laborious) Read(_ string, _ []agent.SessionID, alive func()) ([]Conversation, error) {
	labor(alive)
	return []Conversation{{Identity: agent.Identity{Session: "large"}, Used: time.Unix(1, 0)}}, nil
}

func (l laborious) read(path string, alive func()) ([]Conversation, error) {
	return l.Read(path, nil, alive)
}

// What takes long to read is read to its end: its disk answers.
func TestWhatTakesLongIsRead(t *testing.T) {
	for name, store := range map[string]Store{
		"a database": InDatabase("other", laborious{}, "", "other", "all.db"),
		"a file":     {Kind: "other", folder: ".local/share/other", path: []string{"*.db"}, read: laborious{}.read},
	} {
		home := t.TempDir()
		at := filepath.Join(home, ".local/share/other")
		if err := errors.Join(os.MkdirAll(at, 0o700), os.WriteFile(filepath.Join(at, "all.db"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			index, stores := memory{}, []Store{store}
			stats, err := Refresh(context.Background(), index, stores, Sources(stores, home, noEnv, nil), nil)
			if err != nil || stats.Failed != 0 || len(index.sessions()) != 1 {
				t.Errorf("%s: %+v, %v, found %v", name, stats, err, index.sessions())
			}
		})
	}
}

// The readers say of each piece of a file that they got on.
func TestReadersGetOn(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	said := `{"type":"user","sessionId":"` + id + `","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"hello"}}` + "\n"
	tool := `{"type":"x","of":"` + strings.Repeat("x", 1000) + `"}` + "\n"
	for name, c := range map[string]struct {
		file, text string
		read       func(string, func()) ([]Conversation, error)
		size       int // of what is read of it, at least
	}{
		"lines":    {id + ".jsonl", strings.Repeat(tool, 1500) + said + strings.Repeat(tool, 1500), reader(claudeLine, named("")), 2_500_000},
		"one line": {id + ".jsonl", strings.Repeat("x", 1_500_000) + "\n" + said, reader(claudeLine, named("")), 1_500_000},
		"a value": {
			"T-" + id + ".json", `{"more":"` + strings.Repeat("x", 1_500_000) + `","messages":[{"role":"user","content":"hello"}]}`,
			readAmp, 1_500_000,
		},
	} {
		path := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		moves := 0
		all, err := c.read(path, func() { moves++ })
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %v", name, all, err)
		}
		if moves < c.size/pieceMax {
			t.Errorf("%s: got on %d times in %d bytes", name, moves, c.size)
		}
	}
}
