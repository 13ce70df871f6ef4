package panes

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"reprise/panes/input"
	"reprise/panes/vt"
)

// draft is how much of what was typed and pasted at a program was not sent off by
// enter: what stands in its line of input, as far as keys tell.
type draft struct {
	mu sync.Mutex
	n  int // about how many letters
	// kept are those of n that two escapes, soon after each other, did not drop, if it
	// was that what they did; escapes is when the first of the last such two was pressed.
	kept    int
	escapes time.Time // zero: there were none
	esc     time.Time // when the last key was an escape; zero: it was another one
	// open: a paste with marks has begun, of which the end has not come: a program sends
	// nothing off in it, whatever comes.
	open bool
}

// escTime is how soon a second escape must come after the first to count with it. Where
// it empties the line a little longer is allowed.
const escTime = 500 * time.Millisecond

// take takes in one key, text or piece of a paste.
func (d *draft) take(b []byte, of source, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	start, end := input.PasteStart(marked), input.PasteEnd(marked)
	switch {
	case bytes.Equal(b, end):
		d.open = false
	case d.open:
		d.add(utf8.RuneCount(b))
	case bytes.Equal(b, start):
		d.open = true
	case bytes.HasPrefix(b, start) && bytes.HasSuffix(b, end): // a whole one
		d.add(utf8.RuneCount(b))
	default:
		if k, ok := keyOf(b); ok && of == typed {
			d.press(k, now)
			return
		}
		if d.add(utf8.RuneCount(b)); b[len(b)-1] == '\r' { // text and enter in one
			d.empty()
		}
	}
	d.esc = time.Time{}
}

func (d *draft) add(n int) { d.n, d.kept = max(0, d.n+n), max(0, d.kept+n) }

func (d *draft) empty() { d.n, d.kept = 0, 0 }

// press takes in a key.
func (d *draft) press(k keyPress, now time.Time) {
	if k.released {
		return
	}
	before := d.esc
	d.esc = time.Time{}
	switch {
	case k.code == '\r' && k.mods == 0, k.mods == modCtrl && (k.code == 'c' || k.code == 'u'):
		d.empty()
	case k.code == 0x1b && k.mods == 0 && !before.IsZero() && now.Sub(before) <= escTime:
		d.kept, d.escapes = 0, before
	case k.code == 0x1b && k.mods == 0:
		d.esc = now
	case k.code == 0x7f && k.mods&^modShift == 0:
		d.add(-1)
	default:
		d.add(k.text)
	}
}

// marked are the modes of a program that wants pastes marked.
var marked = vt.Modes{BracketedPaste: true}

// left is how much it is for a program that empties its line when escape is pressed
// twice, but does other things if it does not rest then, as it does since rests; nil: for
// one that does not empty it.
func (d *draft) left(rests *time.Time) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if rests != nil && rests.Before(d.escapes) {
		return d.kept
	}
	return d.n
}

// handOver and takeOver carry it to the next image of the process. What an image that
// tells less leaves out counts as still there.
func (d *draft) handOver(x *Handover) {
	d.mu.Lock()
	defer d.mu.Unlock()
	x.Draft, x.Dropped, x.Escapes, x.Pasting = d.n, d.n-d.kept, d.escapes, d.open
}

func (d *draft) takeOver(x Handover) {
	d.n, d.escapes, d.open = max(0, x.Draft), x.Escapes, x.Pasting
	d.kept = min(max(0, d.n-x.Dropped), d.n)
}

// Drafted reports whether something was typed or pasted here that was not sent off
// since. rests is since when a program rests that empties its line when escape is pressed
// twice while it does: escapes before that may have ended its turn, or refused what it
// asked. nil: escape empties nothing, or it does not rest. It is a guess by the keys
// alone: what stands in a program's line it keeps to itself.
func (t *Terminal) Drafted(rests *time.Time) bool { return t.draft.left(rests) > 0 }

// keyPress is a key as a program is sent it.
type keyPress struct {
	code     int // of the key without modifiers: '\r', 0x7f, 0x1b and tab as in ASCII
	mods     int // of mod*
	text     int // how many letters it types
	released bool
}

// Modifiers of keys, as xterm and kitty count them. Locks are left out.
const (
	modShift = 1
	modAlt   = 2
	modCtrl  = 4
	modLocks = 64 | 128
)

// keyOf reads one key: false: it is text.
func keyOf(b []byte) (k keyPress, ok bool) {
	if len(b) > 1 {
		if b[0] != 0x1b {
			return k, false
		}
		return reported(b), true
	}
	switch c := b[0]; {
	case c == '\r':
		k.code = '\r'
	case c == '\n': // ctrl+j: a new line of a message
		k.code, k.text = '\n', 1
	case c == 0x7f || c == '\b':
		k.code = 0x7f
	case c == 0x1b:
		k.code = 0x1b
	case c == '\t':
		k.code, k.text = '\t', 1
	case c < ' ':
		k.code, k.mods = int(c)|0x60, modCtrl
	default:
		k.code, k.text = int(c), 1
	}
	return k, true
}

// reported reads a key that is sent as an escape sequence: CSI code:…;modifiers:event;text u
// (kitty keyboard protocol, "An overview"), CSI 27;modifiers;code ~ (xterm,
// modifyOtherKeys). Any other types nothing.
func reported(b []byte) (k keyPress) {
	seq, isCSI := bytes.CutPrefix(b, []byte("\x1b["))
	if !isCSI || len(seq) == 0 {
		return k
	}
	fields := strings.Split(string(seq[:len(seq)-1]), ";")
	switch last := seq[len(seq)-1]; {
	case last == 'u':
	case last == '~' && len(fields) == 3 && fields[0] == "27":
		fields = []string{fields[2], fields[1]}
	default:
		return k
	}
	number := func(i, part int) int {
		if i >= len(fields) {
			return 0
		}
		parts := strings.Split(fields[i], ":")
		if part >= len(parts) {
			return 0
		}
		n, err := strconv.Atoi(parts[part])
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
	k.code, k.mods, k.released = number(0, 0), max(0, number(1, 0)-1)&^modLocks, number(1, 1) == 3
	// Keys that type nothing have codes of the private use area.
	prints := k.code >= ' ' && k.code != 0x7f && (k.code < 0xe000 || k.code > 0xf8ff) || k.code == '\t'
	if prints && k.mods&^modShift == 0 || len(fields) > 2 && fields[2] != "" {
		k.text = 1
	}
	return k
}

// Foreground reports whether a process is of the group that has the terminal, as far as
// that can be told: what is typed is read by it.
func (t *Terminal) Foreground(id ProcessID) bool {
	m, ok := t.proc.TTY().(*master)
	if !ok {
		return true
	}
	var front int
	err := m.raw.Control(func(fd uintptr) { front, _ = unix.IoctlGetInt(int(fd), unix.TIOCGPGRP) })
	group, gone := unix.Getpgid(id.PID)
	return err != nil || front <= 0 || gone == nil && group == front
}
