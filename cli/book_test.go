package cli

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An index whose damage is found only when it is read is made anew, and tells all.
func TestDamagedIndex(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("REPRISE_HOME", filepath.Join(home, "reprise"))
	for _, v := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME", "XDG_DATA_HOME"} {
		t.Setenv(v, "")
	}
	const n = 40
	for i := range n {
		keep(t, home, fmt.Sprintf("1111%04d-aaaa", i), "/w", strings.Repeat("mend the parser ", 50), time.Now())
	}
	list := func() int { return strings.Count(sessionsSay(t, "sessions", "--all"), "claude") }
	if got := list(); got != n {
		t.Fatalf("%d sessions", got)
	}
	index := filepath.Join(home, "reprise", "cache", "past.db")
	b, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	copy(b[page:], bytes.Repeat([]byte{0xa5}, len(b)-page)) // its first page says that all is well
	if err := os.WriteFile(index, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := list(); got != n {
		t.Errorf("%d sessions of a damaged index", got)
	}
}

// opencode's own database is among what is listed.
func TestSessionsOfOpenCode(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("REPRISE_HOME", filepath.Join(home, "reprise"))
	t.Setenv("XDG_DATA_HOME", filepath.Join(home, "data"))
	dir := filepath.Join(home, "data", "opencode")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	seen, err := os.ReadFile("../db/stores/testdata/opencode.sql")
	if err != nil {
		t.Fatal(err)
	}
	pool, err := sql.Open("sqlite", filepath.Join(dir, "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(string(seen)); err != nil {
		t.Fatal(err)
	}
	got := sessionsSay(t, "sessions", "--all", "remember")
	if !strings.Contains(got, "opencode") || !strings.Contains(got, "remember codeword ZEBRA-17") {
		t.Errorf("%q", got)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if got := sessionsSay(t, "sessions", "--all"); got != "no past session is found\n" {
		t.Errorf("its database is gone: %q", got)
	}
}
