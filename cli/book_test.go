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
	for _, v := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"} {
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

// The databases of hermes and Cursor, each where it lies, are among what is listed.
func TestSessionsOfDatabases(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("REPRISE_HOME", filepath.Join(home, "reprise"))
	for _, v := range []string{"XDG_CONFIG_HOME", "CURSOR_CONFIG_DIR", "HERMES_HOME"} {
		t.Setenv(v, "")
	}
	write := func(path, statements string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		pool, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		if _, err := pool.Exec(statements); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(home, ".hermes", "state.db"), `
		CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, parent_session_id TEXT, started_at REAL, ended_at REAL, cwd TEXT);
		CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL);
		INSERT INTO sessions VALUES ('20260927_1', 'cli', NULL, 1790000000, NULL, '/w');
		INSERT INTO messages VALUES (1, '20260927_1', 'user', 'a zebra', 1790000000)`)
	message := strings.Repeat("ab", 32)
	chat := func(words string) string {
		return fmt.Sprintf(`CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
			INSERT INTO blobs VALUES ('%[1]s', CAST('{"role":"user","content":"%[2]s"}' AS BLOB)), ('ff', x'0a20%[1]s');
			INSERT INTO meta VALUES ('0', hex('{"latestRootBlobId":"ff"}'))`, message, words)
	}
	chats := filepath.Join("chats", "0123456789abcdef0123456789abcdef")
	write(filepath.Join(home, ".cursor", chats, "11111111-aaaa", "store.db"), chat("an otter"))
	config := filepath.Join(home, "config")
	write(filepath.Join(config, "cursor", chats, "22222222-bbbb", "store.db"), chat("a mole"))
	got := sessionsSay(t, "sessions", "--all")
	for _, want := range []string{"hermes", "a zebra", "cursor-agent", "an otter"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	t.Setenv("XDG_CONFIG_HOME", config)
	if got := sessionsSay(t, "sessions", "--all"); !strings.Contains(got, "a mole") || strings.Count(got, "an otter") != 1 {
		t.Errorf("with a folder of configuration:\n%s", got)
	}
}

// An agent of the person's own whose files have a known form is among what is listed.
func TestSessionsOfAnOwnAgent(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("REPRISE_HOME", filepath.Join(home, "reprise"))
	config := filepath.Join(home, "reprise", "config", "config.toml")
	chats := filepath.Join(home, ".coder", "chats")
	for _, dir := range []string{chats, filepath.Dir(config)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, config, "[agents.coder]\ncommand = 'coder'\nresume_args = ['-r', '{session_id}']\nhome = '~/.coder'\n"+
		"transcript = '{home}/chats/{session_id}.log'\nformat = 'claude'\n")
	write(t, filepath.Join(chats, "a1.log"), `{"type":"user","cwd":"/w","message":{"content":"mend the parser"}}`+"\n")
	write(t, filepath.Join(chats, "--yolo.log"), `{"type":"user","cwd":"/w","message":{"content":"mend nothing"}}`+"\n")
	got := sessionsSay(t, "sessions", "--all")
	if !strings.Contains(got, "coder") || !strings.Contains(got, "mend the parser") || strings.Contains(got, "mend nothing") {
		t.Errorf("%q", got)
	}
}
