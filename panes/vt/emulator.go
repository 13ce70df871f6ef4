package vt

const (
	// maxSize bounds columns and rows.
	maxSize = 1000
	// DefaultScrollback is how many lines a history keeps unless told otherwise.
	DefaultScrollback = 10_000
	// maxPens is the depth of the stack of renditions, as xterm has it.
	maxPens = 10
)

// Options are what an Emulator is made with.
type Options struct {
	Cols, Rows int
	// Reply takes the answers to a program's queries. It is called during Write,
	// under the owner's lock, and must not block.
	Reply func([]byte)
	// Foreground and Background are the outer terminal's colours, told to
	// programs that ask (OSC 10, 11); zero: a dark default.
	Foreground, Background Color
	// Scrollback is how many lines that left the top of the main screen are
	// kept; 0: DefaultScrollback; negative: none.
	Scrollback int
	// Clipboard takes what a program sets the clipboard to (OSC 52), at most
	// 768 KiB; nil: programs cannot. Called as Reply is. Programs can never read
	// the clipboard.
	Clipboard func([]byte)
	// Notify takes a notification (OSC 9, 99, 777), printable characters only, at
	// most 256 cells each; nil: they are dropped. Called as Reply is.
	Notify func(title, body string)
}

// Emulator is a terminal.
type Emulator struct {
	screens
	writing
	tables
	reports
	scratch

	cur     cursor
	margins margins
	modes   modeSet
	// savedModes are those of XTSAVE.
	savedModes map[int]bool
	tabs       []bool
	parser     parser
	history    history
	opts       Options
	newGrid    func(cols, rows int) grid
}

// screens are the two pages and their size.
type screens struct {
	cols, rows int
	main, alt  *page // alt is nil until a program asks for it
	page       *page // the one shown
	clock      uint64
	cuts       uint64 // see Extent
}

// writing is what text is written with.
type writing struct {
	pen  pen
	pens []style // the stack of XTPUSHSGR
	// guardISO: ISO's protection was used last, not DEC's.
	guardISO bool
	extent   uint8 // the last parameter of DECSACE
	sets     charsets
	last     lastCell
}

// reports are what goes in and out beside the cells.
type reports struct {
	titles  titles
	palette palette
	notice  notice
	told    told
}

// scratch is memory that is used again: a packed line, its text, a run of text on
// its way to a row.
type scratch struct{ lineBuf, textBuf, run []byte }

// told is what a program says about itself beside its screen.
type told struct {
	dir      string
	bells    uint64
	progress Progress
	status   Status
	shape    uint8
	// unprotected is which of DECSCA's two parameters for it came last, 0 or 2.
	unprotected uint8
}

// New makes an emulator of at least 1×1 and at most 1000×1000 cells.
func New(o Options) *Emulator { return newEmulator(o, newVT10x) }

func newEmulator(o Options, newGrid func(cols, rows int) grid) *Emulator {
	if o.Reply == nil {
		o.Reply = func([]byte) {}
	}
	if o.Scrollback == 0 {
		o.Scrollback = DefaultScrollback
	}
	e := &Emulator{
		screens: screens{cols: clampSize(o.Cols), rows: clampSize(o.Rows)},
		tables:  tables{styles: newStyleTable(), clusters: newTable[string](), links: newTable("")},
		reports: reports{palette: newPalette(o.Foreground, o.Background)},
		history: newHistory(max(o.Scrollback, 0)),
		opts:    o, newGrid: newGrid,
	}
	e.main = e.newPage(true)
	e.page = e.main
	e.reset()
	return e
}

func (e *Emulator) newPage(main bool) *page {
	p := newPage(e.newGrid(e.cols, e.rows), e.cols, e.rows, &e.clock)
	p.mainScreen = main
	return p
}

func clampSize(n int) int { return max(1, min(n, maxSize)) }

// reset is RIS for everything but the history, the titles and the cells.
func (e *Emulator) reset() {
	e.page = e.main
	for _, p := range []*page{e.main, e.alt} {
		if p != nil {
			p.saved, p.kitty = savedCursor{}, nil
		}
	}
	e.cur = cursor{}
	e.modes = defaultModes
	e.sets = charsets{}
	e.told.shape, e.told.unprotected = 0, 0
	e.guardISO, e.extent, e.pens = false, 0, nil
	e.notice = notice{}
	e.told.progress = Progress{}
	e.last.forget()
	e.resetMargins()
	e.resetTabs()
	e.setPen(style{})
	if e.palette.set {
		e.recolored()
	}
	e.palette.reset()
}

// ris puts the terminal back into the state it started in (RIS). The history
// stays: only ED 3 clears it.
func (e *Emulator) ris() {
	e.reset()
	if e.alt != nil {
		e.alt.eraseRows(0, e.rows-1, 0)
	}
	e.main.eraseRows(0, e.rows-1, 0)
	e.titles, e.last.again = titles{}, nil
}

// softReset is DECSTR (VT510 manual).
func (e *Emulator) softReset() {
	m := defaultModes
	m.keepOver(e.modes)
	e.modes = m
	e.sets = charsets{}
	e.page.saved = savedCursor{}
	e.guardISO, e.extent = false, 0
	e.resetMargins()
	e.setPen(style{})
	e.cur.pending = false
}

// pushPen and popPen are XTPUSHSGR and XTPOPSGR.

func (e *Emulator) pushPen() {
	if len(e.pens) < maxPens {
		e.pens = append(e.pens, e.pen.style)
	}
}

func (e *Emulator) popPen() {
	if n := len(e.pens); n > 0 {
		s := e.pens[n-1]
		e.pens = e.pens[:n-1]
		// Links and protection are not renditions.
		s.link, s.attr = e.pen.link, s.attr&^isProtected|e.pen.attr&isProtected
		e.setPen(s)
	}
}

// pen is the style that text is written with. Its numbers are asked for when they
// are used: programs set more colours than they write with.
type pen struct {
	style
	id, erase uint32 // noStyle: not asked for yet
}

// noStyle is no style's number.
const noStyle = styleMax + 1

func (e *Emulator) setPen(s style) {
	e.pen.style, e.pen.id, e.pen.erase = s, noStyle, noStyle
	if s.bg == 0 {
		e.pen.erase = 0
	}
}

// penID is the number of the pen's style. It may collect, as styleID does.
func (e *Emulator) penID() uint32 {
	if e.pen.id == noStyle {
		e.pen.id = e.styleID(e.pen.style)
	}
	return e.pen.id
}

// eraseID is the number of the style of blanks that come in: the pen's background
// alone. It may collect, as styleID does.
func (e *Emulator) eraseID() uint32 {
	if e.pen.erase == noStyle {
		e.pen.erase = e.styleID(style{bg: e.pen.bg})
	}
	return e.pen.erase
}

// State is what the emulator knows beside its cells.
func (e *Emulator) State() State {
	return State{
		Modes:    e.inputModes(),
		Title:    e.titles.title,
		IconName: e.titles.icon,
		Dir:      e.told.dir,
		Bells:    e.told.bells,
		Progress: e.told.progress,
		Status:   e.told.status,
	}
}
