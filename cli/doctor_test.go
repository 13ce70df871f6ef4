package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/db"
	"reprise/server"
)

// golden compares with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (run with -update): %s", path, diff)
	}
}

// newPatient is one in whom all is well: a modern terminal, one agent, no server.
func newPatient(t *testing.T) patient {
	t.Helper()
	home := t.TempDir()
	plant(t, filepath.Join(home, "bin", "claude"), "#!/bin/sh\n", 0o755)
	plant(t, filepath.Join(home, ".config", "config.toml"), "after_exit = 'hold'\n", 0o600)
	return patient{
		paths: paths{state: filepath.Join(home, "state"), config: filepath.Join(home, ".config", "config.toml")},
		env:   []string{"HOME=" + home, "PATH=" + filepath.Join(home, "bin"), "TERM=xterm-kitty", "LANG=C.UTF-8"},
		dir:   home, build: "b1", colours: "16 million",
		terminal: answering(server.Size{Cols: 120, Rows: 34}, kittyAnswer),
		logout:   func(context.Context) string { return "" },
		free:     func(string) (uint64, error) { return 3 << 30, nil },
		run:      func(context.Context, []string) (string, error) { return "2.1.197 (Claude Code)\n", nil },
	}
}

func plant(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

const kittyAnswer = "\x1b[?0u\x1b[?1004;2$y\x1b[?2004;1$y\x1b[?2026;2$y\x1bP>|kitty(0.42.1)\x1b\\\x1bP1+r4d73=abc\x1b\\\x1b[7;2R\x1b[?62;c"

func answering(size server.Size, answer string) func(string, func([]byte) bool) ([]byte, server.Size, error) {
	return func(_ string, enough func([]byte) bool) ([]byte, server.Size, error) {
		for n := range len(answer) {
			if enough([]byte(answer[:n])) {
				return []byte(answer[:n]), size, nil
			}
		}
		return []byte(answer), size, nil
	}
}

// printed is a diagnosis as a person reads it, without what differs by run.
func printed(t *testing.T, p patient, ascii bool) (string, diagnosis) {
	t.Helper()
	d := examine(t.Context(), p)
	var b bytes.Buffer
	if err := printDiagnosis(&b, d, ascii); err != nil {
		t.Fatal(err)
	}
	// Which kinds there are is not our affair.
	text, tail, ok := strings.Cut(b.String(), "not in PATH: ")
	if _, end, _ := strings.Cut(tail, "\n"); ok {
		text += "not in PATH: …\n" + end
	}
	return strings.ReplaceAll(text, p.dir, "HOME"), d
}

func TestDoctorOfSoundOne(t *testing.T) {
	got, d := printed(t, newPatient(t), false)
	golden(t, "doctor-sound.txt", got)
	if !d.OK {
		t.Error("it finds something wrong")
	}
}

func TestDoctorOfSickOne(t *testing.T) {
	p := newPatient(t)
	plant(t, p.paths.config, "mous = 'on'\n", 0o600)
	plant(t, filepath.Join(p.paths.state, db.File), strings.Repeat("x", 5000), 0o600)
	plant(t, filepath.Join(p.paths.state, db.File+".damaged-1"), "", 0o600)
	plant(t, filepath.Join(p.paths.state, "run", "x"), "", 0o600)
	for _, dir := range []string{p.paths.state, filepath.Join(p.paths.state, "run")} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.env = append(p.env, "TERM=dumb", "TMUX=/tmp/tmux")
	p.colours = ""
	p.terminal = answering(server.Size{Cols: 20, Rows: 5}, "")
	p.logout = func(context.Context) string { return "This login ends what it started. To mend that, enable lingering" }
	p.free = func(string) (uint64, error) { return 1 << 20, nil }
	p.run = func(context.Context, []string) (string, error) {
		return "", errors.New("exit status 127: \x1b[31mnode is missing")
	}
	got, d := printed(t, p, true)
	golden(t, "doctor-sick.txt", got)
	var b bytes.Buffer
	if err := printJSON(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"ok": false`, `"part": "state"`, `"state": "wrong"`, `"do": "run chmod 700 `} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("its JSON has no %s: %s", want, &b)
		}
	}
	if d.OK {
		t.Error("it finds nothing wrong")
	}
}

func TestDoctorWithoutATerminal(t *testing.T) {
	p := newPatient(t)
	p.terminal = func(string, func([]byte) bool) ([]byte, server.Size, error) {
		return nil, server.Size{}, errors.New("no terminal")
	}
	got, d := printed(t, p, false)
	if !d.OK || !strings.Contains(got, "no terminal, so none was asked") {
		t.Errorf("%v: %s", d.OK, got)
	}
}

// A person's own program is never run; who calls us only by hooks of theirs is not said
// to call us.
func TestDoctorOfAgents(t *testing.T) {
	p := newPatient(t)
	bin := filepath.Join(p.dir, "bin")
	for _, name := range []string{"kimi", "coder", "hooky"} {
		plant(t, filepath.Join(bin, name), "#!/bin/sh\n", 0o755)
	}
	plant(t, p.paths.config, `
[agents.coder]
command = "coder"
new_args = ["--id", "{session_id}"]
resume_args = ["--resume", "{session_id}"]

[agents.hooky]
command = "hooky"
resume_args = ["--resume", "{session_id}"]
hooks = "claude-settings:--settings"
`, 0o600)
	var mu sync.Mutex
	var ran []string
	p.run = func(_ context.Context, argv []string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, filepath.Base(argv[0]))
		return "1.0", nil
	}
	got, _ := printed(t, p, false)
	slices.Sort(ran)
	if want := []string{"claude", "kimi"}; !slices.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	for _, want := range []string{
		"1.0 at ~/bin/claude, can be resumed, calls our hooks\n",
		"1.0 at ~/bin/kimi, can be resumed, its state is guessed unless hooks of yours run $REPRISE_HOOK\n",
		"~/bin/coder, not asked for its version, can be resumed, its state is guessed unless hooks of yours run $REPRISE_HOOK\n",
		"~/bin/hooky, not asked for its version, can be resumed, calls our hooks\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
}

func TestDoctorOfAnOpenDatabase(t *testing.T) {
	p := newPatient(t)
	d, err := db.Open(t.Context(), p.paths.state, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	got, all := printed(t, p, false)
	if !all.OK || !strings.Contains(got, "database     sound, ") || !strings.Contains(got, "unsettled    nothing") {
		t.Errorf("%v: %s", all.OK, got)
	}
}

func TestReadAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		said string
		want terminalAnswers
	}{
		"nothing":                   {"", terminalAnswers{}},
		"a modern one":              {kittyAnswer, terminalAnswers{name: "kitty(0.42.1)", kitty: true, writes52: true, column: 2, last: true, modes: map[string]bool{"1004": true, "2004": true, "2026": true}}},
		"keys typed meanwhile":      {"ab\x1b[A\x1b[3;3Rq\x1b[?1;2c", terminalAnswers{column: 3, last: true}},
		"modes that it lacks":       {"\x1b[?2026;0$y\x1b[?1004;4$y\x1b[?9999;1$y", terminalAnswers{modes: map[string]bool{"2026": false, "1004": false}}},
		"clipboard among its parts": {"\x1b[?62;4;52c", terminalAnswers{writes52: true, last: true}},
		"hostile":                   {"\x1b[999999999999999999;2R\x1bP>|a\x01b\u202e\xff\x1b\\\x1b[?;;;c\x1b[?$y\x1b", terminalAnswers{name: "ab", column: 2, last: true}},
	} {
		got := readAnswers([]byte(c.said))
		if len(got.modes) == 0 {
			got.modes = nil
		}
		if got.name != c.want.name || got.kitty != c.want.kitty || got.writes52 != c.want.writes52 || got.column != c.want.column || got.last != c.want.last || !cmp.Equal(got.modes, c.want.modes) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func FuzzReadAnswers(f *testing.F) {
	f.Add(kittyAnswer)
	f.Add("\x1bP>|\x1b[?c\x1b[;R")
	f.Fuzz(func(t *testing.T, s string) {
		if a := readAnswers([]byte(s)); strings.ContainsFunc(a.name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("%q", a.name)
		}
	})
}
