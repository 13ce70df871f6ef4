package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// keep writes a conversation as claude does.
func keep(t *testing.T, home, id, dir, first string, used time.Time) {
	t.Helper()
	path := filepath.Join(home, ".claude", "projects", strings.ReplaceAll(dir, "/", "-"), id+".jsonl")
	line := func(who, text string) string {
		return fmt.Sprintf(`{"type":%q,"cwd":%q,"timestamp":%q,"message":{"content":%q}}`+"\n", who, dir, used.Format(time.RFC3339), text)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(line("user", first)+line("assistant", "it is a zebra")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// sessionsSay is what a command prints; in a home of the test's own.
func sessionsSay(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	c := rootCommand()
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	if err := c.ExecuteContext(t.Context()); err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String()
}

func TestSessions(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("REPRISE_HOME", filepath.Join(home, "reprise"))
	for _, v := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(v, "")
	}
	here := filepath.Join(home, "w", "api")
	if err := os.MkdirAll(here, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	if got := sessionsSay(t, "sessions"); got != "no past session is found\n" {
		t.Errorf("none: %q", got)
	}
	now := time.Now()
	keep(t, home, "11111111-aaaa", here, "mend the parser\nand more", now.Add(-49*time.Hour))
	keep(t, home, "22222222-bbbb", filepath.Join(here, "deep"), "write tests", now.Add(-3*time.Hour))
	keep(t, home, "33333333-cccc", "/elsewhere", "release notes", now.Add(-26*time.Hour))
	for _, c := range []struct{ args, want string }{
		{"", "  …222-bbbb  claude  3h   write tests\n  …111-aaaa  claude  2 d  mend the parser and more\n"},
		{"--dir deep", "  …222-bbbb  claude  3h  write tests\n"},
		{"--dir /nowhere", "no past session was held in /nowhere: reprise sessions --all lists 3 others\n"},
		{"-n 1", "  …222-bbbb  claude  3h  write tests\n1 more: give words to find, or -n for how many\n"},
		{"parser", "  …111-aaaa  claude  2 d  mend the parser and more\n"},
		{"notes", "no past session is found\n"},
		{"--all notes", "  …333-cccc  claude  1 d  release notes  /elsewhere\n"},
		{"--all zebr", "  …222-bbbb  claude  3h   write tests"},
		{"--all", "~/w/api/deep\n  …222-bbbb  claude  3h  write tests\n/elsewhere\n  …333-cccc  claude  1 d  release notes\n~/w/api\n"},
	} {
		got := sessionsSay(t, append([]string{"sessions"}, strings.Fields(c.args)...)...)
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q:\n%s\nwant\n%s", c.args, got, c.want)
		}
	}
	var all []pastInfo
	if err := json.Unmarshal([]byte(sessionsSay(t, "sessions", "--json", "mend")), &all); err != nil || len(all) != 1 {
		t.Fatalf("%v: %+v", err, all)
	}
	one := all[0]
	if one.Session != "11111111-aaaa" || one.Agent != "claude" || one.Dir != here || one.First != "mend the parser\nand more" ||
		one.Last != "it is a zebra" || one.Own || one.State != "past" || one.Used.Unix() != now.Add(-49*time.Hour).Unix() {
		t.Errorf("%+v", one)
	}
	index := filepath.Join(home, "reprise", "cache", "past.db")
	if _, err := os.Stat(index); err != nil {
		t.Error(err)
	}
	t.Setenv("REPRISE_HISTORY", "off")
	if got := sessionsSay(t, "sessions", "--all"); got != "no past session is found\n" {
		t.Errorf("off: %q", got)
	}
	if left, err := os.ReadDir(filepath.Dir(index)); err != nil || len(left) > 0 {
		t.Errorf("off, but what was read stays: %v, %v", left, err)
	}
}
