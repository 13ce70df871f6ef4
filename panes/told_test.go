package panes_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"reprise/panes"
	"reprise/panes/vt"
)

// What a program tells its terminal of itself is told on when it changes, the last of
// it at least; what a terminal of old was told is not.
func TestWhatProgramsTellOfThemselves(t *testing.T) {
	var (
		mu  sync.Mutex
		all []panes.Told
	)
	h := hostWith(t, panes.HostOptions{Told: func(told panes.Told) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, told)
	}})
	const same = `\033]0;one\a text \a`
	term := startClosed(t, h, panes.Spec{
		Pane:    "p1",
		Argv:    []string{"printf", strings.Repeat(same, 4000) + `\033]2;a\001b\a\033]7501;state=blocked:kind=permission:app=x\033\\`},
		History: []byte("old\x1b]2;of old\a\x1b]7501;state=working\a\r\n"),
	})
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	waitDone(t, term)
	mu.Lock()
	defer mu.Unlock()
	want := panes.Told{Terminal: term.ID(), Title: "ab", Status: vt.Status{State: "blocked", App: "x", Kind: "permission"}}
	if len(all) == 0 || len(all) > 3 || all[len(all)-1] != want || term.Told() != want {
		t.Errorf("told %d times, at last %+v; it says %+v, want %+v", len(all), all[max(0, len(all)-1):], term.Told(), want)
	}
	if slices.ContainsFunc(all, func(told panes.Told) bool { return strings.Contains(told.Title, "old") }) {
		t.Errorf("told %+v", all)
	}
}
