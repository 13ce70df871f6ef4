package cli

import (
	"context"
	"os"
	"slices"
	"sync"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/db"
	"reprise/db/index"
	"reprise/db/stores"
)

// book lists the past sessions of this machine: what the agents' own stores have, from
// an index of them, and what our terminals know. Its index is opened when it is first
// asked.
type book struct {
	folder string // of the index
	off    bool   // the agents' stores are left alone

	mu    sync.Mutex
	index *index.Index // guarded by mu

	refreshing sync.Mutex // one at a time
}

// newBook makes a book. Where the agents' stores are left alone nothing that was read
// of them before is kept: an error says that some of it is still there.
func newBook(p paths, cfg config) (*book, error) {
	b := &book{folder: p.cache, off: cfg.History == "off"}
	if !b.off {
		return b, nil
	}
	return b, index.Remove(b.folder)
}

// open opens the index.
func (b *book) open(ctx context.Context) (*index.Index, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.index != nil {
		return b.index, nil
	}
	x, err := index.Open(ctx, b.folder)
	if err == nil {
		b.index = x
	}
	return x, err
}

// ask asks the index. One that turns out to be damaged is made anew, once.
func (b *book) ask(ctx context.Context, what func(*index.Index) error) error {
	x, err := b.open(ctx)
	if err != nil {
		return err
	}
	if err = what(x); !db.Damaged(err) {
		return err
	}
	b.mu.Lock()
	if b.index == x {
		_ = x.Close() // it is a cache
		b.index = nil
		err = index.Remove(b.folder)
	}
	b.mu.Unlock()
	if err != nil && !db.Damaged(err) {
		return err
	}
	if x, err = b.open(ctx); err != nil {
		return err
	}
	return what(x)
}

// close closes the index, if it was opened.
func (b *book) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.index != nil {
		_ = b.index.Close() // it is a cache
		b.index = nil
	}
}

// shelf is where the book looks: the homes of agents, and what our terminals know.
type shelf struct {
	stores    []past.Store
	sources   []past.Source
	standings []past.Standing
	kinds     agent.Registry
}

// empty tells of a session that its agent's own store has no conversation for it.
func (s shelf) empty(one *past.Standing) bool {
	k, ok := s.kinds.Kind(one.Kind)
	return ok && k.Transcript(one.Home, one.Dir, one.Session) == agent.NoTranscript
}

// look finds out where to look. d may be nil: then there is no database yet. env are
// environments that may name homes.
func (b *book) look(ctx context.Context, d *db.DB, kinds agent.Registry, env ...[]string) (s shelf, err error) {
	s.kinds = kinds
	if d != nil {
		if s.standings, err = d.Standings(ctx); err != nil {
			return s, err
		}
	}
	homes := map[string][]string{}
	for _, one := range s.standings {
		homes[one.Kind] = append(homes[one.Kind], one.Home)
	}
	for _, k := range kinds.All() {
		f := k.Facts()
		for _, e := range env {
			homes[f.Name] = append(homes[f.Name], f.Home(e, ""))
		}
	}
	if b.off {
		return s, nil
	}
	s.stores = shelves(kinds)
	if home, err := os.UserHomeDir(); err == nil {
		s.sources = past.Sources(s.stores, home, os.Getenv, homes)
	}
	return s, nil
}

// readable are all stores that can be read.
func readable() []past.Store {
	return append(past.Stores(),
		past.InDatabase("opencode", stores.OpenCode(), "", "opencode", "opencode.db"),
		past.InDatabase("goose", stores.Goose(), "data", "goose", "sessions", "sessions.db"),
		past.InListed("crush", stores.Crush(), past.CrushProjects, ".", "crush", "projects.json"),
		past.InDatabase("mastracode", stores.Mastracode(), ".", "mastracode", "mastra.db"),
		past.AtHome("mastracode", stores.Mastracode(), "Library/Application Support/mastracode", "mastra.db"), // macOS
		past.AtHome("hermes", stores.Hermes(), ".hermes", "state.db").With("profiles"),
		// Where its folder is while XDG_CONFIG_HOME is set, those who document it do not agree.
		past.InDatabases("cursor-agent", stores.Cursor, ".cursor", "", "", "chats", "*", "*", "store.db"),
		past.InDatabases("cursor-agent", stores.Cursor, ".cursor", "XDG_CONFIG_HOME", "cursor", "chats", "*", "*", "store.db"))
}

// shelves are the stores that can be read, and those of kinds whose conversations have
// the form of one of them.
func shelves(kinds agent.Registry) []past.Store {
	known := readable()
	all := slices.Clone(known)
	for _, k := range kinds.All() {
		own, ok := k.(agent.Shelved)
		if !ok {
			continue
		}
		for _, s := range known {
			if s.Kind == own.Shelf().Format {
				all = append(all, s.In(k.Facts().Name, own.Shelf()))
			}
		}
	}
	return all
}

// formats are the agents in whose form conversations can be read.
func formats() (names []string) {
	for _, s := range readable() {
		names = append(names, s.Kind)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// rows lists the past sessions, the last used first, as the index has them now: at most
// limit of those that agents keep.
func (b *book) rows(ctx context.Context, s shelf, limit int) (rows []past.Row, err error) {
	if b.off {
		return past.Merge(nil, s.standings, nil, s.empty), nil
	}
	err = b.ask(ctx, func(x *index.Index) error {
		stored, err := x.List(ctx, limit)
		if err != nil {
			return err
		}
		rows = past.Merge(stored, s.standings, s.sources, s.empty)
		return nil
	})
	return rows, err
}

// maxPast bounds how many sessions are listed, the newest.
const maxPast = 20_000

// changes is another number whenever rows may tell something else than before, as far
// as the stores go.
func (b *book) changes(ctx context.Context) (n int64, err error) {
	if b.off {
		return 0, nil
	}
	err = b.ask(ctx, func(x *index.Index) error {
		n, err = x.Changes(ctx)
		return err
	})
	return n, err
}

// refresh reads what is new in the stores, one process at a time.
func (b *book) refresh(ctx context.Context, s shelf) (stats past.Stats, err error) {
	if b.off {
		return stats, nil
	}
	b.refreshing.Lock()
	defer b.refreshing.Unlock()
	err = b.ask(ctx, func(x *index.Index) error {
		done, err := x.Alone(ctx)
		if err != nil {
			return err
		}
		defer done()
		stats, err = past.Refresh(ctx, x, s.stores, s.sources, nil)
		return err
	})
	return stats, err
}

// saying tells which sessions have a word that begins as the given one does; nil: it
// cannot be told.
func (b *book) saying(ctx context.Context, word string) (found map[agent.Identity]bool) {
	if b.off {
		return nil
	}
	err := b.ask(ctx, func(x *index.Index) (err error) {
		found, err = x.Saying(ctx, word)
		return err
	})
	if err != nil {
		return nil
	}
	return found
}
