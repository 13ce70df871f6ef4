package cli

import (
	"context"
	"os"
	"sync"

	"reprise/ui"
)

// liveConfig is config.toml for what follows its changes: the clients' keys and
// looks. Nothing watches the file. It is looked at when something of it is about to
// be used: a server that nobody types at does nothing.
type liveConfig struct {
	path string

	mu     sync.Mutex
	info   os.FileInfo // of the file when it was read; nil: there was none
	now    config
	wrong  []string // with it
	serial int      // changes when now may have changed
	told   int      // the serial with which wrong was last said to a client
}

// take reads the file again if it is another one than before, or if forced to, and
// returns what is in force. A file that cannot be read at all changes nothing but
// what is said.
func (l *liveConfig) take(force bool) (now config, wrong []string, serial int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	info, _ := os.Stat(l.path)
	if l.serial > 0 && !force && sameFile(l.info, info) {
		return l.now, l.wrong, l.serial
	}
	first := l.serial == 0
	l.info = info
	l.serial++
	c, wrong, err := readConfig(l.path)
	switch {
	case err == nil:
		l.now, l.wrong = c, wrong
	case first:
		l.now, l.wrong = c, noneInForce(err)
	default:
		l.wrong = []string{err.Error() + ". What was in force before stays."}
	}
	return l.now, l.wrong, l.serial
}

// sameFile reports whether a file was not written to, nor replaced; nil is none.
func sameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// readWords are what a client that asks for it is told.
const readWords = "config.toml was read: its keys and looks are in force."

// client gives a new client what is in force, what is wrong with it if nobody was
// told yet, and what it calls to follow the file: one call at a time.
func (l *liveConfig) client() (now config, wrong []string, again func(ctx context.Context, force bool) ui.Reloaded) {
	now, wrong, serial := l.take(false)
	if l.said(serial) {
		wrong = nil
	}
	return now, wrong, func(_ context.Context, force bool) ui.Reloaded {
		now, wrong, latest := l.take(force)
		if latest == serial {
			return ui.Reloaded{}
		}
		serial = latest
		l.said(serial)
		if force && len(wrong) == 0 {
			wrong = []string{readWords}
		}
		return ui.Reloaded{Settings: now.settings(), Changed: true, Notices: wrong}
	}
}

// said notes that what is wrong was said to a client, and reports whether it had
// been before.
func (l *liveConfig) said(serial int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.told >= serial
	l.told = max(l.told, serial)
	return before
}
