package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"reprise/db"
)

// Name is the session's name; it may change.
func (h *house) Name() string { return *h.name.Load() }

// Rename gives the session another name; all its clients show it.
func (h *house) Rename(ctx context.Context, to string) error {
	p, from := h.proc, h.Name()
	p.opening.Lock()
	defer p.opening.Unlock()
	if p.find(h.Name()) != h {
		return fmt.Errorf("session %s is closed", from)
	}
	h.saving.Lock()
	defer h.saving.Unlock()
	if err := h.db.RenameWorkspace(ctx, h.Name(), to, h.instance); err != nil {
		return renameFault(err, h.Name(), to)
	}
	p.mu.Lock()
	delete(p.houses, h.Name())
	h.name.Store(&to)
	p.houses[to] = h
	p.mu.Unlock()
	h.roster.Wake() // clients look at the name again
	p.news.Wake()
	return nil
}

// renameFault says why a session was not renamed, and what to do.
func renameFault(err error, from, to string) error {
	var owned *db.OwnedError
	switch {
	case errors.Is(err, db.ErrNameTaken):
		return fmt.Errorf("there is a session %s already: take another name", to)
	case errors.Is(err, db.ErrNoWorkspace):
		return fmt.Errorf("there is no session %s: reprise ls lists them", from)
	case errors.Is(err, db.ErrBadName):
		return badName(to)
	case errors.As(err, &owned):
		return fmt.Errorf("session %s is open in process %d: rename it there", from, owned.PID)
	}
	return err
}

func badName(name string) error {
	return fmt.Errorf("%q is no name for a session: it has 1 to %d bytes, all of them of letters that can be printed", name, db.MaxName)
}

// renameQuery asks for another name of a session, open or saved.
type renameQuery struct {
	target
	Name string `json:"name"`
}

// renamed is a session by its new name.
type renamed struct {
	Session string `json:"session"`
}

func (p *process) rename(ctx context.Context, q renameQuery) (renamed, error) {
	if q.Session != "" && p.find(q.Session) == nil {
		return p.renameSaved(ctx, q.Session, q.Name)
	}
	h, _, err := p.resolve(q.target)
	if err != nil {
		return renamed{}, err
	}
	if err := h.Rename(ctx, q.Name); err != nil {
		return renamed{}, err
	}
	return renamed{h.Name()}, nil
}

// renameSaved renames a session that is not open here.
func (p *process) renameSaved(ctx context.Context, from, to string) (renamed, error) {
	p.opening.Lock()
	defer p.opening.Unlock()
	d, done, err := p.store(ctx)
	if err != nil {
		return renamed{}, err
	}
	defer done()
	if err := d.RenameWorkspace(ctx, from, to, ""); err != nil {
		return renamed{}, renameFault(err, from, to)
	}
	return renamed{to}, nil
}

func renameCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "rename [session] name",
		Short:   "Give a session another name: the named one, or the one that was used last",
		Example: "  reprise rename review\n  reprise rename proj review",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			q := renameQuery{Name: args[len(args)-1]}
			if len(args) > 1 {
				q.Session = args[0]
			} else {
				q.Self = os.Getenv("REPRISE_PANE")
			}
			var a renamed
			return ask(cmd.Context(), "rename", q, &a)
		},
	}
}
