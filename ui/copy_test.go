package ui_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// reading runs a test with n panes of real emulators; the first one's program
// printed so many lines.
func reading(t *testing.T, n, lines int, f func(c *client)) {
	t.Helper()
	runOn(t, n, nil, func(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 80, Rows: 24} }, func(c *client) {
		c.print(0, 1, lines)
		f(c)
	})
}

// print lets a program print lines by their number.
func (c *client) print(program, from, to int) {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d of the log\r\n", i)
	}
	c.programs[program].out <- []byte(b.String())
	c.settle()
}

// clipboard is what the client's terminal was last told to keep.
func (c *client) clipboard() string {
	c.settle()
	_, set, ok := strings.Cut(lastAfter(string(c.out.all), "\x1b]52;"), ";")
	if !ok {
		return ""
	}
	set, _, _ = strings.Cut(set, "\a")
	set, _, _ = strings.Cut(set, "\x1b")
	text, err := base64.StdEncoding.DecodeString(set)
	if err != nil {
		c.t.Errorf("clipboard %q: %v", set, err)
	}
	return string(text)
}

func lastAfter(s, sep string) string {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return ""
	}
	return s[i+len(sep):]
}

// write types text by its characters.
func (c *client) write(text string) {
	for _, r := range text {
		if r == ' ' {
			c.press("space")
			continue
		}
		c.press(string(r))
	}
}

func TestCopyMode(t *testing.T) {
	reading(t, 2, 500, func(c *client) {
		c.misses("line 478 of the log")
		c.press("ctrl+b", "[")
		c.sees(" copy ", "/ search   n N next   v select   y yank   [ ] prompts   q leave", "line 501 of 501")
		c.press("k", "V", "3", "k")
		c.sees("line 497 of 501")
		c.press("y")
		if got, want := c.clipboard(), "line 497 of the log\nline 498 of the log\nline 499 of the log\nline 500 of the log"; got != want {
			t.Errorf("clipboard %q, want %q", got, want)
		}
		c.sees("Copied 4 lines")
		c.misses(" copy ")
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("the program was sent %q", got)
		}
		c.press("ctrl+b", "]", "y")
		if got := c.programs[0].typed(); got != "line 497 of the log\rline 498 of the log\rline 499 of the log\rline 500 of the log" {
			t.Errorf("pasted: %q", got)
		}
		c.programs[0].out <- []byte("\x1b[?2004h")
		c.settle()
		c.press("ctrl+b", "]")
		if got := c.programs[0].typed(); !strings.HasPrefix(got, "\x1b[200~line 497") || !strings.HasSuffix(got, "\x1b[201~") {
			t.Errorf("pasted for a program that asks for marks: %q", got)
		}
	})
}

// Copy mode belongs to a pane: the prefix works in it, and the other pane's program
// gets its keys.
func TestCopyModeStaysInItsPane(t *testing.T) {
	reading(t, 2, 100, func(c *client) {
		c.press("ctrl+b", "pgup")
		c.sees("line 60 of the log")
		c.press("ctrl+b", "o", "x")
		if got := c.programs[1].typed(); got != "x" {
			t.Errorf("the other program was sent %q", got)
		}
		c.misses(" copy ")
		c.sees("line 60 of the log", "of 101")
		c.print(0, 101, 200)
		c.sees("line 60 of the log")
		c.press("ctrl+b", ";")
		c.sees(" copy ")
		c.press("G", "q")
		c.sees("line 200 of the log")
		c.misses(" copy ")
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("the program was sent %q", got)
		}
	})
}

func TestSearch(t *testing.T) {
	reading(t, 2, 500, func(c *client) {
		c.press("ctrl+b", "/")
		c.sees("?", "enter go   tab plain text   esc close")
		c.write("line 4")
		c.sees("?line 4", "111 of 111   line 499 of 501")
		c.write("[27]0")
		c.sees("2 of 2   line 470 of 501", "line 470 of the log")
		c.press("tab")
		c.sees("no match", "tab regexp")
		c.press("tab", "backspace", "backspace", "backspace", "backspace", "backspace", "2", "$")
		c.sees("no match")
		c.press("backspace", "enter")
		c.misses("enter go")
		c.sees("11 of 11   line 429 of 501")
		c.press("n")
		c.sees("10 of 11   line 428 of 501")
		c.press("2", "n", "N")
		c.sees("9 of 11   line 427 of 501")
		c.print(0, 420, 425) // what comes is searched too
		c.sees("9 of 17   line 427 of 507")
		c.press("/", "x", "y", "esc")
		c.sees("9 of 17   line 427 of 507")
		c.press("/", "x", "y", "enter")
		c.sees("No match for xy in this pane.")
		c.wait(6 * time.Second)
		c.event(pump.Event{Paste: true, Start: true, End: true, Raw: []byte("not typed")})
		c.press("?")
		c.event(pump.Event{Paste: true, Start: true, End: true, Raw: []byte("LINE 77\r\nline 78")})
		c.sees("?LINE 77", "no match")
		c.press("ctrl+u")
		c.event(pump.Event{Paste: true, Start: true, End: true, Raw: []byte("line 77\r\nline 78")})
		c.sees("1 of 1   line 77 of 507")
		c.press("enter", "esc")
		c.misses(" copy ")
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("the program was sent %q", got)
		}
	})
}

// What a person selects is what is copied, whatever comes meanwhile.
func TestSelectionWhileOutputArrives(t *testing.T) {
	reading(t, 1, 100, func(c *client) {
		c.press("ctrl+b", "[", "k", "k", "0", "v")
		for i := range 20 {
			c.print(0, 101+20*i, 120+20*i)
		}
		c.press("e", "w", "e")
		c.sees("line 98 of the log", "line 99 of 501")
		c.press("enter")
		if got := c.clipboard(); got != "line 99" {
			t.Errorf("clipboard %q", got)
		}
	})
}

func TestYankIsBounded(t *testing.T) {
	runOn(t, 1, nil, func(*ui.Config) {}, func(c *client) {
		for range 10 {
			c.programs[0].out <- []byte(strings.Repeat("日本語日本語日本語日本語\r\n", 400))
		}
		c.settle()
		c.press("ctrl+b", "[", "g", "V", "G", "y")
		got := c.clipboard()
		if len(got) > 100_000 || len(got) < 99_990 || !strings.HasSuffix(strings.ToValidUTF8(got, "?"), got[len(got)-3:]) || strings.Contains(got, "\ufffd") {
			t.Errorf("%d bytes, at the end %q", len(got), got[max(0, len(got)-6):])
		}
		c.sees("Copied the first 100 kB: the selection is longer.")
	})
}

func (c *client) mouse(ev uv.MouseEvent) { c.event(pump.Event{Ev: ev}) }

func press(x, y int) uv.MouseEvent {
	return uv.MouseClickEvent(uv.Mouse{X: x, Y: y, Button: uv.MouseLeft})
}

func dragTo(x, y int) uv.MouseEvent {
	return uv.MouseMotionEvent(uv.Mouse{X: x, Y: y, Button: uv.MouseLeft})
}

func letGo(x, y int) uv.MouseEvent {
	return uv.MouseReleaseEvent(uv.Mouse{X: x, Y: y, Button: uv.MouseLeft})
}

func wheel(up bool, x, y int) uv.MouseEvent {
	b := uv.MouseWheelDown
	if up {
		b = uv.MouseWheelUp
	}
	return uv.MouseWheelEvent(uv.Mouse{X: x, Y: y, Button: b})
}

func TestWheelScrollsHistory(t *testing.T) {
	reading(t, 2, 100, func(c *client) {
		c.mouse(wheel(false, 5, 5))
		c.misses("of 101")
		c.mouse(wheel(true, 5, 5))
		c.mouse(wheel(true, 5, 5))
		c.sees(" copy ", "line 74 of the log")
		c.mouse(wheel(true, 70, 5)) // the other pane has no history
		c.mouse(wheel(false, 5, 5))
		c.sees(" copy ")
		c.mouse(wheel(false, 5, 5))
		c.misses(" copy ", "of 101")
		c.mouse(wheel(true, 5, 5))
		c.press("v") // by keys now: it ends by keys
		c.mouse(wheel(false, 5, 5))
		c.sees(" copy ")
		c.press("q")
		c.programs[0].out <- []byte("\x1b[?1049h")
		c.settle()
		c.mouse(wheel(true, 5, 5))
		c.misses(" copy ")
		c.programs[0].typed() // arrows
		c.programs[0].out <- []byte("\x1b[?1049l\x1b[?1000h\x1b[?1006h")
		c.settle()
		c.mouse(wheel(true, 5, 5))
		if got := c.programs[0].typed(); got != "\x1b[<64;6;5M" {
			t.Errorf("a program that takes the mouse was sent %q", got)
		}
	})
}

func TestMouseSelects(t *testing.T) {
	reading(t, 2, 100, func(c *client) {
		// The first pane's grid begins in row 1 with line 80.
		c.mouse(press(5, 3))
		c.mouse(dragTo(6, 4))
		c.sees(" copy ")
		c.mouse(letGo(6, 4))
		if got := c.clipboard(); got != "82 of the log\nline 83" {
			t.Errorf("dragged: %q", got)
		}
		c.misses(" copy ")
		c.wait(time.Second)
		c.mouse(press(6, 5))
		c.mouse(letGo(6, 5))
		c.misses(" copy ")
		c.mouse(press(6, 5))
		c.mouse(letGo(6, 5))
		if got := c.clipboard(); got != "84" {
			t.Errorf("double click: %q", got)
		}
		c.mouse(press(6, 5))
		c.mouse(letGo(6, 5))
		if got := c.clipboard(); got != "line 84 of the log" {
			t.Errorf("triple click: %q", got)
		}
		c.mouse(uv.MouseClickEvent(uv.Mouse{X: 60, Y: 5, Button: uv.MouseMiddle}))
		if got := c.programs[1].typed(); got != "line 84 of the log" {
			t.Errorf("middle click: %q", got)
		}
		c.programs[0].out <- []byte("\x1b[?1000h\x1b[?1006h")
		c.settle()
		c.wait(time.Second)
		c.mouse(press(5, 3))
		c.mouse(dragTo(6, 4))
		c.mouse(letGo(6, 4))
		c.misses(" copy ")
		if got := c.programs[0].typed(); got != "\x1b[<0;6;3M\x1b[<0;7;4m" {
			t.Errorf("a program that takes the mouse was sent %q", got)
		}
	})
}

// Events of the mouse come faster than frames.
func TestMouseIsFasterThanFrames(t *testing.T) {
	reading(t, 2, 100, func(c *client) {
		for _, ev := range []uv.MouseEvent{press(5, 3), dragTo(6, 3), dragTo(7, 3), dragTo(8, 4), letGo(8, 4)} {
			c.update(ui.Input(pump.Event{Ev: ev}))
		}
		if got := c.clipboard(); got != "82 of the log\nline 83 o" {
			t.Errorf("dragged: %q", got)
		}
	})
}

// Beyond the edge the selection grows while the mouse rests there.
func TestDragScrollsAtTheEdge(t *testing.T) {
	reading(t, 2, 100, func(c *client) {
		c.mouse(press(5, 3))
		c.mouse(dragTo(5, 0))
		c.wait(49 * time.Millisecond)
		c.sees("line 79 of the log")
		for range 10 {
			c.wait(50 * time.Millisecond)
		}
		c.sees("line 70 of the log")
		c.mouse(dragTo(5, 2))
		at := strings.Count(c.screen(), "\n")
		before := c.screen()
		c.wait(time.Second)
		if after := c.screen(); after != before || at == 0 {
			t.Errorf("it scrolls on:\n%s", after)
		}
		c.mouse(letGo(5, 2))
		got := c.clipboard()
		if !strings.HasSuffix(got, "\nline 81 of the log\nline 8") || strings.Count(got, "\n") < 8 {
			t.Errorf("copied %q", got)
		}
		c.sees(" copy ") // what was before is in sight: it stays so
	})
}

func TestBordersAreDragged(t *testing.T) {
	reading(t, 2, 3, func(c *client) {
		was := c.programs[0].size
		c.mouse(press(was.Cols, 10))
		c.mouse(dragTo(was.Cols+5, 11))
		c.mouse(dragTo(was.Cols+7, 12))
		c.mouse(letGo(was.Cols+7, 12))
		c.settle()
		if got := c.programs[0].size; got.Cols != was.Cols+7 {
			t.Errorf("%v columns after %v", got, was)
		}
		c.mouse(dragTo(was.Cols, 12)) // let go
		c.settle()
		if got := c.programs[0].size; got.Cols != was.Cols+7 {
			t.Errorf("it moves on: %v", got)
		}
		c.press("ctrl+b", `"`)
		c.settle()
		below := c.programs[2]
		height := below.size.Rows
		c.mouse(press(5, 23-height-1))
		c.mouse(dragTo(5, 23-height-1-4))
		c.mouse(letGo(5, 23-height-1-4))
		c.settle()
		if below.size.Rows != height+4 {
			t.Errorf("%d rows after %d", below.size.Rows, height)
		}
	})
}

// Who only looks on may look back too; nothing of it reaches the program.
func TestReadOnlyCopies(t *testing.T) {
	runOn(t, 1, nil, func(cfg *ui.Config) { cfg.ReadOnly = true }, func(c *client) {
		c.print(0, 1, 100)
		c.press("ctrl+b", "[", "k", "V", "y")
		if got := c.clipboard(); got != "line 100 of the log" {
			t.Errorf("clipboard %q", got)
		}
		c.press("ctrl+b", "]")
		c.mouse(wheel(true, 5, 5))
		c.sees(" copy ")
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("the program was sent %q", got)
		}
	})
}

// Another width cuts the lines anew: the mode stays, near where it was.
func TestCopyModeOutlivesAResize(t *testing.T) {
	reading(t, 2, 100, func(c *client) {
		c.press("ctrl+b", "/")
		c.write("line 5")
		c.press("enter")
		c.sees("11 of 11   line 59 of 101")
		c.press("ctrl+b", "alt+left")
		c.settle()
		c.sees(" copy ", "of 101", "line 59 of the log")
		c.press("n")
		c.sees("of 11")
	})
}

// A pane whose emulator has no lines has no copy mode.
func TestNothingToCopy(t *testing.T) {
	run(t, 1, func(c *client) {
		c.press("ctrl+b", "[", "k")
		c.sees("This pane has no text to look back through.")
		if got := c.programs[0].typed(); got != "k" {
			t.Errorf("the program was sent %q", got)
		}
		c.press("ctrl+b", "]")
		c.sees("Nothing was copied yet.")
	})
}

// What is begun is told at once, though a message stood in its place.
func TestMessageGivesWayToAMode(t *testing.T) {
	for key, want := range map[string]string{"[": "q leave", "F": "a-z copy"} {
		t.Run(key, func(t *testing.T) {
			runOn(t, 1, nil, func(*ui.Config) {}, func(c *client) {
				c.programs[0].out <- []byte("alpha https://example.org/a\r\n")
				c.settle()
				c.press("ctrl+b", "[", "g", "v", "l", "y")
				c.sees("Copied 2 characters")
				c.press("ctrl+b", key)
				c.sees(want)
				c.misses("Copied")
			})
		})
	}
}

// until delivers messages up to the first one of a kind, which it returns: what comes
// before it is on the screen then.
func (c *client) until(kind string) tea.Msg {
	c.t.Helper()
	for range 100 {
		synctest.Wait()
		select {
		case msg := <-c.msgs:
			if fmt.Sprintf("%T", msg) == kind {
				return msg
			}
			c.update(msg)
		default:
			time.Sleep(20 * time.Millisecond) // a frame
		}
	}
	c.t.Fatalf("no %s", kind)
	return nil
}

// The nearest match is on the screen while the others are not counted yet; what is
// typed meanwhile is not lost.
func TestNearestMatchIsShownFirst(t *testing.T) {
	reading(t, 2, 9000, func(c *client) {
		c.press("ctrl+b", "/")
		c.update(ui.Input(pump.Event{Ev: keyOf(t, "7")}))
		counted := c.until("ui.foundMsg")
		c.sees("counting   line 8997 of 9001", "line 8997 of the log")
		c.update(ui.Input(pump.Event{Ev: keyOf(t, "enter")}))
		c.update(ui.Input(pump.Event{Ev: keyOf(t, "n")}))
		c.sees("counting")
		c.update(counted)
		c.sees("line 8987 of the log", "3699 of 3700")
		c.misses("counting")
		// One that is replaced by another means nothing.
		c.press("/")
		c.update(ui.Input(pump.Event{Ev: keyOf(t, "8")}))
		counted = c.until("ui.nearMsg")
		c.press("x")
		c.update(counted)
		c.sees("no match")
	})
}
