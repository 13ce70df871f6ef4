package vt

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// reply answers a program.
func (e *Emulator) reply(format string, args ...any) {
	e.opts.Reply(fmt.Appendf(nil, format, args...))
}

// The attributes are those of a VT420 in UTF-8 mode: 22 ANSI colour, 28
// rectangular editing; 52 writing the clipboard.
func (e *Emulator) primaryAttributes() {
	clipboard := ""
	if e.opts.Clipboard != nil {
		clipboard = ";52"
	}
	e.reply("\x1b[?64;22;28%sc", clipboard)
}

// secondaryAttributes names a version of xterm, as most terminals do: editors take
// from it that colours can be asked for and that the mouse reports as SGR.
func (e *Emulator) secondaryAttributes() {
	if e.parser.arg(0, 0) == 0 {
		e.reply("\x1b[>41;354;0c")
	}
}

func (e *Emulator) tertiaryAttributes() {
	if e.parser.arg(0, 0) == 0 {
		e.reply("\x1bP!|00000000\x1b\\")
	}
}

// version names no number: programs would take it for a promise.
func (e *Emulator) version() {
	if e.parser.arg(0, 0) == 0 {
		e.reply("\x1bP>|Reprise\x1b\\")
	}
}

// statusReport is DSR and CPR.
func (e *Emulator) statusReport() {
	switch e.parser.arg(0, 0) {
	case 5:
		e.reply("\x1b[0n")
	case 6:
		e.reply("\x1b[%d;%dR", e.line()+1, e.column()+1)
	}
}

func (e *Emulator) privateReport() {
	switch n := e.parser.arg(0, 0); n {
	case 6: // DECXCPR, without the page as most have it
		e.reply("\x1b[?%d;%dR", e.line()+1, e.column()+1)
	case 63: // the checksum of no macros
		e.reply("\x1bP%d!~0000\x1b\\", e.parser.arg(1, 0))
	case 996:
		e.reportColors()
	default:
		if s, ok := deviceReports[n]; ok {
			e.reply("\x1b[%s", s)
		}
	}
}

// deviceReports are the answers to DEC's queries about devices that a pane does not
// have (VT420 manual, "Device Status Reports").
var deviceReports = map[int]string{
	15: "?13n",       // no printer
	25: "?21n",       // user-defined keys are locked: there are none
	26: "?27;1;0;0n", // a North American keyboard, ready
	53: "?50n",       // no locator
	55: "?50n",
	56: "?57;0n", // so its kind is unknown
	62: "0*{",    // no space for macros
	75: "?70n",   // the data is sound
	85: "?83n",   // no sessions
}

// reportColors tells whether the colours are dark (1) or light (2), as contour's
// mode 2031 has it.
func (e *Emulator) reportColors() {
	kind := 1
	if e.palette.isLight() {
		kind = 2
	}
	e.reply("\x1b[?997;%dn", kind)
}

// reportSize tells a program its size in band (mode 2048). Pixels are not known.
func (e *Emulator) reportSize() {
	if e.modes.resizeReport {
		e.reply("\x1b[48;%d;%d;0;0t", e.rows, e.cols)
	}
}

// ModeSet reports whether a mode is set, one of DECSET's if it is private, else one
// of SM's; false if the mode is not known.
func (e *Emulator) ModeSet(number int, private bool) bool {
	table := ansiModes
	if private {
		table = decModes
	}
	m, ok := table[number]
	return ok && m.get(e)
}

// reportMode answers DECRQM: 0 unknown, 1 set, 2 reset, 3 permanently set, 4
// permanently reset.
func (e *Emulator) reportMode(table map[int]mode, prefix string) {
	n := e.parser.arg(0, 0)
	state := 0
	if m, ok := table[n]; ok {
		switch {
		case m.set == nil && m.get(e):
			state = 3
		case m.set == nil:
			state = 4
		case m.get(e):
			state = 1
		default:
			state = 2
		}
	}
	e.reply("\x1b[%s%d;%d$y", prefix, n, state)
}

func (e *Emulator) kittyQuery() {
	e.reply("\x1b[?%du", e.inputModes().Kitty)
}

func (e *Emulator) reportModifyKeys() {
	if e.parser.arg(0, 0) == 4 {
		e.reply("\x1b[>4;%dm", e.modes.modifyKeys)
	}
}

// windowOp obeys what XTWINOPS asks without touching a window: sizes in cells and
// the stack of titles. Reports of titles are refused, because they would put text
// of a program's choice into the input.
func (e *Emulator) windowOp() {
	switch e.parser.arg(0, 0) {
	case 11: // not iconified
		e.reply("\x1b[1t")
	case 18:
		e.reply("\x1b[8;%d;%dt", e.rows, e.cols)
	case 19:
		e.reply("\x1b[9;%d;%dt", e.rows, e.cols)
	case 22:
		e.titles.push()
	case 23:
		e.titles.pop(e.parser.arg(1, 0))
	}
}

// dcs answers the two queries that come as device control strings; the rest,
// pictures among it, is swallowed.
func (e *Emulator) dcs(s []byte) {
	switch {
	case bytes.HasPrefix(s, []byte("$q")):
		e.reportSetting(string(s[2:]))
	case bytes.HasPrefix(s, []byte("+q")):
		e.reportCapabilities(string(s[2:]))
	}
}

// settings are what DECRQSS can ask for.
var settings = map[string]func(*Emulator) string{
	"m": func(e *Emulator) string { // as libvterm and xterm do: the 0 only alone
		if b := e.pen.style.appendSGR(nil); len(b) > 0 {
			return string(b[1:])
		}
		return "0"
	},
	"r":  func(e *Emulator) string { return fmt.Sprintf("%d;%d", e.margins.top+1, e.margins.bottom+1) },
	"s":  func(e *Emulator) string { return fmt.Sprintf("%d;%d", e.margins.left+1, e.margins.right+1) },
	"t":  func(e *Emulator) string { return strconv.Itoa(e.rows) },
	" q": func(e *Emulator) string { return strconv.Itoa(int(max(e.told.shape, 1))) },
	"\"q": func(e *Emulator) string {
		if e.pen.attr&isProtected != 0 {
			return "1"
		}
		return strconv.Itoa(int(e.told.unprotected))
	},
	"*x":  func(e *Emulator) string { return strconv.Itoa(int(e.extent)) },
	"$}":  func(*Emulator) string { return "0" }, // there is no status line
	"$~":  func(*Emulator) string { return "0" },
	"\"p": func(*Emulator) string { return "64;1" },
	"$|":  func(e *Emulator) string { return strconv.Itoa(e.cols) },
	"*|":  func(e *Emulator) string { return strconv.Itoa(e.rows) },
}

func (e *Emulator) reportSetting(name string) {
	f, ok := settings[name]
	if !ok {
		e.reply("\x1bP0$r\x1b\\")
		return
	}
	e.reply("\x1bP1$r%s%s\x1b\\", f(e), name)
}

// capabilities are what XTGETTCAP can ask for, by the names of terminfo(5) and
// those that tmux and kitty added. An empty value is a flag.
var capabilities = map[string]string{
	"TN":     "xterm-256color",
	"name":   "xterm-256color",
	"Co":     "256",
	"colors": "256",
	"RGB":    "8",
	"Tc":     "",
	"Su":     "",
	"Smulx":  "\x1b[4:%p1%dm",
	"Setulc": "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm",
	"Ss":     "\x1b[%p1%d q",
	"Se":     "\x1b[2 q",
	"Sync":   "\x1b[?2026%?%p1%{1}%-%tl%eh%;",
	"bce":    "",
}

// reportCapabilities answers each name by itself, as xterm does.
func (e *Emulator) reportCapabilities(names string) {
	for name := range strings.SplitSeq(names, ";") {
		raw, err := hex.DecodeString(name)
		if err != nil || len(raw) == 0 || len(raw) > 16 {
			e.reply("\x1bP0+r\x1b\\")
			return
		}
		v, ok := capabilities[string(raw)]
		switch {
		case !ok:
			e.reply("\x1bP0+r%s\x1b\\", strings.ToUpper(name))
		case v == "":
			e.reply("\x1bP1+r%s\x1b\\", strings.ToUpper(name))
		default:
			e.reply("\x1bP1+r%s=%X\x1b\\", strings.ToUpper(name), v)
		}
	}
}
