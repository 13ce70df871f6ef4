package panes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"reprise/panes"
)

// startedWith is the environment that a program gets.
func startedWith(t *testing.T, h *panes.Host) []string {
	t.Helper()
	dir := t.TempDir()
	term := startClosed(t, h, panes.Spec{Argv: []string{"/bin/sh", "-c", "/usr/bin/env > env"}, Dir: dir})
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	waitDone(t, term)
	b, err := os.ReadFile(filepath.Join(dir, "env"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(b), "\n")
}

func TestEnviron(t *testing.T) {
	t.Setenv("MINE", "1")
	const sock = "SSH_AUTH_SOCK=/run/a"
	type want map[string]bool
	tests := []struct {
		name    string
		environ []string
		changes [][]string
		want    want
	}{
		{"the process's own", nil, nil, want{"MINE=1": true}},
		{"given", []string{"GIVEN=1", "GIVEN=2"}, nil, want{"MINE=1": false, "GIVEN=2": true, "GIVEN=1": false}},
		{"empty", []string{}, nil, want{"MINE=1": false, "TERM=xterm-256color": true}},
		{"its own, changed", nil, [][]string{{sock}, {"DISPLAY=:1"}}, want{"MINE=1": true, sock: true, "DISPLAY=:1": true}},
		{"changed twice", []string{sock}, [][]string{{"SSH_AUTH_SOCK=/run/b"}, {"X=1", "SSH_AUTH_SOCK=/run/c"}}, want{sock: false, "SSH_AUTH_SOCK=/run/c": true, "X=1": true}},
		{"unset", []string{sock, "Y=1"}, [][]string{{"SSH_AUTH_SOCK", "MISSING"}}, want{sock: false, "Y=1": true, "SSH_AUTH_SOCK=": false, "MISSING=": false}},
		{"all unset", []string{"Y=1"}, [][]string{{"Y"}}, want{"Y=1": false, "MINE=1": false}},
		{"not possible", []string{"Y=1"}, [][]string{{"A\x00B=1", "C=1\x00", "=1", "", "\x00", "Y=2"}}, want{"Y=2": true}},
		{"not inherited", []string{"Y=1"}, [][]string{{"TMUX=/tmp/x", "REPRISE_NONCE=forged"}}, want{"TMUX=/tmp/x": false, "REPRISE_NONCE=forged": false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := hostWith(t, panes.HostOptions{Environ: tt.environ})
			for _, c := range tt.changes {
				h.SetEnviron(c)
			}
			got := startedWith(t, h)
			for kv, is := range tt.want {
				if slices.ContainsFunc(got, func(e string) bool { return e == kv || strings.HasSuffix(kv, "=") && strings.HasPrefix(e, kv) }) != is {
					t.Errorf("%s: want %v in\n%s", kv, is, strings.Join(got, "\n"))
				}
			}
		})
	}
}

// What a host was given or gave away is not shared with it.
func TestEnvironIsCopied(t *testing.T) {
	given := []string{"A=1"}
	h := panes.NewHost(panes.HostOptions{Environ: given})
	given[0] = "A=2"
	h.Environ()[0] = "A=3"
	changes := []string{"B=1"}
	h.SetEnviron(changes)
	changes[0] = "B=2"
	if got := h.Environ(); !slices.Equal(got, []string{"A=1", "B=1"}) {
		t.Errorf("it is %q", got)
	}
}

func TestEnvironConcurrent(t *testing.T) {
	h := newHost(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				h.SetEnviron([]string{fmt.Sprintf("V%d=%d", i, j)})
				_ = h.Environ()
			}
			if _, err := h.Start(t.Context(), panes.Spec{Argv: []string{"true"}, Dir: "/"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 8 {
		if want := fmt.Sprintf("V%d=49", i); !slices.Contains(h.Environ(), want) {
			t.Errorf("%s is lost", want)
		}
	}
}
