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
	Tabs    []Tab  // all, in their order
	Side    Side
	Bar     Bar
	Sheet   Sheet
	ASCII   bool // chrome in ASCII alone
	Palette *theme.Palette
	Reader  Reader
	History *History // in place of the panes; nil: they are shown
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
	Where       string // where in its text a person is, instead of directory and state
	Number      int    // shown if not 0
	Focus       bool
	Over        bool // it stands over the others, over the full width; it comes last
	Typed       bool // it gets what is typed, together with others
	Dead        bool // no program runs in it: no cursor
	Prompts     int  // that wait for its agent
	Barred      bool // they wait for the person, too
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

// Tab is a tab in the status bar; its number is its place.
type Tab struct {
	Name    string
	Mark    State // the worst of its panes; Normal: none to tell
	Current bool
}

// Bar is the status bar.
type Bar struct {
	Chip     string // the mode, "" in none
	Typed    int    // panes that are typed into together; 0: no broadcast
	Mode     ModeBar
	Session  string
	Message  string // stands in for what needs the person, for a while
	Failure  bool   // the message tells a failure
	Hint     Hints  // the first run's hint; each key comes after Prefix
	Prefix   string
	Waits    int // agents that wait for the person
	Failed   int
	Resuming int
	Working  int // agents that do
	Zoomed   bool
	Hidden   int // panes that a zoom hides
	Clients  int // that are attached; one alone is not told
	Branch   string
	Clock    string
	Agents   int        // that run
	Load     string     // of the machine
	Host     string     // the machine's name
	Layout   *BarLayout // nil: DefaultBar
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
	Choices *Choices // what Input narrows down, likewise
	Input   Input    // above the others
	Keys    Hints
}

// Input is a line that a person types into a sheet, with the terminal's cursor.
type Input struct {
	On     bool
	Text   string
	Cursor int     // where what is typed goes, in bytes of Text
	Around *Around // it is one of several; others are another pointer
}

// Around is what stands above and below the line of a text that is typed.
type Around struct {
	Above, Below []string
	Most         int // lines in sight, that one counted
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
	Working
	Permission
	Question
	Done
	Idle
	WorkingGuess // these four look like it
	PermissionGuess
	QuestionGuess
	IdleGuess
	Rang     // the bell, until it is looked at
	Notified // a program's notification, likewise
	Active   // a monitor's
	Silent   // a monitor's
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

	Working:    {"►", ">", "working", theme.Muted, false},
	Permission: {"!", "!", "permission", theme.Attn, true},
	Question:   {"?", "?", "answer", theme.Attn, true},
	Done:       {"✓", "+", "done", theme.Text, true},
	Idle:       {"∙", ".", "idle", theme.Muted, false},

	WorkingGuess:    {"►", ">", "working?", theme.Muted, false},
	PermissionGuess: {"!", "!", "permission?", theme.Muted, false},
	QuestionGuess:   {"?", "?", "answer?", theme.Muted, false},
	IdleGuess:       {"∙", ".", "idle?", theme.Muted, false},

	Rang:     {"*", "*", "bell", theme.Text, true},
	Notified: {"*", "*", "message", theme.Text, true},
	Active:   {"*", "*", "activity", theme.Text, true},
	Silent:   {"*", "*", "silence", theme.Text, true},
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

	typedMark  = "»" // before what is typed into together with others
	typedASCII = ">"

	crumb      = "›" // between a session and its tabs
	crumbASCII = ">"
)

// Glyphs lists every character outside ASCII that the chrome draws of its own,
// box lines apart.
func Glyphs() []string {
	out := []string{cutMark, edgeMark, rowMark, promptMark, typedMark, crumb}
	for _, m := range marks {
		if m.glyph != "" {
			out = append(out, m.glyph)
		}
	}
	return out
}

// Words are a state's glyph and word; "" for Normal.
func (s State) Words(ascii bool) string {
	if s == Normal {
		return ""
	}
	return marks[s].show(ascii) + " " + marks[s].word
}

// Word is a state's word alone; "" for Normal.
func (s State) Word() string { return marks[s].word }

func (m mark) show(ascii bool) string {
	if ascii {
		return m.ascii
	}
	return m.glyph
}
