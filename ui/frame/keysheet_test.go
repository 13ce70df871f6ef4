package frame_test

import (
	"fmt"
	"strings"
	"testing"

	"reprise/panes"
	"reprise/ui/frame"
)

// keyHints are keys as they follow the prefix, enough for several columns.
var keyHints = []frame.Hint{
	{Key: "%", Verb: "split right"},
	{Key: `"`, Verb: "split down"},
	{Key: "x", Verb: "close"},
	{Key: "arrows", Verb: "focus"},
	{Key: "o", Verb: "next pane"},
	{Key: "z", Verb: "zoom"},
	{Key: "c", Verb: "new tab"},
	{Key: "0-9", Verb: "go to tab"},
	{Key: "n p", Verb: "next, previous tab"},
	{Key: "[", Verb: "copy mode"},
	{Key: "d", Verb: "detach"},
	{Key: "?", Verb: "every key"},
	{Key: "ctrl+b", Verb: "send prefix"},
	{Key: "ctrl+arrows alt+arrows", Verb: "resize"},
}

var scrollKeys = hints("pgdown", "scroll", "esc", "cancel")

// keyRows are rows of help.
var keyRows = [][]string{
	{"ctrl+b %", "Split the pane: a new one at its right", "split-right"},
	{`ctrl+b "`, "Split the pane: a new one below it", "split-down"},
	{"ctrl+b x", "Close the pane and end what runs in it", "close"},
	{"ctrl+b left or alt+left", "Move the focus to the left", "focus-left"},
	{"ctrl+b z or alt+z", "Show this pane alone, or all again", "zoom"},
	{"", "Read config.toml again: its keys and looks are in force at once", "reload-config"},
	{"ctrl+b d", "Detach this client; what runs goes on, other clients stay", "detach"},
	{"ctrl+b ctrl+b", "Send the prefix itself to the program", "send-prefix"},
}

func manyHints() (out []frame.Hint) {
	for i := range 120 {
		out = append(out, frame.Hint{Key: string(rune('a' + i%26)), Verb: fmt.Sprintf("do thing %d", i)})
	}
	return out
}

func helpSheet(words, count string, selected int, rows ...[]string) frame.Sheet {
	return frame.Sheet{Title: "All keys", Count: count, Keys: hints("enter", "run", "esc", "close"), List: &frame.List{
		Rows: rows, Selected: selected, Find: &frame.Find{Words: words, Empty: "No action has these words.", Rows: len(keyRows)},
	}}
}

func init() {
	which := func(h []frame.Hint, first int) func(*frame.Scene) {
		return func(s *frame.Scene) {
			s.Bar.Chip = "ctrl+b"
			s.Sheet = frame.Sheet{Title: "Keys", Count: "esc cancels", Columns: &frame.Columns{Hints: h, First: first}, Keys: scrollKeys}
		}
	}
	help := func(sheet frame.Sheet) func(*frame.Scene) {
		return func(s *frame.Scene) { s.Bar.Chip, s.Sheet = "help", sheet }
	}
	goldens = append(goldens,
		golden{"which-key", 4, which(keyHints, 0)},
		golden{"which-key-many", 2, which(manyHints(), 8)},
		golden{"help", 2, help(helpSheet("", "8 of 8", 0, keyRows...))},
		golden{"help-found", 2, help(helpSheet("alt pan", "1 of 8", 0, keyRows[4]))},
		golden{"help-nothing", 2, help(helpSheet("qq", "0 of 8", 0))},
	)
}

// Every key is on some page, whole, at every size; and the columns fit.
func TestEveryKeyIsOnAPage(t *testing.T) {
	for _, hs := range [][]frame.Hint{keyHints, manyHints(), keyHints[:1]} {
		for cols := frame.MinCols; cols <= 200; cols += 11 {
			for rows := frame.MinRows; rows <= 60; rows += 9 {
				seen := map[string]bool{}
				size := panes.Size{Cols: cols, Rows: rows}
				c := &frame.Columns{Hints: hs}
				_, last := c.Page(size)
				for {
					sc := base(2, size)
					sc.Sheet = frame.Sheet{Title: "Keys", Columns: &frame.Columns{Hints: hs, First: c.First}, Keys: scrollKeys}
					grid, _ := new(frame.Composer).Frame(sc)
					drawn := text(grid)
					for _, h := range hs {
						if strings.Contains(drawn, " "+h.Key+" ") {
							seen[h.Key] = true
						}
					}
					if last > 0 && !strings.Contains(drawn, "pgdown scroll") {
						t.Fatalf("%dx%d does not say how to scroll:\n%s", cols, rows, drawn)
					}
					if c.First >= last {
						break
					}
					page, _ := c.Page(size)
					c.First = min(c.First+page, last)
				}
				for _, h := range hs {
					if !seen[h.Key] {
						t.Fatalf("%q is on no page at %dx%d", h.Key, cols, rows)
					}
				}
			}
		}
	}
}

// The row that is selected is always in sight, and so is what was typed.
func TestTheSelectedRowIsInSight(t *testing.T) {
	for cols := frame.MinCols; cols <= 160; cols += 23 {
		for rows := frame.MinRows; rows <= 40; rows += 3 {
			for i := range keyRows {
				sc := base(2, panes.Size{Cols: cols, Rows: rows})
				sc.Sheet = helpSheet("e", "8 of 8", i, keyRows...)
				grid, _ := new(frame.Composer).Frame(sc)
				drawn := text(grid)
				want := strings.TrimSpace("▌ " + keyRows[i][0][:min(10, len(keyRows[i][0]))]) // the end may be cut
				if !strings.Contains(drawn, want) || !strings.Contains(drawn, "❯ e") || !strings.Contains(drawn, "enter run") {
					t.Fatalf("%q is not in sight at %dx%d:\n%s", want, cols, rows, drawn)
				}
			}
		}
	}
}
