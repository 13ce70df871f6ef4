package panes_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"reprise/panes"
	"reprise/panes/vt"
)

// What a pane showed in an earlier life is there until a terminal comes.
func TestShowPast(t *testing.T) {
	h := newHost(t)
	p := firstPane(t, h)
	h.SetSize("a", p, panes.Size{Cols: 40, Rows: 5})
	lines := panes.Restored{Text: []byte("one\ntwo\n"), Size: h.PaneSize(p), Screen: true}.Stream()
	since := time.Unix(1_800_000_000, 0)
	if !h.ShowPast(p, "old", since, lines) {
		t.Fatal("not shown")
	}
	if h.ShowPast(p, "older", since, lines) || h.ShowPast("none", "older", since, lines) {
		t.Error("shown in the place of another, or nowhere")
	}
	past := h.Shown(p)
	if got := string(past.Text(vt.Text{})); got != "one\ntwo\n" {
		t.Errorf("it shows %q", got)
	}
	if _, at, ended := past.Exit(); !ended || !at.Equal(since) {
		t.Errorf("ended %v at %v", ended, at)
	}
	if err := past.Send([]byte("x")); !errors.Is(err, panes.ErrEnded) {
		t.Errorf("typed at: %v", err)
	}
	if len(h.Terminals()) != 0 || h.Terminal("old") != nil {
		t.Error("it counts as a terminal")
	}
	h.SetSize("a", p, panes.Size{Cols: 30, Rows: 4})
	if got := past.Size(); got.Cols != 30 {
		t.Errorf("its size is %v", got)
	}
	next := startClosed(t, h, panes.Spec{Argv: []string{"true"}, Pane: p})
	if !h.Point(p, next.ID()) || h.Shown(p) != next {
		t.Error("it does not give way")
	}
	if s := string(lines); strings.Contains(s, "─") {
		t.Errorf("without words there is a divider: %q", s)
	}
}
