package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reprise/db"
	"reprise/panes"
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

// renamePane gives a pane a name; "" takes it back.
func (p *process) renamePane(ctx context.Context, q renameQuery) (paneAnswer, error) {
	h, pane, err := p.resolve(q.target)
	if err != nil {
		return paneAnswer{}, err
	}
	switch err := h.host.RenamePane(pane, q.Name); {
	case errors.Is(err, panes.ErrPaneName):
		return paneAnswer{}, fmt.Errorf("%q is no name for a pane: it has at most %d bytes, all of them of letters that can be printed", q.Name, panes.MaxPaneName)
	case err != nil:
		return paneAnswer{}, errPaneGone
	}
	return paneAnswer{h.Name(), pane}, h.saveLayout(ctx)
}

func renameCommand() *cobra.Command {
	var q renameQuery
	cmd := &cobra.Command{
		Use:     "rename [session] name",
		Short:   "Give a session another name: the named one, or the one that was used last; with -p, a pane",
		Example: "  reprise rename review\n  reprise rename proj review\n  reprise rename -p 2.1 tests",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Name = args[len(args)-1]
			if len(args) > 1 {
				if q.Session != "" {
					return errors.New("name the session once: by -s, or before its new name")
				}
				q.Session = args[0]
			}
			if !cmd.Flags().Changed("pane") {
				return ask(cmd.Context(), "rename", q, new(renamed))
			}
			if q.Name != strings.TrimSpace(q.Name) {
				return errors.New("a pane's name must not begin or end with a space")
			}
			return ask(cmd.Context(), "rename-pane", q, new(paneAnswer))
		},
	}
	targetFlags(cmd, &q.target)
	cmd.Flags().Lookup("pane").Usage = "a pane, which is given the name, \"\" takes it back: its number, its tab's and its own as in 2.1, or its id"
	return cmd
}
