package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"reprise/panes"
)

// Most panes show a prompt when they are saved first. Those saves lie together in one
// file, the pack, behind each other: a file system takes as long to make a file as to
// write a hundred of them. What a pane shows later has a file of its own, and whoever
// has one is asked for that.
//
// An entry of the pack, numbers little-endian:
//
//	CRC-32 (IEEE) of what follows: uint32
//	length of the body: uint32
//	length of the pane's id: uint8
//	the id, the body
//
// The body is what the pane's own file would be. What is behind the first entry that is
// not whole was being written when its process died, and is overwritten. What is not to
// be kept any more goes with a new pack in the place of the old one.
const (
	packName = "first.pack"
	// DefaultFirst is how long a save may be that is kept in the pack, in bytes.
	DefaultFirst = 4 << 10
	maxPack      = 512 << 10
	entryHead    = 4 + 4 + 1
	// packWait is how long another process is waited for that writes the pack, packPoll
	// after what time it is looked for again.
	packWait = time.Second
	packPoll = 5 * time.Millisecond
)

var (
	errPackBusy  = errors.New("another process is writing the file of first saves")
	errPackAlien = errors.New("the file of first saves is none")
)

// entry is one of the pack's.
type entry struct {
	pane panes.PaneID
	body []byte
}

func (e entry) append(b []byte) []byte {
	at := len(b)
	b = append(b, make([]byte, 4)...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(e.body)))
	b = append(append(append(b, byte(len(e.pane))), e.pane...), e.body...)
	binary.LittleEndian.PutUint32(b[at:], crc32.ChecksumIEEE(b[at+4:]))
	return b
}

// entries reads a pack and says how much of it is whole.
func entries(b []byte) (all []entry, whole int) {
	for {
		rest := b[whole:]
		if len(rest) < entryHead {
			return all, whole
		}
		id, body := int(rest[8]), binary.LittleEndian.Uint32(rest[4:])
		end := uint64(entryHead) + uint64(id) + uint64(body)
		if end > uint64(len(rest)) || crc32.ChecksumIEEE(rest[4:end]) != binary.LittleEndian.Uint32(rest) {
			return all, whole
		}
		all = append(all, entry{panes.PaneID(rest[entryHead : entryHead+id]), rest[entryHead+id : end]})
		whole += int(end)
	}
}

// find is the body of a pane; empty: it has none.
func find(all []entry, p panes.PaneID) []byte {
	i := slices.IndexFunc(all, func(e entry) bool { return e.pane == p })
	if i < 0 {
		return nil
	}
	return all[i].body
}

// pack is the open pack of a store, which no other process writes meanwhile.
type pack struct {
	file  *os.File
	all   []entry
	size  int64 // of the file
	whole int   // of it
}

// openPack opens the pack to write into it. fs.ErrNotExist: there is none.
func (s *Store) openPack(flags int) (_ *pack, err error) {
	path := filepath.Join(s.dir, packName)
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK|flags, 0o600)
	if err != nil {
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return nil, errPackAlien
		}
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return nil, errPackBusy
	}
	mine, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// Somebody may have put another in its place before we had it.
	if now, err := os.Lstat(path); err != nil || !os.SameFile(mine, now) {
		return nil, errPackBusy
	}
	b, err := readPack(f, mine)
	if err != nil {
		return nil, err
	}
	k := &pack{file: f, size: mine.Size()}
	k.all, k.whole = entries(b)
	return k, nil
}

func readPack(f *os.File, info fs.FileInfo) ([]byte, error) {
	if !info.Mode().IsRegular() || info.Size() > maxPack {
		return nil, errPackAlien
	}
	b := make([]byte, info.Size())
	_, err := io.ReadFull(f, b)
	return b, err
}

func (k *pack) close() { _ = k.file.Close() }

// add puts an entry behind the last one that is whole.
func (k *pack) add(e entry) error {
	if int64(k.whole) < k.size {
		if err := k.file.Truncate(int64(k.whole)); err != nil {
			return err
		}
	}
	_, err := k.file.WriteAt(e.append(nil), int64(k.whole))
	if err != nil { // no room, for one
		err = errors.Join(err, k.file.Truncate(int64(k.whole)))
	}
	return err
}

// packing is held while a store of this process writes into its pack: the lock of the
// file keeps out others, and does not wait.
type packing struct{ sync.Mutex }

// saveFirst puts a pane's first save, which has no file of its own, into the pack. It
// does not wait for the disk, as many panes are opened at once: after a power cut within
// half a minute it may be lost, and all first ones after it. had: it is not the first.
// Neither: it belongs into a file of its own.
func (s *Store) saveFirst(p panes.PaneID, b []byte) (saved, had bool) {
	if s.o.First == 0 {
		return false, false
	}
	s.packing.Lock()
	defer s.packing.Unlock()
	k, err := s.openPack(os.O_CREATE)
	if err != nil {
		return false, errors.Is(err, errPackBusy) // it may be there
	}
	defer k.close()
	e := entry{p, b}
	if had = len(find(k.all, p)) > 0; had {
		return false, true
	}
	if len(b) > s.o.First || int64(k.whole+entryHead+len(p)+len(b)) > s.packBound() {
		return false, false
	}
	return k.add(e) == nil, false
}

// packBound is how large the pack becomes by first saves.
func (s *Store) packBound() int64 { return min(maxPack/2, s.o.TotalBytes/16) }

// loadFirst reads a pane's save from the pack. fs.ErrNotExist: it has none.
func (s *Store) loadFirst(p panes.PaneID) ([]byte, error) {
	f, err := os.OpenFile(filepath.Join(s.dir, packName), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fs.ErrNotExist // whatever stands there, it is not a save of the pane's
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b, err := readPack(f, info)
	if err != nil {
		return nil, fs.ErrNotExist
	}
	all, _ := entries(b)
	if body := find(all, p); len(body) > 0 {
		return body, nil
	}
	return nil, fs.ErrNotExist
}

// forgetFirst forgets a pane's save in the pack. It waits for another process that
// writes, as that takes a moment; errPackBusy: it took longer than packWait.
func (s *Store) forgetFirst(p panes.PaneID) error {
	for end := time.Now().Add(packWait); ; time.Sleep(packPoll) {
		err := s.sievePack(func(q panes.PaneID) bool { return q != p })
		if !errors.Is(err, errPackBusy) || time.Now().After(end) {
			return err
		}
	}
}

// prunePack forgets the saves in the pack that nobody asks for any more. If another
// process writes just now, that is for the next time.
func (s *Store) prunePack(keep func(panes.PaneID) bool) error {
	err := s.sievePack(func(p panes.PaneID) bool {
		path, err := s.path(p)
		if err != nil || !keep(p) {
			return false
		}
		_, err = os.Lstat(path) // that would count
		return errors.Is(err, fs.ErrNotExist)
	})
	if err != nil && !errors.Is(err, errPackBusy) {
		return fmt.Errorf("prune first saves: %w", err)
	}
	return nil
}

// sievePack forgets the saves in the pack that do not stay.
func (s *Store) sievePack(stays func(panes.PaneID) bool) error {
	s.packing.Lock()
	defer s.packing.Unlock()
	k, err := s.openPack(0)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errPackAlien):
		return nil
	case err != nil:
		return err
	}
	defer k.close()
	var b []byte
	for _, e := range k.all {
		if stays(e.pane) {
			b = e.append(b)
		}
	}
	path := filepath.Join(s.dir, packName)
	switch len(b) {
	case k.whole: // and nothing goes
		return nil
	case 0:
		return os.Remove(path)
	}
	return replace(path, b)
}
