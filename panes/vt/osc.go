package vt

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

const (
	maxTitle     = 256 // cells
	maxTitles    = 16  // in the stack
	maxDir       = 4096
	maxWord      = 64
	maxClipboard = 768 << 10
)

// Progress is what a program tells of how far it is (OSC 9;4, ConEmu's).
type Progress struct {
	State   uint8 // 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused
	Percent uint8 // 0 to 100
}

// Status is what a program tells of what it does (OSC 7501, the Program Status
// Protocol). Each is at most 64 bytes of printable ASCII; all are empty until a
// program tells, and after it clears.
type Status struct {
	State string // idle, working, done, blocked, error
	App   string
	Kind  string // why it is blocked, for example permission
}

// oscTable has the operating system commands by number. What is not here is
// swallowed.
var oscTable = map[int]func(*Emulator, []byte){
	0:    func(e *Emulator, s []byte) { e.setTitle(s); e.setIcon(s) },
	1:    (*Emulator).setIcon,
	2:    (*Emulator).setTitle,
	4:    (*Emulator).indexedColors,
	7:    (*Emulator).setDir,
	8:    (*Emulator).setLink,
	9:    (*Emulator).progressOrNotice,
	10:   func(e *Emulator, s []byte) { e.specialColors(0, s) },
	11:   func(e *Emulator, s []byte) { e.specialColors(1, s) },
	12:   func(e *Emulator, s []byte) { e.specialColors(2, s) },
	52:   (*Emulator).setClipboard,
	99:   (*Emulator).kittyNotice,
	104:  (*Emulator).resetIndexed,
	110:  func(e *Emulator, _ []byte) { e.palette.resetSpecial(specialFG); e.recolored() },
	111:  func(e *Emulator, _ []byte) { e.palette.resetSpecial(specialBG); e.recolored() },
	112:  func(e *Emulator, _ []byte) { e.palette.resetSpecial(specialCursor); e.recolored() },
	133:  (*Emulator).promptMark,
	777:  (*Emulator).urxvtNotice,
	7501: (*Emulator).setStatus,
}

func (e *Emulator) osc(s []byte) {
	number, rest, _ := bytes.Cut(s, []byte(";"))
	if len(number) == 0 || len(number) > 5 {
		return
	}
	n, err := strconv.Atoi(string(number))
	if err != nil {
		return
	}
	if f := oscTable[n]; f != nil {
		f(e, rest)
	}
}

// printable is s without what is not printable, at most max cells of it, cut at a
// cluster. What is broken becomes U+FFFD.
func printable(s []byte, limit int) string {
	var b strings.Builder
	width := 0
	if len(s) > 16*limit {
		s = s[:16*limit] // enough for any text that is worth showing
	}
	it := graphemes.FromBytes(bytes.ToValidUTF8(s, replacement))
	for it.Next() {
		c := it.Value()
		r, _ := utf8.DecodeRune(c)
		if unicode.IsControl(r) || len(c) > clusterBytes || bytes.ContainsFunc(c, isHidden) {
			continue
		}
		if width += displaywidth.Bytes(c); width > limit {
			break
		}
		b.Write(c)
	}
	return b.String()
}

// isHidden finds what reorders or hides text: bidirectional controls and the like.
// The joiners within clusters are not among them.
func isHidden(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 ||
		r == 0x200E || r == 0x200F || r == 0x061C || r == 0xFEFF || r == 0x2028 || r == 0x2029 || isReserved(r)
}

// titles are the titles of the window and of its icon, and the stack of them
// (XTWINOPS 22 and 23).
type titles struct {
	title, icon string
	stack       [][2]string
}

func (t *titles) push() {
	if len(t.stack) == maxTitles {
		t.stack = t.stack[:copy(t.stack, t.stack[1:])]
	}
	t.stack = append(t.stack, [2]string{t.title, t.icon})
}

// pop brings back both titles (0), the icon's (1) or the window's (2).
func (t *titles) pop(which int) {
	n := len(t.stack)
	if n == 0 {
		return
	}
	if which != 1 {
		t.title = t.stack[n-1][0]
	}
	if which != 2 {
		t.icon = t.stack[n-1][1]
	}
	t.stack = t.stack[:n-1]
}

func (e *Emulator) setTitle(s []byte) { e.titles.title = printable(s, maxTitle) }

func (e *Emulator) setIcon(s []byte) { e.titles.icon = printable(s, maxTitle) }

// setDir takes a file URL with an absolute path; the host in it is not looked at,
// because it cannot be trusted to be this one's name.
func (e *Emulator) setDir(s []byte) {
	if len(s) > maxDir {
		return
	}
	u, err := url.Parse(string(s))
	if err != nil || u.Scheme != "file" || !strings.HasPrefix(u.Path, "/") ||
		!utf8.ValidString(u.Path) || strings.ContainsFunc(u.Path, unicode.IsControl) {
		return
	}
	e.told.dir = u.Path
}

// setLink begins or ends a hyperlink (OSC 8). Its parameters are not looked at:
// cells with one target are one link.
func (e *Emulator) setLink(s []byte) {
	_, target, ok := bytes.Cut(s, []byte(";"))
	if !ok {
		return
	}
	if bytes.ContainsFunc(target, func(r rune) bool { return r <= 0x20 || r >= 0x7F }) {
		target = nil // a URI is printable ASCII; anything else would reach the outer terminal
	}
	st := e.pen.style
	st.link = e.linkID(target)
	e.setPen(st)
}

func (e *Emulator) progressOrNotice(s []byte) {
	rest, ok := bytes.CutPrefix(s, []byte("4;"))
	if !ok {
		if len(s) > 2 && s[0] >= '1' && s[0] <= '9' && s[1] == ';' {
			return // another of ConEmu's commands
		}
		e.notify(nil, s)
		return
	}
	state, percent, _ := bytes.Cut(rest, []byte(";"))
	n, err := strconv.ParseUint(string(state), 10, 8)
	if err != nil || n > 4 {
		return
	}
	p := Progress{State: uint8(n)}
	if n == 1 || n == 2 || n == 4 {
		v, err := strconv.ParseUint(string(percent), 10, 8)
		switch {
		case err == nil:
			p.Percent = uint8(min(v, 100))
		case n != 1: // without a number an error or a pause keeps what there was
			p.Percent = e.told.progress.Percent
		}
	}
	e.told.progress = p
}

// setClipboard is OSC 52. A query is never answered.
func (e *Emulator) setClipboard(s []byte) {
	_, data, ok := bytes.Cut(s, []byte(";"))
	if !ok || e.opts.Clipboard == nil || string(data) == "?" {
		return
	}
	if text, ok := decode64(data); ok && len(text) <= maxClipboard {
		e.opts.Clipboard(text)
	}
}

// decode64 reads base64 with its padding or without, which some leave out.
func decode64(b []byte) ([]byte, bool) {
	text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(b), "="))
	return text, err == nil
}

// promptMark is OSC 133 (FinalTerm): A a prompt, B a command line, C its output, D
// its end.
func (e *Emulator) promptMark(s []byte) {
	if len(s) > 0 && s[0] >= 'A' && s[0] <= 'D' {
		e.page.rows[e.cur.y].mark = s[0]
	}
}

func (e *Emulator) setStatus(s []byte) {
	var st Status
	fields := map[string]*string{"state": &st.State, "app": &st.App, "kind": &st.Kind}
	for part := range bytes.SplitSeq(s, []byte(":")) {
		key, value, ok := bytes.Cut(bytes.TrimSpace(part), []byte("="))
		to := fields[string(key)]
		if !ok || to == nil || len(value) > maxWord || bytes.ContainsFunc(value, func(r rune) bool { return r <= 0x20 || r >= 0x7F }) {
			continue
		}
		*to = string(value)
	}
	if st.State == "" {
		return
	}
	if st.State == "clear" {
		st = Status{}
	}
	e.told.status = st
}

// Colours.

func (e *Emulator) replyColor(name string, c uint32) {
	end := "\x1b\\"
	if e.parser.bell {
		end = "\a"
	}
	r, g, b := c>>16, c>>8&255, c&255
	e.reply("\x1b]%s;rgb:%02x%02x/%02x%02x/%02x%02x%s", name, r, r, g, g, b, b, end)
}

// recolored says that cells may look different without having been written: all
// rows are copied anew.
func (e *Emulator) recolored() { e.epoch++ }

// specialColors takes the colours from number i on (10, 11, 12): each that follows
// is the next number's.
func (e *Emulator) specialColors(i int, s []byte) {
	for spec := range strings.SplitSeq(string(s), ";") {
		if i >= len(e.palette.special) {
			return
		}
		if spec == "?" {
			e.replyColor(strconv.Itoa(10+i), e.palette.special[i])
		} else if c, ok := parseColor(spec); ok {
			e.palette.setSpecial(i, c)
			e.recolored()
		}
		i++
	}
}

// indexedColors takes pairs of an index and a colour or a question mark.
func (e *Emulator) indexedColors(s []byte) {
	parts := strings.Split(string(s), ";")
	if len(parts) > 2*256 {
		return
	}
	for len(parts) >= 2 {
		i, err := strconv.Atoi(parts[0])
		if err != nil || i < 0 || i > 255 {
			return
		}
		if parts[1] == "?" {
			e.replyColor("4;"+strconv.Itoa(i), e.palette.indexed[i])
		} else if c, ok := parseColor(parts[1]); ok {
			e.palette.setIndexed(i, c)
			e.recolored()
		}
		parts = parts[2:]
	}
}

func (e *Emulator) resetIndexed(s []byte) {
	e.recolored()
	if len(s) == 0 {
		for i := range e.palette.indexed {
			e.palette.resetIndexed(i)
		}
		return
	}
	for part := range strings.SplitSeq(string(s), ";") {
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && i < 256 {
			e.palette.resetIndexed(i)
		}
	}
}
