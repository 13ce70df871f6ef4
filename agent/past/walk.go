package past

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"reprise/agent"
	"reprise/panes/disk"
)

// Source is one home of one kind's store.
type Source struct {
	Store Store
	Home  string // as agent.Identity names it; "" is the default
	Root  string // the folder in which the store lies
	// also are other names of the same home, and of kinds whose files of the same form lie
	// there, too: without a session.
	also []agent.Identity
}

// Sources are the homes in which agents keep sessions: the default ones of the person
// whose home folder is given, and others by kind. One that several names lead to is
// named once for each store, by the default name, else by the first of the others in
// their order; one that is not there, or whose disk does not answer, is left out.
func Sources(stores []Store, user string, env func(string) string, homes map[string][]string) []Source {
	var all []Source
	type folder struct{ format, root string }
	first := map[folder]int{} // where in all one is
	for _, st := range stores {
		seen := map[string]bool{}
		named := append([]string{""}, slices.Sorted(slices.Values(homes[st.Kind]))...)
		for _, home := range append(named, st.within(named, user, env)...) {
			st, root := st.at(st.root(user, home, env), user)
			real, err := disk.Real(root, disk.Glance)
			if err != nil || !filepath.IsAbs(root) {
				continue
			}
			at := folder{cmp.Or(st.format, st.Kind), real}
			if i, ok := first[at]; ok {
				all[i].also = append(all[i].also, agent.Identity{Kind: st.Kind, Home: home})
			} else {
				first[at] = len(all)
			}
			if seen[real] {
				continue
			}
			seen[real] = true
			all = append(all, Source{Store: st, Home: home, Root: real})
		}
	}
	return all
}

// homesMax bounds how many homes in a home are looked at.
const homesMax = 100

// within are the homes that lie in some of its homes.
func (s Store) within(homes []string, user string, env func(string) string) (all []string) {
	if s.homes == "" {
		return nil
	}
	for _, home := range homes {
		folder := filepath.Join(s.root(user, home, env), s.homes)
		entries, err := disk.In(folder, disk.Glance, func(func()) ([]os.DirEntry, error) { return os.ReadDir(folder) })
		if err != nil {
			continue
		}
		for _, e := range entries[:min(len(entries), homesMax)] {
			if path := filepath.Join(folder, e.Name()); filepath.IsAbs(path) && !slices.Contains(homes, path) {
				all = append(all, path)
			}
		}
	}
	return all
}

// found is a file of a store, or a session of a database.
type found struct {
	path   string // of a session DATABASE/ID
	source *Source
	mark   Mark
	// session of the database in; both are "" of a file.
	session agent.SessionID
	in      string
	dir     string // of sessions that have none
}

// walk finds the source's files: of a disk that does not answer none. The store's own
// folders may be links, for people put them elsewhere; what is found by a pattern may not.
func (s *Source) walk(ctx context.Context, visit func(found)) {
	// Asked for is the folder that is the same for all: any on the way to it may be a link.
	same := slices.IndexFunc(s.Store.path, agent.IsPattern)
	if same < 0 {
		same = len(s.Store.path) - 1
	}
	folder := filepath.Join(s.Root, filepath.Join(s.Store.path[:same]...))
	all, err := disk.In(folder, disk.Glance, func(alive func()) (all []found, _ error) {
		s.descend(ctx, alive, folder, s.Store.path[same:], func(f found) { all = append(all, f) })
		return all, nil
	})
	if err != nil {
		return // what is in it is neither known nor forgotten: see gone
	}
	for _, f := range all {
		if s.Store.listed == nil {
			visit(f)
		} else {
			s.walkListed(ctx, f, visit)
		}
	}
}

// walkListed finds the databases that a file lists: in folders of anybody's.
func (s *Source) walkListed(ctx context.Context, list found, visit func(found)) {
	all, err := disk.In(list.path, disk.Read, func(func()) ([]Place, error) { return s.Store.listed(list.path), nil })
	if err != nil {
		return
	}
	for _, at := range all {
		if ctx.Err() != nil {
			return
		}
		f, err := disk.In(filepath.Dir(at.Path), disk.Glance, func(func()) (found, error) {
			st, err := os.Lstat(at.Path)
			if err == nil && !st.Mode().IsRegular() {
				err = errNotRegular
			}
			if err != nil {
				return found{}, err
			}
			return found{path: at.Path, source: s, mark: s.mark(at.Path, st), dir: at.Dir}, nil
		})
		if err == nil {
			visit(f)
		}
	}
}

func (s *Source) descend(ctx context.Context, alive func(), dir string, parts []string, visit func(found)) {
	if ctx.Err() != nil {
		return
	}
	alive()
	part, rest := parts[0], parts[1:]
	if !agent.IsPattern(part) {
		path := filepath.Join(dir, part)
		if len(rest) > 0 {
			s.descend(ctx, alive, path, rest, visit)
		} else if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() {
			visit(found{path: path, source: s, mark: s.mark(path, st)})
		}
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // what is in it is neither known nor forgotten: see gone
	}
	for _, e := range entries {
		if ok, err := filepath.Match(part, e.Name()); err != nil || !ok {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case len(rest) > 0 && e.IsDir():
			s.descend(ctx, alive, path, rest, visit)
		case len(rest) == 0 && e.Type().IsRegular():
			alive()
			if st, err := e.Info(); err == nil {
				visit(found{path: path, source: s, mark: s.mark(path, st)})
			}
		}
	}
}

// mark is the mark of a file of the source.
func (s *Source) mark(path string, st fs.FileInfo) Mark { return s.mine(s.Store.mark(path, st)) }

// mine completes a mark: as what the source reads it.
func (s *Source) mine(m Mark) Mark {
	m.Kind, m.Home, m.Form = s.Store.Kind, s.Home, s.Store.form
	return m
}

func markOf(st fs.FileInfo) Mark { return Mark{Size: st.Size(), Time: st.ModTime().UnixNano()} }
