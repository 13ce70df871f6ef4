package panes

import (
	"bytes"
	"sync"
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
}

// enters are what a terminal sends for enter: plain, and in the kitty protocol; drops
// are keys that empty a line (ctrl+c, ctrl+u).
var (
	enters = [][]byte{[]byte("\r"), []byte("\n"), []byte("\x1b[13u"), []byte("\x1b[13;1u")}
	drops  = [][]byte{{0x03}, {0x15}, []byte("\x1b[99;5u"), []byte("\x1b[117;5u")}
)

func oneOf(b []byte, all [][]byte) bool {
	for _, one := range all {
		if bytes.Equal(b, one) {
			return true
		}
	}
	return false
}

// take takes in one key, text or piece of a paste.
func (d *draft) take(b []byte, of source) {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := b[len(b)-1]
	switch {
	case oneOf(b, enters), oneOf(b, drops):
		d.n = 0
	case bytes.Equal(b, input.PasteStart(marked)), bytes.Equal(b, input.PasteEnd(marked)):
	case of == pasted && bytes.HasPrefix(b, input.PasteStart(marked)):
		d.n += len(b)
	case b[0] == 0x1b: // a key that types nothing
	case len(b) == 1 && (last == 0x7f || last == '\b'):
		d.n = max(0, d.n-1)
	case len(b) == 1 && last < ' ' && last != '\t':
	case last == '\r': // text and enter in one
		d.n = 0
	default:
		d.n += utf8.RuneCount(b)
	}
}

// marked are the modes of a program that wants pastes marked.
var marked = vt.Modes{BracketedPaste: true}

func (d *draft) left() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.n
}

// Drafted reports whether something was typed or pasted here that was not sent off
// since. It is a guess by the keys alone: what stands in a program's line it keeps to
// itself.
func (t *Terminal) Drafted() bool { return t.draft.left() > 0 }

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
