// Package shot writes what a terminal shows as text, as text with colours, or as
// JSON: for people who turn logs into text, and for test suites that look at an
// emulator from outside.
package shot

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"reprise/panes/vt"
)

// Options choose what is written.
type Options struct {
	// Format is "text" (the default), "ansi" or "json".
	Format string
	// Scrollback writes the lines that left the top too.
	Scrollback bool
	// Replies are what the emulator answered; only JSON has them.
	Replies []byte
}

// Formats are the names that Options.Format takes.
var Formats = []string{"text", "ansi", "json"}

// Write writes what e shows.
func Write(w io.Writer, e *vt.Emulator, o Options) error {
	b := bufio.NewWriter(w)
	var err error
	switch o.Format {
	case "", "text":
		err = lines(e, o.Scrollback, func(s *vt.Screen, y int) error { return writeText(b, s, y) })
	case "ansi":
		err = lines(e, o.Scrollback, func(s *vt.Screen, y int) error { return writeANSI(b, s, y) })
	case "json":
		err = writeJSON(b, e, o)
	default:
		return fmt.Errorf("format %q is not known: it is one of %s", o.Format, strings.Join(Formats, ", "))
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// lines calls f for every row, those of the scrollback first if wanted.
func lines(e *vt.Emulator, scrollback bool, f func(s *vt.Screen, y int) error) error {
	if scrollback {
		if err := history(e, f); err != nil {
			return err
		}
	}
	var s vt.Screen
	e.Snapshot(&s)
	for y := range s.Rows {
		if err := f(&s, y); err != nil {
			return err
		}
	}
	return nil
}

// history calls f for every line of the scrollback, a view at a time.
func history(e *vt.Emulator, f func(s *vt.Screen, y int) error) error {
	var s vt.Screen
	for back := e.HistoryLen(); back > 0; {
		e.View(&s, back)
		n := min(back, s.Rows)
		for y := range n {
			if err := f(&s, y); err != nil {
				return err
			}
		}
		back -= n
	}
	return nil
}

func appendRow(b []byte, s *vt.Screen, row []vt.Cell) []byte {
	for _, c := range row {
		b = s.AppendText(b, c)
	}
	return b
}

func writeText(w *bufio.Writer, s *vt.Screen, y int) error {
	text := strings.TrimRight(string(appendRow(nil, s, s.Row(y))), " ")
	_, err := w.WriteString(text + "\n")
	return err
}

// writeANSI writes a row with its colours; it begins and ends in the default style.
func writeANSI(w *bufio.Writer, s *vt.Screen, y int) error {
	row := s.Row(y)
	for len(row) > 0 && row[len(row)-1] == vt.Blank {
		row = row[:len(row)-1]
	}
	var b []byte
	var last vt.Cell
	for i := 0; i < len(row); {
		look := style(row[i])
		if look != last {
			if look.Link != last.Link {
				b = append(b, "\x1b]8;;"...)
				b = append(b, s.Links[look.Link]...)
				b = append(b, "\x1b\\"...)
			}
			b = vt.AppendSGR(b, look)
			last = look
		}
		start := i
		for i < len(row) && style(row[i]) == look {
			i++
		}
		b = appendRow(b, s, row[start:i])
	}
	if last.Link != 0 {
		b = append(b, "\x1b]8;;\x1b\\"...)
	}
	if last != (vt.Cell{}) {
		b = append(b, "\x1b[m"...)
	}
	_, err := w.Write(append(b, '\n'))
	return err
}

// style is a cell without its text.
func style(c vt.Cell) vt.Cell {
	c.Rune = 0
	c.Attr &^= vt.Wide
	return c
}

// The JSON form (docs/terminal.md). A cell leaves out what it does not have:
// underline, attributes, a link. The second half of a wide character has no cell of
// its own.
type document struct {
	Size       size           `json:"size"`
	Cursor     cursor         `json:"cursor"`
	Modes      map[string]any `json:"modes"`
	Title      string         `json:"title"`
	IconName   string         `json:"icon_name,omitempty"`
	Dir        string         `json:"dir,omitempty"`
	Bells      uint64         `json:"bells"`
	Lines      []line         `json:"lines"`
	Scrollback *[]line        `json:"scrollback,omitempty"`
	Replies    string         `json:"replies"`
	Status     *vt.Status     `json:"status,omitempty"`
	Progress   *vt.Progress   `json:"progress,omitempty"`
}

type size struct {
	Cols int `json:"cols"`
	Rows int `json:"rows"`
}

type cursor struct {
	X           int   `json:"x"`
	Y           int   `json:"y"`
	Visible     bool  `json:"visible"`
	Shape       uint8 `json:"shape"`
	PendingWrap bool  `json:"pending_wrap"`
}

type line struct {
	Wrapped bool   `json:"wrapped"`
	Cells   []cell `json:"cells"`
}

type cell struct {
	Text           string   `json:"text"`
	Width          int      `json:"width"`
	FG             string   `json:"fg"`
	BG             string   `json:"bg"`
	Underline      string   `json:"underline,omitempty"`
	UnderlineColor string   `json:"underline_color,omitempty"`
	Attributes     []string `json:"attributes,omitempty"`
	Link           string   `json:"link,omitempty"`
}

func writeJSON(w *bufio.Writer, e *vt.Emulator, o Options) error {
	var s vt.Screen
	e.Snapshot(&s)
	st := e.State()
	d := document{
		Size:     size{s.Cols, s.Rows},
		Cursor:   cursor{s.Cursor.X, s.Cursor.Y, s.Cursor.Visible, s.Cursor.Shape, s.Cursor.Pending},
		Modes:    modes(e, st.Modes),
		Title:    st.Title,
		IconName: st.IconName,
		Dir:      st.Dir,
		Bells:    st.Bells,
		Replies:  string(o.Replies),
	}
	if st.Status != (vt.Status{}) {
		d.Status = &st.Status
	}
	if st.Progress != (vt.Progress{}) {
		d.Progress = &st.Progress
	}
	for y := range s.Rows {
		d.Lines = append(d.Lines, line{s.Wrapped[y], cells(&s, y)})
	}
	if o.Scrollback {
		old := []line{}
		err := history(e, func(s *vt.Screen, y int) error {
			old = append(old, line{s.Wrapped[y], cells(s, y)})
			return nil
		})
		if err != nil {
			return err
		}
		d.Scrollback = &old
	}
	return json.NewEncoder(w).Encode(d)
}

// screenModes are the modes of the screen, beside those that input needs.
var screenModes = []struct {
	name    string
	number  int
	private bool
}{
	{"insert", 4, false},
	{"new_line", 20, false},
	{"reverse_screen", 5, true},
	{"origin", 6, true},
	{"autowrap", 7, true},
	{"reverse_wrap", 45, true},
	{"reverse_wrap_all", 1045, true},
	{"left_right_margins", 69, true},
	{"color_reports", 2031, true},
	{"resize_reports", 2048, true},
}

func modes(e *vt.Emulator, m vt.Modes) map[string]any {
	out := inputModes(m)
	for _, s := range screenModes {
		out[s.name] = e.ModeSet(s.number, s.private)
	}
	return out
}

func inputModes(m vt.Modes) map[string]any {
	return map[string]any{
		"app_cursor":        m.AppCursor,
		"app_keypad":        m.AppKeypad,
		"backspace_bs":      m.BackspaceBS,
		"bracketed_paste":   m.BracketedPaste,
		"focus_events":      m.FocusEvents,
		"alt_screen":        m.AltScreen,
		"alt_scroll":        m.AltScroll,
		"synchronized":      m.Synchronized,
		"kitty":             m.Kitty,
		"modify_other_keys": m.ModifyOtherKeys,
		"mouse":             m.Mouse,
		"mouse_sgr":         m.MouseSGR,
	}
}

var attributes = []struct {
	attr vt.Attr
	name string
}{
	{vt.Bold, "bold"},
	{vt.Dim, "dim"},
	{vt.Italic, "italic"},
	{vt.Blink, "blink"},
	{vt.Reverse, "reverse"},
	{vt.Conceal, "conceal"},
	{vt.Strike, "strike"},
	{vt.Overline, "overline"},
	{vt.Superscript, "superscript"},
	{vt.Subscript, "subscript"},
}

var underlines = []string{"", "single", "double", "curly", "dotted", "dashed"}

func cells(s *vt.Screen, y int) []cell {
	var out []cell
	for _, c := range s.Row(y) {
		if c.Rune == 0 {
			continue
		}
		j := cell{
			Text: string(s.AppendText(nil, c)), Width: 1,
			FG: color(c.FG), BG: color(c.BG),
			Underline: underlines[c.Attr.Underline()],
			Link:      s.Links[c.Link],
		}
		if c.Attr&vt.Wide != 0 {
			j.Width = 2
		}
		if c.UL != 0 {
			j.UnderlineColor = color(c.UL)
		}
		for _, a := range attributes {
			if c.Attr&a.attr != 0 {
				j.Attributes = append(j.Attributes, a.name)
			}
		}
		out = append(out, j)
	}
	return out
}

// color is "default", "index:N" or "#rrggbb".
func color(c vt.Color) string {
	switch {
	case c&vt.ColorRGB != 0:
		return fmt.Sprintf("#%06x", uint32(c&0xFFFFFF))
	case c&vt.ColorIndexed != 0:
		return fmt.Sprintf("index:%d", uint32(c&0xFF))
	}
	return "default"
}
