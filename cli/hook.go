package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"reprise/agent"
	"reprise/agent/hook"
	"reprise/agent/kinds"
	"reprise/db"
	"reprise/panes"
)

// runHook is `reprise hook STATE KIND NONCE EVENT`: what agents call. It works
// without a running program, opens the database once, and always succeeds.
func runHook(args []string) int {
	fired := time.Now()
	// An agent that is told to end tells its hooks too: deaf before anything that
	// takes time.
	signal.Ignore(syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
	registry := hookKinds()
	var in *db.Intake // left open: closing the last connection makes SQLite tidy up while an agent waits
	open := func(state string) (err error) {
		if in == nil {
			in, err = db.OpenIntake(state)
		}
		return err
	}
	ctx := context.Background()
	return hook.Run(args, os.Stdin, hook.Deps{
		Kinds:     registry,
		Ancestors: func() []panes.Proc { return panes.ParentChain(os.Getpid()) },
		Terminal: func(state, nonce string) (panes.ProcessID, error) {
			if err := open(state); err != nil {
				return panes.ProcessID{}, err
			}
			id, ok, err := in.Process(ctx, nonce)
			if err == nil && !ok {
				err = fmt.Errorf("hook: %w", db.ErrNoTerminal)
			}
			return id, err
		},
		Record: func(state string, e agent.HookEvent) error {
			if err := open(state); err != nil {
				return err
			}
			return in.Record(ctx, e)
		},
		Spool: db.Spool,
		Now:   func() time.Time { return fired },
	})
}

// hookKinds are the built-in kinds and those of config.toml. What is wrong there
// was said when the program started.
func hookKinds() *kinds.Registry {
	c := defaultConfig()
	if p, err := findPaths(); err == nil {
		c, _ = loadConfig(p.config)
	}
	registry, _ := kinds.New(c.Agents)
	return registry
}
