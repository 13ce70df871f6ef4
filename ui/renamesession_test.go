package ui_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"

	"reprise/panes"
	"reprise/ui"
	"reprise/ui/alert"
)

// workspace is what a test's clients show. It takes every name but one.
type workspace struct {
	mu   sync.Mutex
	name string
	told func() // those who subscribed to Peers
	move func(panes.PaneID, ui.Destination) (*panes.Host, error)

	happened alert.Log
}

func (w *workspace) Happened() *alert.Log { return &w.happened }

func newWorkspace(name string) *workspace { return &workspace{name: name, told: func() {}} }

func (w *workspace) Name() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.name
}

func (w *workspace) Rename(_ context.Context, to string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if to == "taken" {
		return errors.New("there is a session taken already: take another name")
	}
	w.name = to
	w.told()
	return nil
}

func (w *workspace) MovePane(_ context.Context, p panes.PaneID, to ui.Destination) (*panes.Host, error) {
	return w.move(p, to)
}

func TestRenameSession(t *testing.T) {
	run(t, 1, func(c *client) {
		c.barHas(" reprise › 1 zsh ")
		c.press("ctrl+b", "$")
		c.sees("Rename session reprise", "❯", "enter rename   esc close")
		c.press("ctrl+u", "r", "e", "v", "i", "e", "w", "enter")
		c.settle()
		c.barHas(" review › 1 zsh ")
		c.press("ctrl+b", "$", "ctrl+u", "t", "a", "k", "e", "n", "enter")
		c.settle()
		c.sees("Could not rename the session: there is a session taken already: take another name")
		if got := c.workspace.Name(); got != "review" {
			t.Errorf("it is called %s", got)
		}
		c.press("ctrl+b", "$", "x", "esc")
		c.settle()
		if got := c.workspace.Name(); got != "review" {
			t.Errorf("after esc it is called %s", got)
		}
	})
}

// What another client, or the command line, calls the session all clients show, in
// the titles of their terminals, too.
func TestRenamedByAnother(t *testing.T) {
	var peers attached
	runWith(t, 1, func(cfg *ui.Config) { peers.set(self); cfg.Peers = &peers }, func(c *client) {
		c.workspace.told = func() { peers.set(self) }
		if err := c.workspace.Rename(t.Context(), "docs"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		c.barHas(" docs › 1 zsh ")
		if !bytes.Contains(c.out.all, []byte("\x1b]2;zsh - docs\x1b\\")) {
			t.Errorf("the terminal was not told the title: %q", c.out.last)
		}
	})
}

func TestReadOnlyRenamesNothing(t *testing.T) {
	runWith(t, 1, func(cfg *ui.Config) { cfg.ReadOnly = true }, func(c *client) {
		c.press("ctrl+b", "$")
		c.sees("This client only looks on")
	})
}
