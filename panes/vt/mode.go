package vt

// modeSet is every mode that can be set and reset.
type modeSet struct {
	// ANSI modes.
	insert, newLine bool
	// Of the screen.
	appCursor, reverseScreen, origin, autowrap, visible           bool
	reverseWrap, reverseWrapAll, sideMargins, moreFix, columns132 bool
	// Of the keyboard and the mouse.
	appKeypad, backspaceBS                   bool
	mouse                                    uint16 // 0, 9, 1000, 1002, 1003
	mouseSGR, focus                          bool
	altScroll, paste                         bool
	synchronized, colorReports, resizeReport bool
	modifyKeys                               uint8
	quiet                                    quietModes
}

// quietModes are those that are remembered for whoever asks and change little else.
type quietModes uint16

const (
	quietKeyboardLock  quietModes = 1 << iota // KAM
	quietNoEcho                               // SRM: what is sent is not echoed here
	quietSmoothScroll                         // DECSCLM
	quietAutoRepeat                           // DECARM
	quietBlink                                // of the cursor (AT&T 610)
	quietPrintFormFeed                        // DECPFF
	quietPrintExtent                          // DECPEX
	quietAllowColumns                         // DECCOLM may clear the screen
	quietNational                             // DECNRCM
	quietKeepOnColumns                        // DECNCSM: DECCOLM clears nothing
)

var defaultModes = modeSet{autowrap: true, visible: true, altScroll: true, quiet: quietNoEcho | quietAutoRepeat}

// keepOver takes over what DECSTR leaves alone: everything that the VT510 did not
// know.
func (m *modeSet) keepOver(old modeSet) {
	visible, wrap := m.visible, m.autowrap
	*m = old
	m.insert, m.origin, m.appCursor, m.appKeypad = false, false, false, false
	m.quiet &^= quietKeyboardLock | quietNational
	m.sideMargins, m.reverseWrap, m.reverseWrapAll = false, false, false
	m.visible, m.autowrap = visible, wrap
}

// mode is a row of the tables: how a mode is read and set. Without set it is
// permanent.
type mode struct {
	get func(*Emulator) bool
	set func(*Emulator, bool)
}

func flag(f func(*modeSet) *bool) mode {
	return mode{
		get: func(e *Emulator) bool { return *f(&e.modes) },
		set: func(e *Emulator, on bool) { *f(&e.modes) = on },
	}
}

func quiet(bit quietModes) mode {
	return mode{
		get: func(e *Emulator) bool { return e.modes.quiet&bit != 0 },
		set: func(e *Emulator, on bool) {
			e.modes.quiet &^= bit
			if on {
				e.modes.quiet |= bit
			}
		},
	}
}

// mouseMode is one of those of which the last that was set counts.
func mouseMode(number uint16) mode {
	return mode{
		get: func(e *Emulator) bool { return e.modes.mouse == number },
		set: func(e *Emulator, on bool) {
			e.modes.mouse = 0
			if on {
				e.modes.mouse = number
			}
		},
	}
}

// never is a mode that can only be reset.
var never = mode{get: func(*Emulator) bool { return false }}

// ansiModes are those of SM and RM.
var ansiModes = map[int]mode{
	2:  quiet(quietKeyboardLock),                           // KAM
	4:  flag(func(m *modeSet) *bool { return &m.insert }),  // IRM
	12: quiet(quietNoEcho),                                 // SRM
	20: flag(func(m *modeSet) *bool { return &m.newLine }), // LNM
	// Those of ECMA-48 that no DEC terminal lets a program set: GATM SRTM VEM HEM
	// PUM FEAM FETM MATM TTM SATM TSM EBM.
	1: never, 5: never, 7: never, 10: never, 11: never, 13: never,
	14: never, 15: never, 16: never, 17: never, 18: never, 19: never,
}

// decModes are those of DECSET and DECRST (xterm ctlseqs; 2026, 2027, 2031 and
// 2048 by the specifications of contour, kitty and ghostty).
var decModes = map[int]mode{
	1: flag(func(m *modeSet) *bool { return &m.appCursor }), // DECCKM
	3: { // DECCOLM: the width is the pane's, but the screen is cleared
		get: func(e *Emulator) bool { return e.modes.columns132 },
		set: (*Emulator).setColumnMode,
	},
	4: quiet(quietSmoothScroll), // DECSCLM
	5: { // DECSCNM
		get: func(e *Emulator) bool { return e.modes.reverseScreen },
		set: (*Emulator).setReverseScreen,
	},
	6: { // DECOM
		get: func(e *Emulator) bool { return e.modes.origin },
		set: func(e *Emulator, on bool) {
			e.modes.origin = on
			e.moveTo(0, 0)
		},
	},
	7: { // DECAWM
		get: func(e *Emulator) bool { return e.modes.autowrap },
		set: func(e *Emulator, on bool) {
			e.modes.autowrap = on
			e.cur.pending = e.cur.pending && on
		},
	},
	8:  quiet(quietAutoRepeat), // DECARM
	9:  mouseMode(9),
	12: quiet(quietBlink),
	18: quiet(quietPrintFormFeed),                          // DECPFF
	19: quiet(quietPrintExtent),                            // DECPEX
	25: flag(func(m *modeSet) *bool { return &m.visible }), // DECTCEM
	40: quiet(quietAllowColumns),
	41: flag(func(m *modeSet) *bool { return &m.moreFix }), // a tab in the last column wraps
	42: quiet(quietNational),                               // DECNRCM
	45: flag(func(m *modeSet) *bool { return &m.reverseWrap }),
	47: {
		get: (*Emulator).onAlt,
		set: func(e *Emulator, on bool) { e.showAlt(on) },
	},
	66: flag(func(m *modeSet) *bool { return &m.appKeypad }),   // DECNKM
	67: flag(func(m *modeSet) *bool { return &m.backspaceBS }), // DECBKM
	69: { // DECLRMM
		get: func(e *Emulator) bool { return e.modes.sideMargins },
		set: func(e *Emulator, on bool) {
			e.modes.sideMargins = on
			e.margins.left, e.margins.right = 0, e.cols-1
		},
	},
	95:   quiet(quietKeepOnColumns), // DECNCSM
	1000: mouseMode(1000),
	1002: mouseMode(1002),
	1003: mouseMode(1003),
	1004: flag(func(m *modeSet) *bool { return &m.focus }),
	1006: flag(func(m *modeSet) *bool { return &m.mouseSGR }),
	1007: flag(func(m *modeSet) *bool { return &m.altScroll }),
	1045: flag(func(m *modeSet) *bool { return &m.reverseWrapAll }),
	1047: {
		get: (*Emulator).onAlt,
		set: func(e *Emulator, on bool) {
			if !on && e.onAlt() {
				e.page.eraseRows(0, e.rows-1, e.eraseID())
			}
			e.showAlt(on)
		},
	},
	1048: {
		get: func(e *Emulator) bool { return e.page.saved.set },
		set: func(e *Emulator, on bool) {
			if on {
				e.save()
			} else {
				e.restore()
			}
		},
	},
	1049: {get: (*Emulator).onAlt, set: (*Emulator).enterAlt},
	2004: flag(func(m *modeSet) *bool { return &m.paste }),
	2026: flag(func(m *modeSet) *bool { return &m.synchronized }),
	2027: {get: func(*Emulator) bool { return true }}, // clusters, always
	2031: flag(func(m *modeSet) *bool { return &m.colorReports }),
	2048: {
		get: func(e *Emulator) bool { return e.modes.resizeReport },
		set: func(e *Emulator, on bool) {
			e.modes.resizeReport = on
			e.reportSize()
		},
	},
}

// setModes sets or resets the modes that the parameters name; unknown ones are
// passed over.
func (e *Emulator) setModes(table map[int]mode, on bool) {
	p := &e.parser
	params, n := p.params, p.n
	for _, v := range params[:n] {
		if m, ok := table[int(v)]; ok && m.set != nil {
			m.set(e, on)
		}
	}
}

// saveModes and restoreModes are XTSAVE and XTRESTORE.

func (e *Emulator) saveModes() {
	for _, v := range e.parser.params[:e.parser.n] {
		if m, ok := decModes[int(v)]; ok && m.set != nil {
			if e.savedModes == nil {
				e.savedModes = map[int]bool{}
			}
			e.savedModes[int(v)] = m.get(e)
		}
	}
}

func (e *Emulator) restoreModes() {
	for _, v := range e.parser.params[:e.parser.n] {
		if on, ok := e.savedModes[int(v)]; ok {
			decModes[int(v)].set(e, on)
		}
	}
}

func (e *Emulator) setReverseScreen(on bool) {
	if e.modes.reverseScreen != on {
		e.modes.reverseScreen = on
		e.epoch++ // every cell looks different
	}
}

// setColumnMode does what DECCOLM does beside changing the width.
func (e *Emulator) setColumnMode(on bool) {
	if e.modes.quiet&quietAllowColumns == 0 {
		return
	}
	e.modes.columns132 = on
	e.resetMargins()
	if e.modes.quiet&quietKeepOnColumns == 0 {
		e.page.eraseRows(0, e.rows-1, e.eraseID())
	}
	e.cur = cursor{}
}

func (e *Emulator) onAlt() bool { return e.page != e.main }

// showAlt switches between the screens.
func (e *Emulator) showAlt(on bool) {
	if on && e.alt == nil {
		e.alt = e.newPage(false)
	}
	if on == e.onAlt() {
		return
	}
	e.page = e.main
	if on {
		e.page = e.alt
	}
	e.clock++ // every row is another now
}

// enterAlt is 1049: the cursor is saved and restored with the switch, and the
// alternate screen starts empty. As in xterm, the cursor is saved and restored
// even if the screen does not change.
func (e *Emulator) enterAlt(on bool) {
	if !on {
		e.showAlt(false)
		e.restore()
		return
	}
	e.save()
	if !e.onAlt() {
		e.showAlt(true)
		e.page.eraseRows(0, e.rows-1, e.eraseID())
	}
}

// inputModes is what those who send input must know.
func (e *Emulator) inputModes() Modes {
	m := &e.modes
	out := Modes{
		AppCursor:       m.appCursor,
		AppKeypad:       m.appKeypad,
		BackspaceBS:     m.backspaceBS,
		NewLine:         m.newLine,
		BracketedPaste:  m.paste,
		FocusEvents:     m.focus,
		AltScreen:       e.onAlt(),
		AltScroll:       m.altScroll,
		Synchronized:    m.synchronized,
		ModifyOtherKeys: m.modifyKeys,
		Mouse:           m.mouse,
		MouseSGR:        m.mouseSGR,
	}
	if k := e.page.kitty; len(k) > 0 {
		out.Kitty = k[len(k)-1]
	}
	return out
}

// The kitty keyboard protocol (sw.kovidgoyal.net/kitty/keyboard-protocol): each
// screen has a stack of flags.

const (
	kittyDepth = 16
	kittyFlags = 31
)

func (e *Emulator) kittyPush() {
	k := e.page.kitty
	if len(k) == kittyDepth {
		k = k[:copy(k, k[1:])]
	}
	e.page.kitty = append(k, uint8(e.parser.arg(0, 0)&kittyFlags))
}

func (e *Emulator) kittyPop() {
	k := e.page.kitty
	e.page.kitty = k[:max(0, len(k)-e.parser.arg(0, 1))]
}

func (e *Emulator) kittySet() {
	if len(e.page.kitty) == 0 {
		e.page.kitty = append(e.page.kitty, 0)
	}
	top := &e.page.kitty[len(e.page.kitty)-1]
	flags := uint8(e.parser.arg(0, 0) & kittyFlags)
	switch e.parser.arg(1, 1) {
	case 1:
		*top = flags
	case 2:
		*top |= flags
	case 3:
		*top &^= flags
	}
}

// setModifyKeys is XTMODKEYS, of which only modifyOtherKeys (4) exists here.
func (e *Emulator) setModifyKeys() {
	switch e.parser.arg(0, 0) {
	case 4:
		if v := e.parser.arg(1, 0); v <= 2 {
			e.modes.modifyKeys = uint8(v)
		}
	case 0:
		if e.parser.n == 0 {
			e.modes.modifyKeys = 0
		}
	}
}

func (e *Emulator) resetModifyKeys() {
	if e.parser.arg(0, 0) == 4 {
		e.modes.modifyKeys = 0
	}
}
