package past

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
)

// How many files are put into the index at once: the first few at once, so that a
// person who has no index yet sees the newest sessions soon.
const (
	firstBatch = 48
	laterBatch = 256
)

// Stats say what a refresh did, in files.
type Stats struct {
	Files  int // that there are
	Read   int // that were new or changed
	Failed int // of them, that could not be read: they are tried again next time
	Gone   int // that were forgotten
}

// Refresh brings the index up to date with the stores: it reads what is new or
// changed since it was read, the newest first, and forgets what is gone. changed,
// which may be nil, is called each time after something was put in. It may be ended by
// ctx at any time: what was done is kept, the rest is for the next time.
func Refresh(ctx context.Context, index Index, sources []Source, changed func()) (Stats, error) {
	var s Stats
	marks, err := index.Marks(ctx)
	if err != nil {
		return s, err
	}
	if changed == nil {
		changed = func() {}
	}
	seen := make(map[string]bool, len(marks))
	var todo []found
	for i := range sources {
		sources[i].walk(ctx, func(f found) {
			if seen[f.path] {
				return
			}
			seen[f.path] = true
			if was, ok := marks[f.path]; !ok || was != f.mark {
				todo = append(todo, f)
			}
		})
	}
	s.Files = len(seen)
	slices.SortFunc(todo, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.mark.Time, a.mark.Time), cmp.Compare(a.path, b.path))
	})
	for size := firstBatch; len(todo) > 0; size = laterBatch {
		batch := todo[:min(size, len(todo))]
		todo = todo[len(batch):]
		files := make([]File, 0, len(batch))
		for _, f := range batch {
			if ctx.Err() != nil {
				return s, ctx.Err()
			}
			file, err := f.source.read(f)
			if err != nil {
				s.Failed++
				continue
			}
			files = append(files, file)
			s.Read++
		}
		if err := index.Put(ctx, files); err != nil {
			return s, err
		}
		changed()
	}
	if err := ctx.Err(); err != nil { // not all was seen
		return s, err
	}
	var over []string
	for path := range marks {
		if !seen[path] && gone(path) {
			over = append(over, path)
		}
	}
	if s.Gone = len(over); s.Gone > 0 {
		if err := index.Drop(ctx, over); err != nil {
			return s, err
		}
		changed()
	}
	return s, nil
}

// gone reports whether there is no such file any more. One that cannot be seen, and
// one of a home that nobody named this time, is kept.
func gone(path string) bool {
	st, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !st.Mode().IsRegular()
}

// read reads one file of the source.
func (s *Source) read(f found) (File, error) {
	file := File{Path: f.path, Mark: f.mark}
	sessions, err := s.Store.Read(f.path)
	if err != nil {
		return file, err
	}
	for _, one := range sessions {
		one.Kind, one.Home = s.Store.Kind, s.Home
		if one.Session.Valid() && !one.Used.IsZero() {
			file.Sessions = append(file.Sessions, one)
		}
	}
	return file, nil
}
