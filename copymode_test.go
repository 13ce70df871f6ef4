package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// What scrolled away is found, copied and pasted into the shell again, by keys and
// by the mouse.
func TestCopyMode(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start()
	c.types("\r", `^\$`)
	c.says("seq 1 500", `^500\n\$`)
	c.gone(`^42$`)

	c.send("\x02[")
	c.wait(`^ copy  .*q leave +line 50\d of 50\d$`)
	c.send("?^4.$")
	c.wait(`^ copy  \?\^4\.\$ .*10 of 10 `)
	c.send("\rNNnn7n")
	c.wait(`^ copy  / search.* 3 of 10   line \d+ of 50\d$`)
	c.wait(`^42$`)
	c.send("Vjy")
	c.wait(`Copied 2 lines`)
	c.wait(`^500\n\$`) // the program's screen again

	c.says("cat >copied", `^\$ cat >copied$`)
	c.send("\x02]")
	c.wait(`Paste 2 lines\?`) // cat does not ask for marks round a paste
	c.send("y")
	c.wait(`^42\n43`)
	c.send("\r\x04")
	copied := filepath.Join(h.project, "copied")
	eventually(t, func() error {
		b, err := os.ReadFile(copied)
		if err == nil && string(b) != "42\n43\n" {
			err = fmt.Errorf("pasted %q", b)
		}
		return err
	})

	// The wheel shows what was before and, at the end of it, the screen again.
	c.send("\x1b[<64;10;5M\x1b[<64;10;5M")
	c.wait(`^ copy `)
	c.send("\x1b[<65;10;5M\x1b[<65;10;5M")
	c.gone(`^ copy `)
	c.says(`printf '\033[H\033[2J'; echo ALPHA''-9 omega`, `^ALPHA-9 omega`)
	c.send("\x1b[<0;13;1M\x1b[<0;13;1m\x1b[<0;13;1M\x1b[<0;13;1m") // a double click
	c.wait(`Copied 5 characters`)
	c.send("echo at-the-")
	c.send("\x02]")
	c.wait(`^\$ echo at-the-omega`)
	c.send("\r")
	c.wait(`^at-the-omega`)
}
