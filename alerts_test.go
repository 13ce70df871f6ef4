package main

import (
	"errors"
	"testing"
)

// bells is how often the terminal was rung.
func (c *client) bells() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.emu.State().Bells
}

// What a program calls for reaches the person's terminal, and what an agent does out
// of sight is said, by its hooks.
func TestWhatHappensOutOfSightIsTold(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach()
	c.wait(sh)
	c.send(`printf '\a'` + "\r")
	eventually(t, func() error {
		if c.bells() == 0 {
			return errors.New("the terminal is not rung")
		}
		return nil
	})
	h.verb("tab", "--name", "work", "standin", "codeword TERN-1")
	c.wait(`standin is done in tab 2`)
	c.wait(`^ proj › 1 sh  2 work ✓ `)
	c.send("\x02~")
	c.wait(`✓ done +standin is done in tab 2`)
	c.send("\r")
	c.wait("noted")
	c.gone("2 work ✓")
}

// What nobody has seen is not seen by an upgrade, and the list of what happened stays.
func TestUpgradeKeepsWhatHappened(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach()
	c.wait(sh)
	h.verb("tab", "--name", "work", "standin", "codeword TERN-2")
	c.wait(`^ proj › 1 sh  2 work ✓ `)
	if out, err := h.command(h.otherBuild(), "upgrade"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.types("echo after $((40+2))\r", "after 42")
	c.wait(`^ proj › 1 sh  2 work ✓ `)
	c.send("\x02~")
	c.wait(`✓ done +standin is done in tab 2`)
}
