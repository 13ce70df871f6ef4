package cli

import (
	"context"
	"os"
	"sync"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/db"
	"reprise/db/index"
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

func newBook(p paths, cfg config) *book { return &book{folder: p.cache, off: cfg.History == "off"} }

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
	sources   []past.Source
	standings []past.Standing
}

// look finds out where to look. d may be nil: then there is no database yet. env are
// environments that may name homes.
func (b *book) look(ctx context.Context, d *db.DB, kinds agent.Registry, env ...[]string) (s shelf, err error) {
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
			homes[f.Name] = append(homes[f.Name], f.Home(e))
		}
	}
	if home, err := os.UserHomeDir(); err == nil && !b.off {
		s.sources = past.Sources(stores(), home, os.Getenv, homes)
	}
	return s, nil
}

// stores are all stores that can be read.
func stores() []past.Store { return past.Stores() }

// rows lists the past sessions, the last used first, as the index has them now.
func (b *book) rows(ctx context.Context, s shelf) ([]past.Row, error) {
	if b.off {
		return past.Merge(nil, s.standings, nil), nil
	}
	x, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := x.List(ctx, maxPast)
	if err != nil {
		return nil, err
	}
	return past.Merge(stored, s.standings, s.sources), nil
}

// maxPast bounds how many sessions are listed, the newest.
const maxPast = 20_000

// refresh reads what is new in the stores. changed, which may be nil, is called when
// rows may tell something else.
func (b *book) refresh(ctx context.Context, s shelf, changed func()) (past.Stats, error) {
	if b.off {
		return past.Stats{}, nil
	}
	x, err := b.open(ctx)
	if err != nil {
		return past.Stats{}, err
	}
	b.refreshing.Lock()
	defer b.refreshing.Unlock()
	return past.Refresh(ctx, x, s.sources, changed)
}

// saying tells which sessions have a word that begins as the given one does; nil: it
// cannot be told.
func (b *book) saying(ctx context.Context, word string) map[agent.Identity]bool {
	if b.off {
		return nil
	}
	x, err := b.open(ctx)
	if err != nil {
		return nil
	}
	found, err := x.Saying(ctx, word)
	if err != nil {
		return nil
	}
	return found
}
