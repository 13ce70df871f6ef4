// Package frame composes what one client shows: the programs' screens and the
// chrome around them, on a grid of cells. It is pure: a Scene says everything,
// and the same Scene makes the same cells. How the chrome looks is look.md §2 to
// §8; what moves, and when, is the model's business.
//
// A Composer is not safe for concurrent use.
package frame

import (
	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/theme"
)

// Least size of a terminal that gets a layout (look.md §8).
const (
	MinCols = 30
	MinRows = 8
)

// Scene is what one client shows. Everything but the cells of the screens is
// compared with the scene before it, so fill it with ready strings: a string
// that is made anew for each frame is compared byte by byte.
type Scene struct {
	Size    panes.Size
	Panes   []Pane // those that are shown, in reading order
	Bar     Bar
	Sheet   Sheet
	ASCII   bool // chrome in ASCII alone
	Palette *theme.Palette
}

// Pane is one pane of a scene.
type Pane struct {
	// Title is its title row, of height 0 if it has none; Grid the cells of its
	// program.
	Title, Grid panes.Rect
	Name        string // an agent's label, a shell's program
	Task        string // what it works on, as the program says
	Dir         string // with the home as ~
	State       State
	Word        string // instead of the state's own word ("exited 1")
	Number      int    // shown if not 0
	Focus       bool
	Dead        bool // no program runs in it: no cursor
	Strip       Strip
	Screen      *vt.Screen // nil: nothing to show
	Source      string     // whose screen it is: rows of two are never compared
}

// Strip is a pane's own line at its foot. Without words there is none.
type Strip struct {
	State State
	Words string
	Keys  Hints
}

// Hint is a key and what it does, in one lower-case verb.
type Hint struct{ Key, Verb string }

// Hints is a row of keys; the first empty one ends it.
type Hints [5]Hint

func (h *Hints) list() []Hint {
	for i := range h {
		if h[i].Key == "" {
			return h[:i]
		}
	}
	return h[:]
}

// Bar is the status bar.
type Bar struct {
	Chip     string // the mode, "" in none
	Session  string
	Message  string // stands in for what needs the person, for a while
	Failure  bool   // the message tells a failure
	Hint     Hints  // the first run's hint; each key comes after Prefix
	Prefix   string
	Failed   int
	Resuming int
	Zoomed   bool
	Hidden   int // panes that a zoom hides
	Clients  int // that are attached; one alone is not told
	Branch   string
	Clock    string
}

// Sheet is the overlay that asks before something is lost, or lists something.
// Without a title there is none.
type Sheet struct {
	Title   string   // the question
	Count   string   // at the title's right
	Text    string   // what will happen
	Comfort string   // what will not be lost
	List    *List    // in place of both; another list is another pointer
	Columns *Columns // in place of all three, likewise
	Keys    Hints
}

// List is the rows of a sheet, their cells in columns.
type List struct {
	Rows     [][]string
	Selected int
	Find     *Find // the list can be narrowed down; nil: it cannot
}

// State is what a glyph and a word tell of a pane.
type State uint8

// States of a pane.
const (
	Normal State = iota
	Queued
	Resuming
	Saved
	Elsewhere
	Failed
	Paused
	Exited
	Fresh
	states
)

// mark is a state's glyph, its form in ASCII, its word and its look (look.md §6).
type mark struct {
	glyph, ascii, word string
	token              theme.Token
	bold               bool
}

var marks = [states]mark{
	Queued:    {"⋯", ":", "queued", theme.Muted, false},
	Resuming:  {"▻", "~", "resuming", theme.Accent, false},
	Saved:     {"▻", "~", "saved", theme.Accent, false},
	Elsewhere: {"▻", "~", "open elsewhere", theme.Accent, false},
	Failed:    {"✗", "x", "failed", theme.Err, true},
	Paused:    {"▮", "#", "paused", theme.Err, true},
	Exited:    {"◦", "o", "exited", theme.Muted, false},
	Fresh:     {"∙", ".", "fresh", theme.Muted, false},
}

// Other glyphs of the chrome.
const (
	cutMark   = "…"
	cutASCII  = "~"
	edgeMark  = "∙"
	edgeASCII = "."
	rowMark   = "▌" // the selected row of a list
	rowASCII  = "|"

	promptMark  = "❯" // before what is typed in a sheet
	promptASCII = ">"
)

// Glyphs lists every character outside ASCII that the chrome draws of its own,
// box lines apart.
func Glyphs() []string {
	out := []string{cutMark, edgeMark, rowMark, promptMark}
	for _, m := range marks {
		if m.glyph != "" {
			out = append(out, m.glyph)
		}
	}
	return out
}

func (m mark) show(ascii bool) string {
	if ascii {
		return m.ascii
	}
	return m.glyph
}
