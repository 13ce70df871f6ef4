package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"reprise/panes"
	"reprise/ui"
)

// liveConfig is config.toml for what follows its changes: the clients' keys and
// looks, with the themes beside it. They are looked at when something of them is about
// to be used, and when watch is told that they changed.
type liveConfig struct {
	path string
	news panes.Watch // wakes when it was read again

	mu     sync.Mutex
	files  []os.FileInfo // config.toml, nil if there was none, and the themes', when they were read
	now    config
	wrong  []string        // with it
	serial int             // changes when now may have changed
	told   int             // the serial with which wrong was last said to a client
	acted  func(string)    // ui.Settings.Acted
	words  map[string]bool // what was said beside
}

// take reads the file again if it is another one than before, or if forced to, and
// returns what is in force. A file that cannot be read at all changes nothing but
// what is said.
func (l *liveConfig) take(force bool) (now config, wrong []string, serial int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	files := l.look()
	if l.serial > 0 && !force && slices.EqualFunc(l.files, files, sameFile) {
		return l.now, l.wrong, l.serial
	}
	first := l.serial == 0
	l.files = files
	l.serial++
	l.news.Wake()
	r, err := readConfig(l.path)
	switch {
	case err == nil:
		l.now, l.wrong = *r.c, r.said()
	case first:
		l.now, l.wrong = *r.c, noneInForce(err)
	default:
		l.wrong = []string{err.Error() + ". What was in force before stays."}
	}
	return l.now, l.wrong, l.serial
}

// look is what the files are now.
func (l *liveConfig) look() []os.FileInfo {
	info, _ := os.Stat(l.path)
	files := []os.FileInfo{info}
	own := themeFiles{folder: themesOf(l.path)}
	for _, name := range own.names() {
		info, _ := os.Stat(filepath.Join(own.folder, name+".toml"))
		files = append(files, info)
	}
	return files
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

// client gives a new client what is in force, by its environment too; what is wrong
// with it if nobody was told yet, and what it calls to follow the file when news wakes:
// one call at a time.
func (l *liveConfig) client(env []string) (now ui.Settings, wrong []string, again func(ctx context.Context, force bool) ui.Reloaded) {
	c, wrong, serial := l.take(false)
	if l.said(serial) {
		wrong = nil
	}
	c, bad := c.overlaid(env, themesOf(l.path))
	settings := func(c config) ui.Settings {
		s := c.settings()
		s.Said, s.Acted = l.saidOnce, l.acted
		return s
	}
	return settings(c), append(wrong, bad...), func(_ context.Context, force bool) ui.Reloaded {
		now, wrong, latest := l.take(force)
		if latest == serial {
			return ui.Reloaded{}
		}
		serial = latest
		l.said(serial)
		now, _ = now.overlaid(env, themesOf(l.path)) // what is wrong there was said
		if force && len(wrong) == 0 {
			wrong = []string{readWords}
		}
		return ui.Reloaded{Settings: settings(now), Changed: true, Notices: wrong}
	}
}

// maxSaid bounds what is remembered of what was said, in sentences.
const maxSaid = 100

// saidOnce notes that something was said to a client, and reports whether it had been
// before.
func (l *liveConfig) saidOnce(words string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.words == nil || len(l.words) >= maxSaid {
		l.words = map[string]bool{}
	}
	before := l.words[words]
	l.words[words] = true
	return before
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
