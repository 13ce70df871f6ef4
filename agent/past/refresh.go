package past

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"reprise/agent"
	"reprise/panes/disk"
)

// How many files are put into the index at once: the first few at once, so that a
// person who has no index yet sees the newest sessions soon.
const (
	firstBatch = 24
	laterBatch = 256
)

// Stats say what a refresh did, in files.
type Stats struct {
	Files  int // that there are
	Read   int // that were new or changed
	Failed int // of them, that could not be read: they are tried again next time
	Gone   int // that were forgotten
}

// Refresh brings the index up to date with the stores: it reads what is new in their
// sources, or changed since it was read, the newest first, and forgets what is gone, or
// is of none of the stores. changed, which may be nil, is called each time after
// something was put in. It may be ended by ctx at any time: what was done is kept, the
// rest is for the next time.
func Refresh(ctx context.Context, index Index, stores []Store, sources []Source, changed func()) (Stats, error) {
	marks, err := index.Marks(ctx)
	if err != nil {
		return Stats{}, err
	}
	if changed == nil {
		changed = func() {}
	}
	r := refresh{marks: marks, seen: make(map[string]bool, len(marks)), databases: map[string]*found{}}
	for i := range sources {
		sources[i].walk(ctx, r.find)
	}
	r.Files = len(r.seen)
	slices.SortFunc(r.todo, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.mark.Time, a.mark.Time), cmp.Compare(a.path, b.path))
	})
	for size := firstBatch; len(r.todo) > 0; size = laterBatch {
		batch := r.todo[:min(size, len(r.todo))]
		r.todo = r.todo[len(batch):]
		files := r.read(ctx, batch)
		if ctx.Err() != nil {
			return r.Stats, ctx.Err()
		}
		if err := index.Put(ctx, files); err != nil {
			return r.Stats, err
		}
		changed()
	}
	if err := ctx.Err(); err != nil { // not all was seen
		return r.Stats, err
	}
	if err := r.settle(ctx, index); err != nil {
		return r.Stats, err
	}
	if over := r.over(stores); len(over) > 0 {
		r.Gone = len(over)
		if err := index.Drop(ctx, over); err != nil {
			return r.Stats, err
		}
		changed()
	}
	return r.Stats, nil
}

// refresh is one refresh under way.
type refresh struct {
	Stats
	marks map[string]Mark
	seen  map[string]bool
	todo  []found
	// databases are those that changed and whose sessions were listed, by path; nil: some
	// of them could not be read.
	databases map[string]*found
}

// find takes in a file that there is.
func (r *refresh) find(f found) {
	if r.seen[f.path] {
		return
	}
	r.seen[f.path] = true
	if was, ok := r.marks[f.path]; ok && was == f.mark {
		return
	}
	d := f.source.Store.database
	if d == nil {
		r.todo = append(r.todo, f)
		return
	}
	all, err := disk.In(filepath.Dir(f.path), disk.Read, func(alive func()) ([]Listed, error) { return d.List(f.path, alive) })
	if err != nil {
		r.Failed++
		return
	}
	r.databases[f.path] = &f
	for _, s := range all {
		one := found{path: f.path + "/" + string(s.Session), source: f.source, mark: f.source.mine(s.Mark), session: s.Session, in: f.path, dir: f.dir}
		r.seen[one.path] = true
		if was, ok := r.marks[one.path]; !ok || was != one.mark {
			r.todo = append(r.todo, one)
		}
	}
}

// read reads some files, and sessions of databases. What cannot be read is left out.
func (r *refresh) read(ctx context.Context, batch []found) []File {
	files := make([]File, 0, len(batch))
	inside := map[string][]found{}
	for _, f := range batch {
		switch {
		case ctx.Err() != nil:
			return nil
		case f.in != "":
			inside[f.in] = append(inside[f.in], f)
			continue
		}
		sessions, err := disk.In(f.path, disk.Read, func(alive func()) ([]Conversation, error) {
			return f.source.Store.read(f.path, alive)
		})
		if err != nil {
			r.Failed++
			continue
		}
		files = append(files, f.file(sessions))
		r.Read++
	}
	for path, all := range inside {
		if ctx.Err() != nil {
			return nil
		}
		ids := make([]agent.SessionID, len(all))
		for i, f := range all {
			ids[i] = f.session
		}
		sessions, err := disk.In(filepath.Dir(path), disk.Read, func(alive func()) ([]Conversation, error) {
			return all[0].source.Store.database.Read(path, ids, alive)
		})
		if err != nil {
			r.Failed += len(all)
			r.databases[path] = nil
			continue
		}
		byID := make(map[agent.SessionID][]Conversation, len(sessions))
		for _, s := range sessions {
			byID[s.Session] = []Conversation{s}
		}
		for _, f := range all {
			files = append(files, f.file(byID[f.session]))
			r.Read++
		}
	}
	return files
}

// file is what was read of it.
func (f found) file(sessions []Conversation) File {
	file := File{Path: f.path, Mark: f.mark}
	for _, one := range sessions {
		one.Kind, one.Home = f.source.Store.Kind, f.source.Home
		one.take(line{dir: f.dir})
		if one.Session.Valid() && !one.Used.IsZero() {
			file.Sessions = append(file.Sessions, one)
		}
	}
	return file
}

// settle notes the databases of which everything was read: not before, for of an
// unchanged one nothing is looked at again.
func (r *refresh) settle(ctx context.Context, index Index) error {
	var files []File
	for _, f := range r.databases {
		if f != nil {
			files = append(files, f.file(nil))
		}
	}
	if len(files) == 0 {
		return nil
	}
	return index.Put(ctx, files)
}

// over are the files that there are no more, and those that no store reads, as they were
// read. One that cannot be seen, and one of a home that nobody named this time, is kept.
func (r *refresh) over(stores []Store) (over []string) {
	for path, mark := range r.marks {
		if r.seen[path] {
			continue
		}
		_, listed := r.databases[filepath.Dir(path)]
		known := slices.ContainsFunc(stores, func(s Store) bool { return s.Kind == mark.Kind && s.form == mark.Form })
		if listed || !known || gone(path) {
			over = append(over, path)
		}
	}
	return over
}

// gone reports whether there is no such file any more. A session's database stands
// where a file would have its folder.
func gone(path string) bool {
	st, err := disk.In(filepath.Dir(path), disk.Glance, func(func()) (fs.FileInfo, error) { return os.Lstat(path) })
	return errors.Is(err, fs.ErrNotExist) || err == nil && !st.Mode().IsRegular()
}
