package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/panes"
	"reprise/ui"
)

// pastSeat is where a past session is now.
type pastSeat struct {
	house *house
	pane  panes.PaneID
}

// openPast leads to a past session. It is where it is open already; a saved one comes
// back in its own pane; any other is opened in h, in the pane that newPane makes. A
// copy of it is always opened there. A ui.HeldError says that a program that is not ours
// has it.
func (p *process) openPast(ctx context.Context, h *house, r past.Row, how ui.PastHow, newPane func(context.Context) (panes.PaneID, error)) (pastSeat, error) {
	if how.Fork {
		return h.forkPast(ctx, r, newPane)
	}
	at, candidate, err := p.seatOf(ctx, r.Identity)
	switch {
	case err != nil:
		return at, err
	case candidate != "":
		res := at.house.coord.Resume(ctx, agent.ResumeRequest{Terminal: candidate, Pane: at.pane, ByPerson: true, Override: how.Anyway})
		return at, held(res.Failure, res.Err)
	case at.house != nil:
		return at, nil
	}
	res := h.coord.OpenSession(ctx, agent.OpenRequest{
		Identity: r.Identity, Dir: r.Dir, Override: how.Anyway,
		NewPane: func(ctx context.Context) (panes.PaneID, error) {
			pane, err := newPane(ctx)
			if err != nil {
				return "", err
			}
			// Saved before: after a crash in between the session would be in no pane.
			if err := h.saveLayout(ctx); err != nil {
				h.host.Close(pane)
				return "", err
			}
			return pane, nil
		},
	})
	if res.Opened {
		return pastSeat{h, res.Pane}, nil
	}
	if res.Pane != "" {
		h.host.Close(res.Pane) // nothing is in it
		if err := h.saveLayout(ctx); err != nil {
			p.log.Warn("save the layout", "session", h.Name(), "err", err)
		}
	}
	if res.Held == nil {
		return pastSeat{}, held(res.Failure, res.Err)
	}
	if at, _, err := p.seatOf(ctx, r.Identity); err == nil && at.house != nil {
		return at, nil // another client was faster
	}
	return pastSeat{}, errors.New(openElsewhere(r.Kind, res.Held))
}

// held tells a person what can be overridden.
func held(f agent.FailureKind, err error) error {
	if f == agent.FailHeld && err != nil {
		return &ui.HeldError{Err: err}
	}
	return err
}

// forkPast starts a copy of a past session as that was started, in the pane that newPane
// makes. What cannot be started is said there.
func (h *house) forkPast(ctx context.Context, r past.Row, newPane func(context.Context) (panes.PaneID, error)) (pastSeat, error) {
	req, err := h.coord.ForkOf(ctx, r.Identity, r.Dir)
	if err != nil {
		return pastSeat{}, err
	}
	if req.Pane, err = newPane(ctx); err != nil {
		return pastSeat{}, err
	}
	return pastSeat{h, req.Pane}, h.launch(ctx, req)
}

// openElsewhere says who has a session that no pane here shows.
func openElsewhere(kind string, h *agent.Holder) string {
	words := kind + "'s session is open"
	if h.Workspace != "" {
		words += " in session " + h.Workspace
	}
	if pid := h.Terminal.Process.PID; pid != 0 && h.Reason == agent.Live {
		words += fmt.Sprintf(", process %d", pid)
	}
	return words + ". Close it there, then try again."
}

// seatOf finds the open workspace that shows a session, alive or else as a candidate.
func (p *process) seatOf(ctx context.Context, id agent.Identity) (saved pastSeat, candidate panes.TerminalID, err error) {
	for _, h := range p.all() {
		pane, cand, err := h.coord.Seat(ctx, id)
		switch {
		case err != nil:
			return pastSeat{}, "", err
		case pane != "" && cand == "":
			return pastSeat{h, pane}, "", nil
		case pane != "" && saved.house == nil:
			saved, candidate = pastSeat{h, pane}, cand
		}
	}
	return saved, candidate, nil
}

// findPast is one session by its id, or the end of it.
func findPast(rows []past.Row, id string) (past.Row, error) {
	var found []past.Row
	for _, r := range rows {
		full := string(r.Identity.Session)
		if full == id {
			return r, nil
		}
		if len(id) >= leastID && strings.HasSuffix(full, id) {
			found = append(found, r)
		}
	}
	if len(id) < leastID {
		return past.Row{}, fmt.Errorf("%s is too little of an id: give at least %d letters of its end", id, leastID)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return past.Row{}, fmt.Errorf("%w %s: reprise sessions --all lists them", errNoPast, id)
	}
	return past.Row{}, fmt.Errorf("%d sessions end with %s: give more of the id", len(found), id)
}

var errNoPast = errors.New("there is no past session")

// leastID is how much of an id names a session at least.
const leastID = 4

// pastRows lists the past sessions as they are known now; see book.rows.
func (h *house) pastRows(ctx context.Context, limit int) ([]past.Row, shelf, error) {
	s, err := h.proc.book.look(ctx, h.db, h.kinds, h.env)
	if err != nil {
		return nil, s, err
	}
	rows, err := h.proc.book.rows(ctx, s, limit)
	forks := map[string]bool{}
	for _, k := range h.kinds.All() {
		forks[k.Facts().Name] = len(k.Facts().Fork) > 0
	}
	for i := range rows {
		rows[i].Forks = forks[rows[i].Kind]
	}
	return rows, s, err
}

// openByID opens the past session that ends with an id, in a tab of the session.
func (p *process) openByID(ctx context.Context, q resumeQuery) (paneAnswer, error) {
	h, beside, err := p.resolve(target{Session: q.Session, Self: q.Self})
	if err != nil {
		return paneAnswer{}, err
	}
	id := strings.TrimPrefix(q.Past, "…") // as it is listed
	rows, s, err := h.pastRows(ctx, maxPast)
	if err != nil {
		return paneAnswer{}, err
	}
	row, err := findPast(rows, id)
	if errors.Is(err, errNoPast) { // it may be newer than what was read
		if _, err = p.book.refresh(ctx, s); err == nil {
			rows, err = p.book.rows(ctx, s, maxPast)
		}
		if err != nil {
			return paneAnswer{}, err
		}
		row, err = findPast(rows, id)
	}
	if err != nil {
		return paneAnswer{}, err
	}
	at, err := p.openPast(ctx, h, row, ui.PastHow{Anyway: q.Anyway, Fork: q.Fork}, func(context.Context) (panes.PaneID, error) {
		tab, _ := h.host.Layout().TabOf(beside)
		return h.host.NewTab("", tab.ID)
	})
	if err != nil {
		return paneAnswer{}, err
	}
	return paneAnswer{at.house.Name(), at.pane}, nil
}
