package cli

import (
	"context"
	"os"
	"reflect"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/db"
	"reprise/panes"
	"reprise/panes/gate"
)

// ahead is what the first workspace of a server needs, made while the server gets ready
// and its client is on the way: a person waits for the first prompt.
type ahead struct {
	store  chan openedStore // nil: nothing was made
	agents []kinds.Custom   // of the settings with which it is opened
	typed  chan struct{}    // closed when the shims of typed agents are there; nil: nobody makes them
	spare  *panes.Spare
}

type openedStore struct {
	db  *db.DB
	err error
}

// lookAhead begins to make it.
func (p *process) lookAhead() {
	cfg, _, _ := p.config.take(false)
	p.ahead = ahead{store: make(chan openedStore, 1), agents: cfg.Agents, typed: make(chan struct{})}
	p.aside("open the database", func() {
		defer close(p.ahead.store) // also when it fails: then it is opened where it is needed
		d, err := p.openStore(p.ctx, &lazyKinds{p: p, agents: cfg.Agents})
		if err == nil {
			_, _ = d.Register(p.ctx, p.build) // what fails is met again by who needs it
		}
		p.ahead.store <- openedStore{d, err}
	})
	program, err := os.Executable()
	if err == nil {
		p.ahead.spare = panes.NewSpare([]string{program, gate.Command})
	}
	p.aside("write the shims of typed agents", func() {
		defer close(p.ahead.typed)
		if cfg.Typed != "off" {
			_, _ = p.writeShims(p.registry(cfg.Agents)) // what fails is tried again, and said, where they are needed
		}
	})
}

// lazyKinds are kinds that are made when one is asked for: to open a database needs none.
type lazyKinds struct {
	p      *process
	agents []kinds.Custom
}

func (l *lazyKinds) Kind(name string) (agent.Kind, bool) { return l.p.registry(l.agents).Kind(name) }
func (l *lazyKinds) All() []agent.Kind                   { return l.p.registry(l.agents).All() }

// takeStore is the opened database, once, if it is fit for these agents; nil: there
// is none.
func (a *ahead) takeStore(agents []kinds.Custom) (*db.DB, error) {
	if a.store == nil {
		return nil, nil
	}
	s := <-a.store
	if s.db != nil && !reflect.DeepEqual(agents, a.agents) {
		return nil, s.db.Close()
	}
	return s.db, s.err
}

// close ends what nobody took.
func (a *ahead) close() {
	if a.store != nil {
		if s := <-a.store; s.db != nil {
			_ = s.db.Close()
		}
	}
	if a.spare != nil {
		a.spare.Close()
	}
}

// openStore opens the database for a workspace with these agents.
func (p *process) openStore(ctx context.Context, registry agent.Registry) (*db.DB, error) {
	self, err := panes.Identify(os.Getpid())
	if err != nil {
		p.log.Warn("identify this process", "err", err) // only the lock file tells then that it lives
	}
	return db.Open(ctx, p.paths.state, db.Options{Self: self, Alive: panes.ProcessID.Alive, Kinds: registry, Log: p.log})
}
