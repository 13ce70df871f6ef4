package ui_test

import (
	"fmt"
	"testing"
	"time"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui"
)

// counted counts how often a screen is copied, which takes its terminal's lock.
type counted struct {
	*emulator
	copies *int
}

func (c counted) Snapshot(s *vt.Screen) {
	*c.copies++
	c.emulator.Snapshot(s)
}

// A key's echo is shown before the frame of a neighbour that floods, and without a turn
// of the neighbour's: its screen is copied 60 times a second, however much is typed and
// printed, and its output does not wake who waits for the echo.
func TestAnEchoCostsAFloodingNeighbourNothing(t *testing.T) {
	var copies []*int
	emulate := func(s panes.Size, _ func([]byte)) panes.Emulator {
		c := counted{&emulator{cols: s.Cols, rows: s.Rows}, new(int)}
		copies = append(copies, c.copies)
		return c
	}
	runOn(t, 2, emulate, func(*ui.Config) {}, func(c *client) {
		c.wait(time.Second)
		own, other, writes, updates := *copies[0], *copies[1], c.out.writes, c.updates
		const keys, printed = 100, 50
		for i := range keys {
			time.Sleep(10 * time.Millisecond)
			c.press("k")
			for range printed {
				c.programs[1].out <- []byte("x\n")
				c.drain()
			}
			c.programs[0].out <- fmt.Appendf(nil, "echo %d\n", i)
			c.drain()
		}
		const frames = 60 + 4 // of a second
		if n := *copies[1] - other; n > frames {
			t.Errorf("the neighbour's screen was copied %d times in a second", n)
		}
		if n := *copies[0] - own; n != keys {
			t.Errorf("the pane's screen was copied %d times for %d echoes", n, keys)
		}
		if n := c.out.writes - writes; n > keys+frames {
			t.Errorf("%d writes for %d echoes and a second of frames", n, keys)
		}
		// A key, its echo and its write; a wake, a pace and a write of each frame.
		if n := c.updates - updates; n > 3*keys+4*frames {
			t.Errorf("%d messages for %d keys: the neighbour's %d lines wake the client", n, keys, keys*printed)
		}
	})
}

// A key that changes something of this client is answered at once, also while
// frames are held back; one that changes nothing makes no frame.
func TestOnlyAKeyThatChangesSomethingIsAFrame(t *testing.T) {
	run(t, 2, func(c *client) {
		c.wait(time.Second)
		flood := func() {
			for range 20 { // more than frames may be ahead
				c.programs[1].out <- []byte("x\n")
				c.drain()
			}
		}
		flood()
		was := c.out.writes
		c.press("k")
		if n := c.out.writes - was; n != 0 {
			t.Errorf("%d writes for a key whose echo has not come", n)
		}
		focus := c.m.Focus()
		c.press("ctrl+b")
		if c.out.writes == was {
			t.Error("the prefix is not shown at once")
		}
		flood()
		c.press("o")
		if c.m.Focus() == focus {
			t.Fatal("the focus did not move")
		}
		if c.out.writes == was+1 {
			t.Error("the focus is not shown at once")
		}
	})
}
