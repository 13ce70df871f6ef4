package panes_test

import (
	"testing"

	"reprise/panes"
)

func TestClipping(t *testing.T) {
	const set = `printf '\033]52;c;aGVsbG8=\007done'`
	term := start(t, hostWith(t, panes.HostOptions{Clipboard: true}), "sh", "-c", set)
	waitText(t, term, "done")
	if c := term.Clipping(); string(c.Text) != "hello" || c.N != 1 {
		t.Errorf("clipping %q, %d times", c.Text, c.N)
	}
	term = start(t, newHost(t), "sh", "-c", set)
	waitText(t, term, "done")
	if c := term.Clipping(); c.N != 0 {
		t.Errorf("clipping %q where it is not allowed", c.Text)
	}
}
