package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// pastes lets the terminal paste pieces, as one paste.
func (c *client) pastes(pieces ...string) {
	c.t.Helper()
	c.event(pump.Event{Paste: true, Start: true})
	for _, s := range pieces {
		c.event(pump.Event{Paste: true, Raw: []byte(s)})
	}
	c.event(pump.Event{Paste: true, End: true})
}

func TestLinesArePastedUnaskedOnlyWhereTheyAreNoKeys(t *testing.T) {
	for _, tt := range []struct {
		name    string
		program string // prints this first
		unasked bool
		pieces  []string
		asks    string // the question; "" for none
		sent    string // at last
	}{
		{"a word", "", false, []string{"wo", "rd"}, "", "word"},
		{"lines", "", false, []string{"one\ntwo"}, "Paste 2 lines?", "one\rtwo"},
		{"lines of three kinds", "", false, []string{"one\r\n", "two\rthree\n", "four"}, "Paste 4 lines?", "one\rtwo\rthree\rfour"},
		{"a line with its end", "", false, []string{"reboot\n"}, "Paste 1 line and enter?", "reboot\r"},
		{"lines, unasked", "", true, []string{"one\ntwo"}, "", "one\rtwo"},
		{"lines for who asked for marks", "paste\n", false, []string{"one\ntwo"}, "", "\x1b[200~one\ntwo\x1b[201~"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runWith(t, 1, func(cfg *ui.Config) { cfg.PasteUnasked = tt.unasked }, func(c *client) {
				if tt.program != "" {
					c.programs[0].out <- []byte(tt.program)
					c.settle()
				}
				c.pastes(tt.pieces...)
				if tt.asks != "" {
					c.sees(tt.asks, "y paste   n drop")
					if got := c.programs[0].typed(); got != "" {
						t.Errorf("unasked the program was sent %q", got)
					}
					c.press("enter", "x")
					c.sees(tt.asks)
					c.press("y")
				}
				c.misses("Paste ")
				if got := c.programs[0].typed(); got != tt.sent {
					t.Errorf("the program was sent %q, want %q", got, tt.sent)
				}
			})
		})
	}
}

func TestThePasteQuestion(t *testing.T) {
	run(t, 2, func(c *client) {
		c.pastes("\x1b[31mrm -rf\x00 ~/tmp\u202e\t#"+strings.Repeat("x", 500), "\nsecond")
		c.sees("Paste 2 lines?", "First line: [31mrm -rf ~/tmp", "#xxxx", "zsh takes each line as if it were typed, with enter at its end.")
		c.misses("second", "\u202e")
		c.press("n")
		c.misses("Paste 2 lines?")
		c.pastes("a\nb")
		c.press("esc")
		c.misses("Paste 2 lines?")
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("the program was sent %q", got)
		}
		// What comes while the question stands is for nobody.
		c.pastes("a\nb")
		c.pastes("c\nd")
		c.press("y")
		if got := c.programs[0].typed(); got != "a\rb" {
			t.Errorf("the program was sent %q", got)
		}
		// The program asks for marks meanwhile, or ends.
		c.pastes("a\nb")
		c.programs[0].out <- []byte("paste\n")
		c.settle()
		c.press("y")
		if got := c.programs[0].typed(); got != "\x1b[200~a\nb\x1b[201~" {
			t.Errorf("the program was sent %q", got)
		}
		c.press("ctrl+b", "o")
		c.pastes("a\nb")
		c.host.Close(c.m.Focus())
		c.settle()
		c.press("y")
		c.sees("Nothing was pasted: the program it was for has ended.")
		if got := c.programs[1].typed(); got != "" {
			t.Errorf("the other program was sent %q", got)
		}
	})
}

// 100 MiB for a program that reads nothing: keys do what they did, few frames are
// drawn, and what was pasted is where it was.
func TestALongPasteBlocksNothing(t *testing.T) {
	run(t, 1, func(c *client) {
		c.programs[0].out <- []byte("paste\n")
		c.settle()
		p := c.programs[0]
		p.mu.Lock()
		p.stuck = true
		p.mu.Unlock()
		piece := make([]byte, pump.MaxPiece)
		writes := c.out.writes
		c.event(pump.Event{Paste: true, Start: true})
		const pieces = 100 << 20 / pump.MaxPiece
		for range pieces {
			c.event(pump.Event{Paste: true, Raw: piece})
		}
		if n := c.out.writes - writes; n > 10 {
			t.Errorf("%d frames were written for %d pieces", n, pieces)
		}
		c.misses("is not reading")
		c.press("ctrl+b", "?")
		c.sees("All keys")
		c.press("esc")
		for range panes.MaxPaste/pump.MaxPiece - pieces {
			c.event(pump.Event{Paste: true, Raw: piece})
		}
		c.sees("zsh is not reading; 128 MiB of a paste wait. The rest is dropped.") // the marks count
		c.event(pump.Event{Paste: true, End: true})
	})
}

// Of a program that reads slowly nothing is lost.
func TestALongPasteArrivesWhole(t *testing.T) {
	run(t, 1, func(c *client) {
		var want strings.Builder
		c.event(pump.Event{Paste: true, Start: true})
		for i := range 200 {
			piece := fmt.Sprintf("%d\n", i) + strings.Repeat("x", 20_000)
			c.event(pump.Event{Paste: true, Raw: []byte(piece)})
			want.WriteString(strings.ReplaceAll(piece, "\n", "\r"))
		}
		c.event(pump.Event{Paste: true, End: true})
		c.sees("Paste 201 lines?", "3 MiB", "First line: 0")
		c.press("y", "k")
		if got := c.programs[0].typed(); got != want.String()+"k" {
			t.Errorf("the program was sent %d bytes, want %d", len(got), want.Len()+1)
		}
	})
}

// What was copied is asked for like what comes from outside.
func TestWhatWasCopiedIsAskedForToo(t *testing.T) {
	reading(t, 2, 500, func(c *client) {
		c.press("ctrl+b", "[", "V", "k", "y")
		for range 2 { // it can be pasted again
			c.press("ctrl+b", "]")
			c.sees("Paste 1 line and enter?", "First line: line 500 of the log")
			c.press("y")
			if got := c.programs[0].typed(); got != "line 500 of the log\r" {
				t.Errorf("pasted: %q", got)
			}
		}
	})
}

// A client that goes in the middle of a paste leaves no program inside it.
func TestAPasteEndsWithItsClient(t *testing.T) {
	run(t, 1, func(c *client) {
		c.programs[0].out <- []byte("paste\n")
		c.settle()
		c.event(pump.Event{Paste: true, Start: true})
		c.event(pump.Event{Paste: true, Raw: []byte("half")})
		c.m.Close()
		c.drain()
		if got := c.programs[0].typed(); got != "\x1b[200~half\x1b[201~" {
			t.Errorf("the program was sent %q", got)
		}
	})
}

// Neither does one that goes to another session.
func TestAPasteEndsWithItsSession(t *testing.T) {
	runServer(t, 1, func(c *client, _ *server) {
		c.programs[0].out <- []byte("\x1b[?2004h")
		c.settle()
		c.press("ctrl+b", ":")
		c.fill("website")
		for _, e := range []pump.Event{{Ev: keyOf(t, "enter")}, {Paste: true, Start: true}, {Paste: true, Raw: []byte("half")}} {
			c.update(ui.Input(e)) // before the session is entered
		}
		c.settle()
		c.event(pump.Event{Paste: true, Raw: []byte("other half")})
		c.event(pump.Event{Paste: true, End: true})
		c.were("the paste", "\x1b[200~half\x1b[201~", "")
	})
}
