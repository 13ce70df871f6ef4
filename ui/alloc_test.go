package ui_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"reprise/panes/vt"
	"reprise/ui"
)

// quiet takes what is written and keeps none of it.
type quiet struct{ writes, bytes int }

func (q *quiet) Write(b []byte) (int, error) {
	q.writes++
	q.bytes += len(b)
	return len(b), nil
}

// Everything that a frame needs is kept from the frame before: a screen that
// flows leaves nothing to collect (issue 2, item 4). The programs' emulators are
// the real ones.
func TestSteadyFramesAllocateNothing(t *testing.T) {
	t.Run("sizes agree", func(t *testing.T) { steady(t, func(*ui.Config) {}) })
	t.Run("sizes differ", func(t *testing.T) { steady(t, onlooker) })
}

func steady(t *testing.T, set func(*ui.Config)) {
	var out quiet
	for _, tt := range []struct {
		name string
		line func(i int) string
	}{
		{"nothing new", nil},
		{"one cell", func(i int) string { return fmt.Sprintf("\x1b[3;5H%d", i%10) }},
		{"scrolling", func(i int) string { return fmt.Sprintf("\x1b[3%dmline %d of a build\x1b[m\r\n", 1+i%7, i) }},
		{"wide and joined", func(i int) string { return fmt.Sprintf("\x1b[2;1H%d 日本語 e\u0301 👩‍🚀 ok", i%10) }},
		{"a spinner in the title", func(i int) string {
			return fmt.Sprintf("\x1b]2;%c Fix the test\a\x1b[1;1H%d", []rune("⠋⠙⠹")[i%3], i%10)
		}},
		{"whole screen", func(i int) string {
			s := "\x1b[H"
			for y := range 20 {
				s += fmt.Sprintf("\x1b[48;2;%d;10;10m row %d frame %d \x1b[m\x1b[K\r\n", i%9*20, y, i)
			}
			return s
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runOn(t, 4, nil, func(cfg *ui.Config) { cfg.Out = &out; set(cfg) }, func(c *client) {
				const runs = 60
				chunks := make([][]byte, runs)
				for i := range chunks {
					if tt.line != nil {
						chunks[i] = []byte(tt.line(i))
					}
				}
				at := 0
				feed := func() {
					if b := chunks[at%runs]; b != nil {
						for _, p := range c.programs {
							p.out <- b
						}
						synctest.Wait()
					}
					at++
				}
				for range 3 * runs { // scrollback and tables grow to their sizes
					feed()
					c.m.Redraw()
				}
				// What the emulators need for themselves is not the frame's. They owe
				// part of it until they are asked for their screen.
				terms := c.host.Terminals()
				scratch := make([]vt.Screen, len(terms))
				read := func() {
					feed()
					for i, term := range terms {
						term.Snapshot(&scratch[i])
					}
				}
				for range runs {
					read()
				}
				// A frame that allocates does so each time; a history that grows does
				// so now and then.
				least := 1e9
				for range 3 {
					own := testing.AllocsPerRun(runs, read)
					c.m.Redraw()
					was := out.writes
					frames := testing.AllocsPerRun(runs, func() { feed(); c.m.Redraw() })
					if tt.line != nil && out.writes-was < runs {
						t.Fatalf("%d writes for %d frames: nothing was drawn", out.writes-was, runs)
					}
					least = min(least, frames-own)
				}
				if least > 0 {
					t.Errorf("a frame allocates %v times", least)
				}
				if n := testing.AllocsPerRun(runs, c.m.Rewake); n > 0 {
					t.Errorf("a frame that comes too early allocates %v times", n)
				}
			})
		})
	}
}
