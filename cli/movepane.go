package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
	"reprise/ui"
)

// moveTime is how long a move may wait for what is just being started.
const moveTime = 5 * time.Second

// MovePane takes a pane to another open session of this process or to a new one, with
// what runs in it. A session whose last pane it was ends.
func (h *house) MovePane(ctx context.Context, p panes.PaneID, to ui.Destination) (*panes.Host, error) {
	if to.Host != nil {
		return to.Host, h.movePane(ctx, p, to.Host)
	}
	fresh, err := h.openFor(ctx, p, to.Name)
	if err != nil {
		return nil, err
	}
	err = h.movePane(ctx, p, fresh.host)
	h.proc.left(fresh)
	if err != nil {
		h.proc.settle() // it has no pane
	}
	return fresh.host, err
}

// openFor opens a new session without a pane, where the program of a pane is; name "":
// it is called by its directory. It counts a visit to it.
func (h *house) openFor(ctx context.Context, p panes.PaneID, name string) (*house, error) {
	if _, ok := h.host.Layout().TabOf(p); !ok {
		return nil, errPaneGone
	}
	v := visit{name: name, fresh: true, dir: h.dirOf(p), env: h.env, noResume: h.noResume}
	if name == "" {
		var err error
		if v.name, err = h.db.UnusedName(ctx, v.dir); err != nil {
			return nil, err
		}
	}
	fresh, err := h.proc.open(ctx, v)
	if errors.Is(err, db.ErrBadName) {
		err = badName(v.name)
	}
	return fresh, err
}

// errPaneGone: it was closed meanwhile.
var errPaneGone = errors.New("that pane is gone: reprise ls lists the panes")

// movePane takes a pane to another open session.
func (h *house) movePane(ctx context.Context, p panes.PaneID, to *panes.Host) error {
	proc := h.proc
	proc.opening.Lock() // neither of the two is closed, renamed or upgraded meanwhile
	defer proc.opening.Unlock()
	all := proc.all()
	at := slices.IndexFunc(all, func(o *house) bool { return o.host == to })
	if at < 0 || !slices.Contains(all, h) {
		return errors.New("that session is closed")
	}
	m := paneMove{pane: p, tab: panes.NewTabID(), from: h, to: all[at]}
	if m.from == m.to {
		return fmt.Errorf("it is in session %s already", h.Name())
	}
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	if err := h.coord.Move(ctx, p, m.to.coord, m.commit); err != nil {
		return m.fault(err)
	}
	proc.log.Info("moved", "pane", p, "from", h.Name(), "to", m.to.Name())
	proc.news.Wake()
	return nil
}

// paneMove is a pane on its way to a tab of its own in another session.
type paneMove struct {
	pane     panes.PaneID
	tab      panes.TabID
	from, to *house
}

// commit moves the pane in the database, then in memory: if this process dies in
// between, the next one finds it where the database says.
func (m paneMove) commit(ctx context.Context, terminals []panes.TerminalID) error {
	for _, h := range []*house{m.from, m.to} { // nobody else takes two of them without opening
		h.saving.Lock()
		defer h.saving.Unlock()
		h.saved.layout = nil // what is saved next is compared with nothing
	}
	left := m.from.host.Layout()
	place, err := m.place(left)
	if err != nil {
		return err
	}
	left = left.Close(m.pane)
	joined, err := place(m.to.host.Layout())
	if err != nil {
		return err
	}
	q := db.PaneMove{Pane: m.pane, Terminals: terminals, At: time.Now()}
	if q.From, err = m.from.homeWith(left); err != nil {
		return err
	}
	if q.To, err = m.to.homeWith(joined); err != nil {
		return err
	}
	if err := m.from.db.MovePane(ctx, q); err != nil {
		return err
	}
	if err := m.from.host.Give(m.pane, terminals, m.to.host, place); err != nil {
		return errors.Join(err, m.takeBack(ctx, terminals))
	}
	m.from.saved.panes = slices.DeleteFunc(slices.Clone(m.from.saved.panes), func(p panes.PaneID) bool { return p == m.pane })
	m.to.saved.panes = append(slices.Clone(m.to.saved.panes), m.pane)
	return nil
}

// place says how the pane is put into the other layout: as a last tab, which keeps the
// name of a tab that was the pane's own.
func (m paneMove) place(from panes.Layout) (func(panes.Layout) (panes.Layout, error), error) {
	was, ok := from.TabOf(m.pane)
	if !ok {
		return nil, panes.ErrNoPane
	}
	name := ""
	if len(was.Panes()) == 1 {
		name = was.Name
	}
	meta, described := from.Meta[m.pane]
	return func(l panes.Layout) (panes.Layout, error) {
		l, err := l.NewTab(m.tab, m.pane, "")
		if err == nil {
			l, err = l.RenameTab(m.tab, name)
		}
		if err == nil && described {
			l, err = l.WithMeta(m.pane, meta)
		}
		return l, err
	}, nil
}

// homeWith is a workspace as the database is to have it.
func (h *house) homeWith(l panes.Layout) (home db.PaneHome, err error) {
	home = db.PaneHome{Name: h.Name(), Instance: h.instance}
	if len(l.Panes()) > 0 {
		home.Layout, err = panes.EncodeLayout(l)
	}
	return home, err
}

// takeBack undoes in the database what memory could not follow.
func (m paneMove) takeBack(ctx context.Context, terminals []panes.TerminalID) error {
	q := db.PaneMove{Pane: m.pane, Terminals: terminals, At: time.Now()}
	var err error
	if q.From, err = m.to.homeWith(m.to.host.Layout()); err != nil {
		return err
	}
	if q.To, err = m.from.homeWith(m.from.host.Layout()); err != nil {
		return err
	}
	return m.from.db.MovePane(ctx, q)
}

// fault says why the pane was not moved, and what to do.
func (m paneMove) fault(err error) error {
	switch {
	case errors.Is(err, panes.ErrNoPane), errors.Is(err, agent.ErrMoved):
		return errPaneGone
	case errors.Is(err, panes.ErrFull):
		return m.to.full()
	case errors.Is(err, agent.ErrBusy), errors.Is(err, db.ErrResuming):
		return errors.New("its session is being resumed: move it when it runs")
	case errors.Is(err, agent.ErrTyped):
		return agent.ErrTyped
	case errors.Is(err, agent.ErrClosing):
		return errors.New("what runs in it is being ended: try again when it has ended")
	}
	return err
}

// moveQuery asks for a pane to be taken to another open session.
type moveQuery struct {
	target
	To  string `json:"to"`
	New bool   `json:"new,omitempty"` // To is made for it
}

func (p *process) movePane(ctx context.Context, q moveQuery) (paneAnswer, error) {
	from, pane, err := p.resolve(q.target)
	if err != nil {
		return paneAnswer{}, err
	}
	if q.To == "" {
		return paneAnswer{}, errors.New("say which session the pane goes to: reprise ls lists them")
	}
	to := ui.Destination{Name: q.To}
	if !q.New {
		there, _, err := p.resolve(target{Session: q.To})
		if err != nil {
			return paneAnswer{}, err
		}
		to.Host = there.host
	}
	if _, err := from.MovePane(ctx, pane, to); err != nil {
		return paneAnswer{}, fmt.Errorf("the pane was not moved: %w", err)
	}
	return paneAnswer{q.To, pane}, nil
}

func moveCommand() *cobra.Command {
	var q moveQuery
	cmd := &cobra.Command{
		Use:     "move session",
		Short:   "Take a pane to another session, where it gets a tab; what runs in it runs on",
		Example: "  reprise move docs\n  reprise move docs -s proj -p 2.1\n  reprise move --new review",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.To = args[0]
			var a paneAnswer
			return ask(cmd.Context(), "move", q, &a)
		},
	}
	targetFlags(cmd, &q.target)
	cmd.Flags().BoolVarP(&q.New, "new", "n", false, "make that session: it is not there yet")
	return cmd
}
