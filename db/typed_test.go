package db_test

import (
	"errors"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// shellAndTyped records a shell, and an agent that was typed in it.
func shellAndTyped(t *testing.T) (w *world, shell, typed agent.Terminal) {
	t.Helper()
	w = newWorld(t)
	shell = agent.Terminal{
		ID: panes.NewTerminalID(), Pane: panes.NewPaneID(), Dir: "/", Argv: []string{"sh"},
		Instance: w.inst, GateOpen: true, Created: at(0),
	}
	w.must(w.Begin(w.ctx, shell, nil))
	typed = shell
	typed.ID, typed.Argv, typed.Nonce, typed.Shell, typed.Created = panes.NewTerminalID(), []string{"claude"}, "typed", shell.ID, at(1)
	w.must(w.Begin(w.ctx, typed, &agent.Binding{Origin: agent.Origin{Kind: "claude", Dir: "/"}, Session: "s-1"}))
	return w, shell, typed
}

func (w *world) shows(p panes.PaneID) agent.PaneRecord {
	w.Helper()
	rec, err := w.Pane(w.ctx, p)
	w.must(err)
	return rec
}

// While it runs, a typed agent is what its pane holds; a crash leaves it to be resumed.
func TestTypedAgentHasThePane(t *testing.T) {
	w, shell, typed := shellAndTyped(t)
	if rec := w.shows(shell.Pane); rec.Terminal.ID != typed.ID || rec.Terminal.Shell != shell.ID || rec.Binding == nil {
		t.Fatalf("the pane holds %+v", rec)
	}
	for _, id := range []panes.TerminalID{shell.ID, typed.ID} {
		w.must(w.Sweep(w.ctx, agent.SweepRequest{Terminal: id, Instance: w.inst, At: at(2)}))
	}
	if rec := w.shows(shell.Pane); rec.Terminal.ID != typed.ID || !rec.Candidate || !rec.Binding.Dismissed.IsZero() {
		t.Errorf("after a crash the pane holds %+v", rec)
	}
}

// An agent that ends alone gives the pane back, and waits for a person.
func TestTypedAgentEndsAlone(t *testing.T) {
	w, shell, typed := shellAndTyped(t)
	reason, err := w.End(w.ctx, agent.Ending{Terminal: typed.ID, At: at(2), Asked: agent.TerminalExited, Alone: true})
	if err != nil || reason != agent.TerminalExited {
		t.Fatalf("%q, %v", reason, err)
	}
	rec := w.shows(shell.Pane)
	if rec.Terminal.ID != shell.ID || rec.Binding != nil {
		t.Errorf("the pane holds %+v", rec)
	}
	if rec.Left == nil || rec.Left.Terminal != typed.ID || rec.Left.Session != "s-1" {
		t.Errorf("what has died alone there: %+v", rec.Left)
	}
	all, err := w.Candidates(w.ctx)
	w.must(err)
	if len(all) != 1 || all[0].Dismissed.IsZero() {
		t.Errorf("candidates %+v, want one that waits for a person", all)
	}
	// Brought back elsewhere it is nothing more to the shell.
	w.begin("elsewhere", "s-2")
	w.must(db.Exec(w.ctx, w.DB, `UPDATE bindings SET session_id = 's-1', home = '' WHERE terminal_id = 'elsewhere'`))
	if rec := w.shows(shell.Pane); rec.Left != nil {
		t.Errorf("while it lives elsewhere: %+v", rec.Left)
	}
}

// Closing the pane ends both, and nothing may be typed there any more.
func TestTypedAgentIsDisposedWithItsShell(t *testing.T) {
	w, shell, typed := shellAndTyped(t)
	doomed, err := w.Dispose(w.ctx, typed.ID, at(2))
	w.must(err)
	if len(doomed) != 2 || doomed[0].ID != typed.ID || doomed[1].ID != shell.ID || doomed[1].DisposeRequested.IsZero() {
		t.Fatalf("disposed of %+v", doomed)
	}
	late := typed
	late.ID, late.Nonce = panes.NewTerminalID(), "late"
	err = w.Begin(w.ctx, late, &agent.Binding{Origin: agent.Origin{Kind: "claude", Dir: "/"}, Session: "s-2"})
	if !errors.Is(err, agent.ErrNoShell) {
		t.Errorf("typed in a closed pane: %v", err)
	}
}
