package vt

// Control sequences, by final byte, each with what stands before it: the prefix
// (< = > ?) or the intermediate. All positions and counts are parameters clamped
// by the parser and by what they are used for. Names are those of ECMA-48, DEC
// (VT510 manual) and xterm (ctlseqs).

// csiTable has the sequences without a prefix or an intermediate.
var csiTable = [128]func(*Emulator){
	'@': func(e *Emulator) { e.insertChars(e.parser.arg(0, 1)) },                    // ICH
	'A': func(e *Emulator) { e.up(e.parser.arg(0, 1)) },                             // CUU
	'B': func(e *Emulator) { e.down(e.parser.arg(0, 1)) },                           // CUD
	'C': func(e *Emulator) { e.forward(e.parser.arg(0, 1)) },                        // CUF
	'D': func(e *Emulator) { e.back(e.parser.arg(0, 1)) },                           // CUB
	'E': func(e *Emulator) { e.down(e.parser.arg(0, 1)); e.carriageReturn() },       // CNL
	'F': func(e *Emulator) { e.up(e.parser.arg(0, 1)); e.carriageReturn() },         // CPL
	'G': func(e *Emulator) { e.toColumn(e.parser.arg(0, 1) - 1) },                   // CHA
	'H': func(e *Emulator) { e.moveTo(e.parser.arg(1, 1)-1, e.parser.arg(0, 1)-1) }, // CUP
	'I': func(e *Emulator) { e.tab(e.parser.arg(0, 1)) },                            // CHT
	'J': func(e *Emulator) { e.eraseDisplay(e.parser.arg(0, 0)) },                   // ED
	'K': func(e *Emulator) { e.eraseLine(e.parser.arg(0, 0)) },                      // EL
	'L': func(e *Emulator) { e.insertLines(e.parser.arg(0, 1)) },                    // IL
	'M': func(e *Emulator) { e.deleteLines(e.parser.arg(0, 1)) },                    // DL
	'P': func(e *Emulator) { e.deleteChars(e.parser.arg(0, 1)) },                    // DCH
	'S': func(e *Emulator) { e.scrollUp(e.parser.arg(0, 1)) },                       // SU
	'T': (*Emulator).csiScrollDown,                                                  // SD
	'X': func(e *Emulator) { e.eraseChars(e.parser.arg(0, 1)) },                     // ECH
	'Z': func(e *Emulator) { e.backTab(e.parser.arg(0, 1)) },                        // CBT
	'^': func(e *Emulator) { e.scrollDown(e.parser.arg(0, 1)) },                     // SD, ECMA's final
	'`': func(e *Emulator) { e.toColumn(e.parser.arg(0, 1) - 1) },                   // HPA
	'a': func(e *Emulator) { e.toColumn(e.column() + e.parser.arg(0, 1)) },          // HPR
	'b': func(e *Emulator) { e.repeat(e.parser.arg(0, 1)) },                         // REP
	'c': func(e *Emulator) { // DA1
		if e.parser.arg(0, 0) == 0 {
			e.primaryAttributes()
		}
	},
	'd': func(e *Emulator) { e.toRow(e.parser.arg(0, 1) - 1) },                      // VPA
	'e': func(e *Emulator) { e.toRow(e.line() + e.parser.arg(0, 1)) },               // VPR
	'f': func(e *Emulator) { e.moveTo(e.parser.arg(1, 1)-1, e.parser.arg(0, 1)-1) }, // HVP
	'g': (*Emulator).clearTabs,                                                      // TBC
	'h': func(e *Emulator) { e.setModes(ansiModes, true) },                          // SM
	'j': func(e *Emulator) { e.toColumn(max(0, e.column()-e.parser.arg(0, 1))) },    // HPB
	'k': func(e *Emulator) { e.toRow(max(0, e.line()-e.parser.arg(0, 1))) },         // VPB
	'l': func(e *Emulator) { e.setModes(ansiModes, false) },                         // RM
	'm': (*Emulator).sgr,                                                            // SGR
	'n': (*Emulator).statusReport,                                                   // DSR
	'r': (*Emulator).setRows,                                                        // DECSTBM
	's': (*Emulator).setColumns,                                                     // SCOSC, DECSLRM
	't': (*Emulator).windowOp,                                                       // XTWINOPS
	'u': (*Emulator).restore,                                                        // SCORC
}

// csiMore has the others, by prefix, intermediate and final.
var csiMore = map[[3]byte]func(*Emulator){
	{'?', 0, 'J'}: func(e *Emulator) { e.selectiveEraseDisplay(e.parser.arg(0, 0)) }, // DECSED
	{'?', 0, 'K'}: func(e *Emulator) { e.selectiveEraseLine(e.parser.arg(0, 0)) },    // DECSEL
	{'?', 0, 'W'}: func(e *Emulator) { // DECST8C
		if e.parser.arg(0, 0) == 5 {
			e.resetTabs()
		}
	},
	{'?', 0, 'h'}:   func(e *Emulator) { e.setModes(decModes, true) },           // DECSET
	{'?', 0, 'l'}:   func(e *Emulator) { e.setModes(decModes, false) },          // DECRST
	{'?', 0, 'r'}:   (*Emulator).restoreModes,                                   // XTRESTORE
	{'?', 0, 's'}:   (*Emulator).saveModes,                                      // XTSAVE
	{'?', 0, 'n'}:   (*Emulator).privateReport,                                  // DSR, DEC's
	{'?', 0, 'u'}:   (*Emulator).kittyQuery,                                     // kitty keyboard
	{'>', 0, 'u'}:   (*Emulator).kittyPush,                                      //
	{'<', 0, 'u'}:   (*Emulator).kittyPop,                                       //
	{'=', 0, 'u'}:   (*Emulator).kittySet,                                       //
	{'>', 0, 'm'}:   (*Emulator).setModifyKeys,                                  // XTMODKEYS
	{'?', 0, 'm'}:   (*Emulator).reportModifyKeys,                               // XTQMODKEYS
	{'>', 0, 'n'}:   (*Emulator).resetModifyKeys,                                //
	{'>', 0, 'c'}:   (*Emulator).secondaryAttributes,                            // DA2
	{'=', 0, 'c'}:   (*Emulator).tertiaryAttributes,                             // DA3
	{'>', 0, 'q'}:   (*Emulator).version,                                        // XTVERSION
	{0, ' ', 'q'}:   (*Emulator).setCursorShape,                                 // DECSCUSR
	{0, ' ', '@'}:   func(e *Emulator) { e.csiShiftColumns(-1) },                // SL
	{0, ' ', 'A'}:   func(e *Emulator) { e.csiShiftColumns(1) },                 // SR
	{0, '!', 'p'}:   (*Emulator).softReset,                                      // DECSTR
	{0, '"', 'q'}:   (*Emulator).setProtection,                                  // DECSCA
	{0, '$', 'p'}:   func(e *Emulator) { e.reportMode(ansiModes, "") },          // DECRQM
	{'?', '$', 'p'}: func(e *Emulator) { e.reportMode(decModes, "?") },          //
	{0, '$', 'v'}:   (*Emulator).copyBox,                                        // DECCRA
	{0, '$', 'x'}:   (*Emulator).fillBox,                                        // DECFRA
	{0, '$', 'z'}:   (*Emulator).eraseBox,                                       // DECERA
	{0, '$', '{'}:   (*Emulator).selectiveEraseBox,                              // DECSERA
	{0, '$', 'r'}:   (*Emulator).changeBox,                                      // DECCARA
	{0, '$', 't'}:   (*Emulator).reverseBox,                                     // DECRARA
	{0, '*', 'x'}:   (*Emulator).setExtent,                                      // DECSACE
	{0, '#', '{'}:   (*Emulator).pushPen,                                        // XTPUSHSGR
	{0, '#', 'p'}:   (*Emulator).pushPen,                                        //
	{0, '#', '}'}:   (*Emulator).popPen,                                         // XTPOPSGR
	{0, '#', 'q'}:   (*Emulator).popPen,                                         //
	{0, '\'', '}'}:  func(e *Emulator) { e.insertColumns(e.parser.arg(0, 1)) },  // DECIC
	{0, '\'', '~'}:  func(e *Emulator) { e.insertColumns(-e.parser.arg(0, 1)) }, // DECDC
}

func (e *Emulator) csi(final byte) {
	p := &e.parser
	var f func(*Emulator)
	if p.prefix == 0 && p.inter == 0 {
		f = csiTable[final]
	} else {
		f = csiMore[[3]byte{p.prefix, p.inter, final}]
	}
	// A mark may still join what was printed before a change of colour.
	switch final {
	case 'm', 'b':
	default:
		e.last.forget()
	}
	if f != nil {
		f(e)
	}
}

// column and line are the cursor's position as programs count it, from 0.

func (e *Emulator) column() int {
	if e.modes.origin {
		return e.cur.x - e.margins.left
	}
	return e.cur.x
}

func (e *Emulator) line() int {
	if e.modes.origin {
		return e.cur.y - e.margins.top
	}
	return e.cur.y
}

func (e *Emulator) toColumn(x int) {
	y := e.cur.y
	e.moveTo(x, 0)
	e.cur.y = y
}

func (e *Emulator) toRow(y int) {
	x := e.cur.x
	e.moveTo(0, y)
	e.cur.x = x
}

// csiScrollDown leaves alone the five parameters of mouse highlighting.
func (e *Emulator) csiScrollDown() {
	if e.parser.n <= 1 {
		e.scrollDown(e.parser.arg(0, 1))
	}
}

func (e *Emulator) csiShiftColumns(sign int) {
	if e.inRegion() {
		e.shiftColumns(e.margins.left, sign*e.parser.arg(0, 1))
	}
}

func (e *Emulator) clearTabs() {
	switch e.parser.arg(0, 0) {
	case 0:
		e.tabs[e.cur.x] = false
	case 3:
		clear(e.tabs)
	}
}

func (e *Emulator) setRows() {
	top, bottom := e.parser.arg(0, 1)-1, min(e.parser.arg(1, e.rows), e.rows)-1
	if top < bottom {
		e.margins.top, e.margins.bottom = top, bottom
		e.moveTo(0, 0)
	}
}

// setColumns is DECSLRM where DECLRMM allows it, else it saves the cursor.
func (e *Emulator) setColumns() {
	if !e.modes.sideMargins {
		if e.parser.n == 0 {
			e.save()
		}
		return
	}
	left, right := e.parser.arg(0, 1)-1, min(e.parser.arg(1, e.cols), e.cols)-1
	if left < right {
		e.margins.left, e.margins.right = left, right
		e.moveTo(0, 0)
	}
}

func (e *Emulator) setCursorShape() {
	if n := e.parser.arg(0, 0); n <= 6 {
		e.told.shape = uint8(n)
	}
}
