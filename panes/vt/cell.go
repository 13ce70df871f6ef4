// Package vt is the terminal emulator of a pane: a parser and state machine of
// our own in front of a cell grid. It takes the bytes that a program prints and
// keeps the screen that they describe; it answers the program's queries; it
// never hands a program's bytes on.
//
// An Emulator is not safe for concurrent use: its owner (a panes.Terminal)
// holds a lock around every call. A Screen is a value: once filled by Snapshot
// it belongs to the caller alone.
package vt

// Color is what a program asked for, not yet fitted to a client's terminal:
// 0 is the default colour, ColorIndexed|i a palette entry (0 to 255),
// ColorRGB|0xRRGGBB a true colour.
type Color uint32

// The two kinds of a Color that is not the default.
const (
	ColorIndexed Color = 1 << 24
	ColorRGB     Color = 2 << 24
)

// Attr holds a cell's attributes and, in three bits, its underline kind.
type Attr uint16

// Attributes. Wide marks the first half of a cell of width 2; the half behind
// it has Rune 0.
const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Blink
	Reverse
	Conceal
	Strike
	Overline
	Wide

	// UnderlineShift is where the underline kind starts (three bits).
	UnderlineShift = 9
	// UnderlineMask covers the underline kind.
	UnderlineMask Attr = 7 << UnderlineShift

	// Superscript and Subscript are SGR 73 and 74; few terminals show them.
	Superscript Attr = 1 << 12
	Subscript   Attr = 1 << 13
)

// Underline kinds, as SGR 4:n numbers them (0 none, 1 single, 2 double, 3 curly,
// 4 dotted, 5 dashed).
const (
	UnderlineNone = iota
	UnderlineSingle
	UnderlineDouble
	UnderlineCurly
	UnderlineDotted
	UnderlineDashed
)

// Underline is the underline kind.
func (a Attr) Underline() int { return int(a & UnderlineMask >> UnderlineShift) }

// WithUnderline is a with the underline kind replaced.
func (a Attr) WithUnderline(kind int) Attr {
	return a&^UnderlineMask | Attr(kind&7)<<UnderlineShift
}

// Clusters of several code points stand in a Cell as one rune of the unassigned
// planes 4 to 13; a Screen (or a paint.Grid) has the table that resolves them.
const (
	ClusterBase rune = 0x40000
	ClusterEnd  rune = 0xDFFFF
)

// Cell is one column of one row: 20 bytes, no pointer.
type Cell struct {
	// Rune is the character, or a cluster's rune (ClusterBase to ClusterEnd),
	// or 0 for the second half of the wide cell to the left. Never a control.
	Rune rune
	// FG, BG and UL are the text's, the background's and the underline's colour.
	FG, BG, UL Color
	Attr       Attr
	// Link is an index into Screen.Links; 0 is no link.
	Link uint16
}

// Blank is an empty cell in default colours.
var Blank = Cell{Rune: ' '}

// Cursor is where the next character goes, from 0.
type Cursor struct {
	X, Y    int
	Visible bool
	// Shape is the last DECSCUSR parameter (0 to 6).
	Shape uint8
	// Pending: the last column was written, and the next character wraps first.
	Pending bool
}

// Screen is a copy of an emulator's visible screen. Reuse one: Snapshot fills
// it without allocating once its slices are large enough, and copies only rows
// whose generation differs.
type Screen struct {
	Cols, Rows int
	// Cells holds Rows × Cols cells, row by row.
	Cells []Cell
	// Gen has each row's generation: it changes whenever the row does and is
	// never 0 for a row that was filled.
	Gen []uint64
	// Wrapped tells which rows go on in the next: their text is one line.
	Wrapped []bool
	Cursor  Cursor
	// Links has the targets of hyperlinks; entry 0 is empty. It is shared and must
	// not be written to.
	Links []string
	// Clusters has the text of Rune ClusterBase+i at index i. It is shared and
	// must not be written to.
	Clusters []string

	owner *Emulator // whose generations Gen holds
	epoch uint64    // changes when the emulator renames its ids: all rows are copied
	clock uint64    // the emulator's last generation: if it is the same, no row changed
	back  int       // how many lines it was scrolled back
}

// Row is row y's cells.
func (s *Screen) Row(y int) []Cell { return s.Cells[y*s.Cols : (y+1)*s.Cols] }

// AppendText appends what c shows as UTF-8: nothing for a second half.
func (s *Screen) AppendText(b []byte, c Cell) []byte {
	switch {
	case c.Rune == 0:
		return b
	case c.Rune >= ClusterBase && c.Rune <= ClusterEnd:
		if i := int(c.Rune - ClusterBase); i < len(s.Clusters) {
			return append(b, s.Clusters[i]...)
		}
		return append(b, "\ufffd"...)
	}
	return append(b, string(c.Rune)...)
}

// Modes is what a program asked of the keyboard, the mouse and the screen, as
// far as those who send it input must know.
type Modes struct {
	AppCursor       bool   // DECCKM
	AppKeypad       bool   // DECKPAM
	BackspaceBS     bool   // DECBKM: backspace sends BS
	NewLine         bool   // LNM: enter sends CR LF
	BracketedPaste  bool   // 2004
	FocusEvents     bool   // 1004
	AltScreen       bool   // 1049, 1047, 47
	AltScroll       bool   // 1007: the wheel becomes arrows on the alternate screen
	Synchronized    bool   // 2026: an update is open
	Kitty           uint8  // top of the kitty keyboard stack: 1 2 4 8 16
	ModifyOtherKeys uint8  // 0, 1, 2
	Mouse           uint16 // 0, 9, 1000, 1002, 1003
	MouseSGR        bool   // 1006
}

// State is what an emulator knows beside its cells.
type State struct {
	Modes Modes
	// Title is OSC 0 or 2, printable characters only, at most 256 cells.
	Title string
	// IconName is OSC 0 or 1, likewise.
	IconName string
	// Dir is the working directory by OSC 7, "" if never told.
	Dir string
	// Bells counts BEL since the start.
	Bells uint64
	// Progress is OSC 9;4, Status OSC 7501; zero if never told.
	Progress Progress
	Status   Status
}
