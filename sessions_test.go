package main

import (
	"testing"
)

// The palette goes to panes of other sessions of the server: the client stays on its
// terminal, and belongs to the session that it shows.
func TestPaletteJumpsBetweenSessions(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach()
	c.wait(sh)
	h.verb("new", "-d", "-s", "other")
	h.verb("send", "-s", "other", "echo marker-$((40+2))", "--key", "enter")
	c.send("\x02:other\r")
	c.wait(`^ other › 1 `)
	c.wait("marker-42")
	h.listed(func(all []listed) bool {
		return len(all) == 2 && len(all[0].Clients)+len(all[1].Clients) == 1
	})
	c.send("echo typed-$((1+1))\r")
	c.wait("typed-2")
	c.send("\x02:proj\r")
	c.wait(`^ proj › 1 `)
	c.send("\x02:marker-42")
	c.wait(`text +\S+ :\d+ .*marker-42`)
	c.send("\r")
	c.wait(`copy .* 1 of 1 +line \d+ of`)
	c.send("q")
	c.wait(`^ other › 1 `)
	c.send("\x02d")
	c.wait("detached from other")
}
