// Package disk looks at files that may lie on a disk which does not answer: that of
// another machine that is gone, say. Such a system call waits for ever, and nothing ends
// it.
//
// Contract: who asks waits no longer than a Patience says. What did not answer is
// remembered, by its mount: until the call that hangs comes back nothing more is asked of
// it, so that of one mount no more calls hang than were made at the same time; once
// maxHanging do in all, nothing is asked. Safe for concurrent use.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrSilent says that a disk does not answer.
var ErrSilent = errors.New("its disk does not answer")

// Patience is how long one call may take.
type Patience struct {
	answer time.Duration
	// again: a disk that is known not to answer is waited for, too: as long.
	again bool
}

// How long is waited.
var (
	Glance = Patience{answer: 3 * time.Second}               // for what can be done without, or later
	Read   = Patience{answer: 30 * time.Second}              // for what reads much, and nobody waits for
	Must   = Patience{answer: 15 * time.Second, again: true} // for what cannot be done without
)

const (
	// maxHanging bounds how many calls hang in this process.
	maxHanging = 64
	// ticks is in how many pieces is waited: while the whole process stands still no more
	// than one of them passes.
	ticks = 30
	// againEvery is how often is looked whether a silent disk answers.
	againEvery = 50 * time.Millisecond
	// maxLinks bounds how many links are followed in one path, as Linux does.
	maxLinks = 40
)

// Stat is os.Stat.
func Stat(path string, p Patience) (st fs.FileInfo, err error) {
	return ask(path, p, false, func(func()) (fs.FileInfo, error) { return os.Stat(path) })
}

// IsDir reports whether path is the absolute one of a directory.
func IsDir(path string, p Patience) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	st, err := Stat(path, p)
	return err == nil && st.IsDir()
}

// Real is filepath.EvalSymlinks.
func Real(path string, p Patience) (string, error) {
	return ask(path, p, false, func(func()) (string, error) { return filepath.EvalSymlinks(path) })
}

// In runs look, which reads path or what is in it, once path itself was found: of what is
// not there it returns the error. look calls alive as it gets on, each time within the
// patience. ErrSilent: look did not end, or was not begun; what it does from then on must
// concern nobody. Until a look that hangs ends, what lies in path is not asked for, so
// look must read nowhere else: to what a file or a link in it leads is another call.
func In[T any](path string, p Patience, look func(alive func()) (T, error)) (T, error) {
	return ask(path, p, true, look)
}

// ask is In; inside: look does more than ask what path is.
func ask[T any](path string, p Patience, inside bool, look func(alive func()) (T, error)) (T, error) {
	var got T
	err := disks.in(path, p, inside, func(alive func()) (func(), error) {
		one, err := look(alive)
		return func() { got = one }, err
	})
	return got, err
}

// watch knows which disks do not answer.
type watch struct {
	lstat    func(string) (fs.FileInfo, error)
	readlink func(string) (string, error)
	mounts   func() []string // where file systems are mounted; nil: it cannot be told

	mu      sync.Mutex
	silent  map[place]int // guarded by mu: what does not answer, and how many calls hang there
	hanging int           // guarded by mu
}

// place is a path, links followed.
type place struct {
	path   string
	inside bool // what is in it hangs: the path itself answers
}

var disks = &watch{lstat: os.Lstat, readlink: os.Readlink, mounts: mounts, silent: map[place]int{}}

// call is one look under way. All of it but done is guarded by its watch's mu.
type call struct {
	at    place // what is being asked for
	inner bool  // what is asked is look's own
	moves int   // how often it got on
	given place // by what it is remembered, once nobody waits any more

	done     chan struct{}
	over     bool
	take     func()
	err      error
	panicked any
}

// in runs look; see ask. What it returns hands over what it found, to who still waits.
func (w *watch) in(path string, p Patience, inside bool, look func(alive func()) (func(), error)) error {
	if path == "" {
		return &fs.PathError{Op: "stat", Path: path, Err: syscall.ENOENT}
	}
	if !filepath.IsAbs(path) {
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		path = dir + "/" + path // not cleaned: a link may stand before ..
	}
	for began := time.Now(); ; time.Sleep(againEvery) {
		err := w.try(path, p.answer, inside, look)
		if !p.again || !errors.Is(err, ErrSilent) || time.Since(began) >= p.answer {
			return err
		}
	}
}

func (w *watch) try(path string, patience time.Duration, inside bool, look func(alive func()) (func(), error)) error {
	w.mu.Lock()
	full := w.hanging >= maxHanging
	w.mu.Unlock()
	if full {
		return &fs.PathError{Op: "look at", Path: path, Err: ErrSilent}
	}
	c := &call{at: place{path: path}, done: make(chan struct{})}
	go w.run(c, path, inside, look)
	tick := time.NewTicker(patience / ticks)
	defer tick.Stop()
	for moves, still := 0, 0; ; {
		select {
		case <-c.done:
			return c.end()
		case <-tick.C:
		}
		w.mu.Lock()
		if still++; c.moves != moves {
			moves, still = c.moves, 0
		}
		gone := still >= ticks && !c.over
		if gone {
			w.giveUp(c)
		}
		w.mu.Unlock()
		if gone {
			return &fs.PathError{Op: "look at", Path: path, Err: ErrSilent}
		}
	}
}

// end takes over what a call that is done has found.
func (c *call) end() error {
	if c.panicked != nil {
		panic(c.panicked)
	}
	if c.take != nil {
		c.take()
	}
	return c.err
}

// run is the call's goroutine. Whatever look does, it ends as a call that is done.
func (w *watch) run(c *call, path string, inside bool, look func(alive func()) (func(), error)) {
	defer func() {
		p := recover()
		w.mu.Lock()
		defer w.mu.Unlock()
		if p != nil {
			c.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
		c.over = true
		if c.given.path != "" {
			w.hanging--
			if w.silent[c.given]--; w.silent[c.given] <= 0 {
				delete(w.silent, c.given)
			}
		}
		close(c.done)
	}()
	if c.err = w.reach(c, path); c.err != nil {
		return
	}
	if !w.begin(c, inside) {
		c.err = &fs.PathError{Op: "look at", Path: path, Err: ErrSilent}
		return
	}
	c.take, c.err = look(func() {
		w.mu.Lock()
		c.moves++
		w.mu.Unlock()
	})
}

// begin notes that look is next; false: one such hangs there.
func (w *watch) begin(c *call, inside bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	c.inner, c.at.inside = true, inside
	return w.silent[c.at] == 0
}

// giveUp remembers what a call hangs at: its whole mount, if that did not even tell
// what is in it. The root is never one: too much else lies there. w.mu is held.
func (w *watch) giveUp(c *call) {
	c.given = c.at
	if !c.inner {
		best := ""
		for _, m := range w.mounts() {
			if m != "/" && len(m) > len(best) && below(c.at.path, m) {
				best = m
			}
		}
		if best != "" {
			c.given.path = best
		}
	}
	w.silent[c.given]++
	w.hanging++
}

// reach goes to path name by name as the system does, so that it is known where it
// hangs; what is known not to answer is not asked.
func (w *watch) reach(c *call, path string) error {
	at, todo, links := "/", names(path), 0
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		if next == "/proc" { // its links are more than what they say: proc(5)
			return nil
		}
		if !w.step(c, next) {
			return &fs.PathError{Op: "look at", Path: path, Err: ErrSilent}
		}
		st, err := w.lstat(next)
		if err != nil {
			return err
		}
		if st.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return &fs.PathError{Op: "stat", Path: path, Err: syscall.ELOOP}
		}
		to, err := w.readlink(next)
		if err != nil {
			return err
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		todo = append(names(to), todo...)
	}
	w.mu.Lock()
	c.at.path = at
	w.mu.Unlock()
	return nil
}

// names are those of a path. What is written twice, or says nothing, is left out.
func names(path string) (all []string) {
	for name := range strings.SplitSeq(path, "/") {
		if name != "" && name != "." {
			all = append(all, name)
		}
	}
	return all
}

// step notes what is asked next; false: it is known not to answer.
func (w *watch) step(c *call, next string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for at := range w.silent {
		if at.path != "/" && below(next, at.path) && (next != at.path || !at.inside) {
			return false
		}
	}
	c.at.path = next
	c.moves++
	return true
}

// below reports whether path is dir or lies in it; both are clean.
func below(path, dir string) bool {
	rest, in := strings.CutPrefix(path, dir)
	return in && (rest == "" || rest[0] == '/' || strings.HasSuffix(dir, "/"))
}
