// Package history keeps panes' scrollback on disk, so that a pane can show what
// it showed before its server died. A Store has one file a pane, and one for the first
// saves of many; a Keeper saves the panes of one host as they change.
package history

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"reprise/panes"
)

// Bounds of a Store that sets none.
const (
	DefaultPaneBytes  = 4 << 20
	DefaultTotalBytes = 256 << 20
)

const (
	suffix     = ".zst"
	tempSuffix = ".tmp"
	// tempAge is when a temporary file counts as left by a process that was
	// killed: no save takes that long.
	tempAge = time.Hour
	// maxPaneBytes is what the id of a pane in a layout may have (panes.DecodeLayout).
	maxPaneBytes = 64
)

// ErrPane refuses a pane's id that cannot be a file's name.
var ErrPane = errors.New("not a pane's id")

// Options bound a Store.
type Options struct {
	// PaneBytes is how much text a pane keeps, before compression; the oldest
	// lines go. 0: DefaultPaneBytes. At most MaxText.
	PaneBytes int
	// TotalBytes is how much all files may take on disk; the files that were
	// saved first go. 0: DefaultTotalBytes. Of what other processes save meanwhile
	// a Store learns after a sixteenth of it at the latest.
	TotalBytes int64
	// First is how long a pane's first save may be, compressed, to be kept in one file
	// with those of other panes. 0: each has its own.
	First int
}

// Store is a folder of panes' histories. Several processes may use one folder: a
// file that replaces another is always whole, and of two saves of one pane the last one
// stays. Safe for concurrent use.
type Store struct {
	dir     string
	o       Options
	codec   codec
	spare   spare
	packing packing
	closed  atomic.Bool // the folder, to others
}

// spare is how much may be saved before the folder has to be looked at again: to look
// at every file after each save of one would cost the square of the panes.
type spare struct {
	mu   sync.Mutex
	left int64 // bytes; 0 at first
}

// take takes what a file has, and says whether that was there.
func (s *spare) take(size int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left -= size // of a file that is replaced the whole: that errs on the safe side
	return s.left >= 0
}

// seen notes how much of a bound the files take.
func (s *spare) seen(total, bound int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = min(bound-total, bound/16) // others save, too
}

// NewStore is the store in a folder, which is made by the first save.
func NewStore(dir string, o Options) *Store {
	if o.PaneBytes <= 0 {
		o.PaneBytes = DefaultPaneBytes
	}
	o.PaneBytes = min(o.PaneBytes, MaxText)
	if o.TotalBytes <= 0 {
		o.TotalBytes = DefaultTotalBytes
	}
	return &Store{dir: dir, o: o}
}

// Save puts a pane's history in the place of the one before; r.Text is cut to the
// store's bound. A pane without text has no file. Whatever fails, and whenever the
// process dies, the pane's file stays as it was before or is the new one; if there was
// none, it may be one that Load calls damaged.
func (s *Store) Save(p panes.PaneID, r Record) error {
	if len(r.Text) == 0 {
		return s.Remove(p)
	}
	path, err := s.path(p)
	if err != nil {
		return err
	}
	r.Text = newest(r.Text, s.o.PaneBytes)
	b, err := s.codec.encode(r)
	if err == nil {
		err = s.makeDir()
	}
	if err == nil {
		err = s.put(p, path, b)
	}
	if err == nil && !s.spare.take(int64(len(b))) {
		err = s.trim(filepath.Base(path))
	}
	if err != nil {
		return fmt.Errorf("save the scrollback of pane %s: %w", p, err)
	}
	return nil
}

// put writes what a pane's file is to have.
func (s *Store) put(p panes.PaneID, path string, b []byte) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		saved, had := s.saveFirst(p, b)
		switch {
		case saved:
			return nil
		case !had: // there is nothing to lose
			if err := create(path, b); !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	return replace(path, b)
}

// Load reads a pane's history. fs.ErrNotExist: it has none. ErrDamaged, ErrNewer:
// it cannot be read; the file stays until the pane's next save replaces it.
func (s *Store) Load(p panes.PaneID) (r Record, err error) {
	path, err := s.path(p)
	if err != nil {
		return Record{}, err
	}
	b, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = s.loadFirst(p)
	}
	if err == nil {
		r, err = s.codec.decode(b)
	}
	if err != nil {
		return Record{}, fmt.Errorf("load the scrollback of pane %s: %w", p, err)
	}
	return r, nil
}

// Remove forgets a pane's history. One that has none is no error.
func (s *Store) Remove(p panes.PaneID) error {
	path, err := s.path(p)
	if err != nil {
		return err
	}
	if err = s.forgetFirst(p); err == nil { // first, or it would be all there is
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the scrollback of pane %s: %w", p, err)
	}
	return nil
}

// Prune forgets every pane that keep refuses, and what killed processes left. The
// folder belongs to all workspaces: keep must know the panes of all of them. Files
// that no Store made are left alone.
func (s *Store) Prune(keep func(panes.PaneID) bool) error {
	files, err := s.list()
	if err != nil {
		return fmt.Errorf("prune saved scrollback: %w", err)
	}
	var errs []error
	for _, f := range files {
		gone := f.temp && time.Since(f.saved) > tempAge || !f.temp && !keep(f.pane)
		if !gone {
			continue
		}
		if err := s.drop(f); err != nil {
			errs = append(errs, fmt.Errorf("prune saved scrollback: %w", err))
		}
	}
	return errors.Join(append(errs, s.prunePack(keep))...)
}

// file is one of the store's own.
type file struct {
	name  string
	pane  panes.PaneID
	temp  bool
	size  int64
	saved time.Time
}

// list names the store's files; everything else in the folder is passed over.
func (s *Store) list() ([]file, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		f := file{name: e.Name()}
		id, saved := strings.CutSuffix(f.name, suffix)
		if !saved {
			var random string
			id, random, f.temp = strings.Cut(f.name, ".")
			f.temp = f.temp && strings.HasSuffix(random, tempSuffix)
		}
		f.pane = panes.PaneID(id)
		if !saved && !f.temp || !valid(f.pane) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // another process has removed it
		}
		f.size, f.saved = info.Size(), info.ModTime()
		files = append(files, f)
	}
	return files, nil
}

// trim removes the files that were saved first until the rest keeps to the total
// bound, or another process has the pack. The file that was saved just now stays.
func (s *Store) trim(stays string) error {
	files, err := s.list()
	if err != nil {
		return err
	}
	var total int64
	if info, err := os.Lstat(filepath.Join(s.dir, packName)); err == nil {
		total = min(info.Size(), maxPack)
	}
	for _, f := range files {
		total += f.size
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.saved.Compare(b.saved), cmp.Compare(a.name, b.name))
	})
	for _, f := range files {
		if total <= s.o.TotalBytes {
			break
		}
		if f.temp || f.name == stays {
			continue
		}
		err := s.forgetFirst(f.pane) // first, or it would be all there is
		if errors.Is(err, errPackBusy) {
			break // the next save looks again
		}
		if err = errors.Join(err, s.drop(f)); err != nil {
			return err
		}
		total -= f.size
	}
	s.spare.seen(total, s.o.TotalBytes)
	return nil
}

func (s *Store) drop(f file) error {
	err := os.Remove(filepath.Join(s.dir, f.name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process was faster
	}
	return err
}

// path is a pane's file. Ids come from callers and from a folder's listing; none
// of them leads elsewhere.
func (s *Store) path(p panes.PaneID) (string, error) {
	if !valid(p) {
		return "", fmt.Errorf("%w: %.80q", ErrPane, string(p))
	}
	return filepath.Join(s.dir, string(p)+suffix), nil
}

func valid(p panes.PaneID) bool {
	if p == "" || len(p) > maxPaneBytes {
		return false
	}
	for _, c := range []byte(p) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}

// makeDir makes the folder, or closes it to others: what panes show is secret. That
// is seen to once, and again if the folder was removed meanwhile.
func (s *Store) makeDir() error {
	info, err := os.Stat(s.dir)
	if err == nil && s.closed.Load() {
		return nil
	}
	if err != nil {
		if err = os.MkdirAll(s.dir, 0o700); err != nil {
			return err
		}
		info, err = os.Stat(s.dir)
	}
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(s.dir, 0o700)
	}
	s.closed.Store(err == nil)
	return err
}

// create writes the first file of a pane: fs.ErrExist if there is one. It has nothing to
// lose and is not waited for, as many panes are opened at once: after a power cut within
// half a minute, or a death within it, it may be short, and then does not count.
func create(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

// replace writes a file anew, as a whole or not at all. It is on the disk before it gets
// its name: a power cut must not leave a name without contents.
func replace(path string, b []byte) (err error) {
	dir, name := filepath.Split(path)
	tmp, err := os.CreateTemp(dir, strings.TrimSuffix(name, suffix)+".*"+tempSuffix) // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(b)
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	return err
}

// read reads a file of bounded length. Somebody may have put a link or a pipe
// there; neither is followed or waited for.
func read(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%w: not a file, or longer than %d bytes", ErrDamaged, maxFile)
	}
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return b, nil
}
