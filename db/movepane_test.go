package db_test

import (
	"errors"
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// rooms are two open workspaces of one process, the first with a pane and what is in it.
type rooms struct {
	from, to *world
	move     db.PaneMove
}

func newRooms(t *testing.T) rooms {
	from := newWorld(t)
	to := join(t, from.dir)
	from.inWorkspace("from", "t", "s1")
	must(to.OpenWorkspace(to.ctx, "to", to.dir, to.inst))(t)
	from.must(from.SaveLayout(from.ctx, "from", from.inst, []byte("from: t")))
	to.must(to.SaveLayout(to.ctx, "to", to.inst, []byte("to:")))
	return rooms{from, to, db.PaneMove{
		Pane: "pane-t", Terminals: []panes.TerminalID{"t"}, At: at(30),
		From: db.PaneHome{Name: "from", Instance: from.inst, Layout: []byte("from:")},
		To:   db.PaneHome{Name: "to", Instance: to.inst, Layout: []byte("to: t")},
	}}
}

// where says who answers for the pane; all of it has to agree.
func (r rooms) where(t *testing.T) string {
	t.Helper()
	term, _ := r.from.show("t")
	inst := term.Instance
	from, to := must(r.from.Workspace(r.from.ctx, "from"))(t), must(r.from.Workspace(r.from.ctx, "to"))(t)
	var named string
	if n := must(db.Count(r.from.ctx, r.from.DB, `SELECT count(*) FROM panes WHERE id = 'pane-t' AND workspace = 'to'`))(t); n == 1 {
		named = "to"
	}
	switch {
	case inst == r.from.inst && string(from.Layout) == "from: t" && string(to.Layout) == "to:" && named == "":
		return "from"
	case inst == r.to.inst && string(from.Layout) == "from:" && string(to.Layout) == "to: t" && named == "to":
		return "to"
	}
	t.Fatalf("it is torn apart: instance %s, layouts %q and %q, in workspace %q", inst, from.Layout, to.Layout, named)
	return ""
}

func TestMovePane(t *testing.T) {
	r := newRooms(t)
	r.from.must(db.RecordHook(r.from.ctx, r.from.dir, event("t", "prompted", 20)))
	r.from.must(r.from.MovePane(r.from.ctx, r.move))
	if got := r.where(t); got != "to" {
		t.Errorf("it is in %s", got)
	}
	// A hook that was fired before is the new owner's to take in, as one after it is.
	if got := must(r.from.ApplyHooks(r.from.ctx, r.from.inst))(t); len(got) != 0 {
		t.Errorf("the old owner took in %v", got)
	}
	if got := must(r.to.ApplyHooks(r.to.ctx, r.to.inst))(t); len(got) != 1 {
		t.Errorf("the new owner took in %v", got)
	}
	// The end of the old owner leaves nothing of it, that of the new one does.
	r.from.die()
	if got := r.to.orphans(r.from.inst); len(got) != 0 {
		t.Errorf("the old owner left %v", got)
	}
	r.to.die()
	third := join(t, r.from.dir)
	if got := third.orphans(r.to.inst); len(got) != 1 {
		t.Errorf("the new owner left %v", got)
	}
}

// A move that breaks off at any statement, or that one of the instances has no right
// to, has changed nothing; the lost answer of one that was made is found.
func TestMovePaneIsOneStep(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(r *rooms)
		want  error
	}{
		"no layout is made":      {func(r *rooms) { r.move.To.Layout = nil }, db.ErrEmptyLayout},
		"the old one lost it":    {func(r *rooms) { r.move.From.Instance = "gone" }, db.ErrNotOwner},
		"the new one was closed": {func(r *rooms) { r.to.must(r.to.Release(r.to.ctx, "to", r.to.inst)) }, db.ErrNotOwner},
		"another's terminal": {func(r *rooms) {
			r.to.begin("other", "s2")
			r.move.Terminals = append(r.move.Terminals, "other")
		}, db.ErrNotOwner},
		"a resume is under way": {func(r *rooms) {
			r.from.end("t", agent.TerminalExited, false, 10)
			r.from.claim("t")
		}, db.ErrResuming},
		"to itself": {func(r *rooms) { r.move.To.Name = "from" }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRooms(t)
			c.spoil(&r)
			err := r.from.MovePane(r.from.ctx, r.move)
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if got := r.where(t); got != "from" {
				t.Errorf("it is in %s", got)
			}
		})
	}
	for _, table := range []string{"workspaces", "terminals", "panes", "ledger"} {
		t.Run("broken off at "+table, func(t *testing.T) {
			r := newRooms(t)
			act := "UPDATE"
			if table == "ledger" {
				act = "INSERT"
			}
			r.from.must(db.Exec(r.from.ctx, r.from.DB, `CREATE TRIGGER broken BEFORE `+act+` ON `+table+` BEGIN SELECT raise(ABORT, 'broken'); END`))
			if err := r.from.MovePane(r.from.ctx, r.move); err == nil {
				t.Error("no error")
			}
			if got := r.where(t); got != "from" {
				t.Errorf("it is in %s", got)
			}
		})
	}
	t.Run("the last pane, asked twice", func(t *testing.T) {
		r := newRooms(t)
		r.move.From.Layout = nil
		r.from.must(db.Exec(r.from.ctx, r.from.DB, `UPDATE workspaces SET layout_prev = layout`))
		for range 2 {
			r.from.must(r.from.MovePane(r.from.ctx, r.move))
		}
		from, to := must(r.from.Workspace(r.from.ctx, "from"))(t), must(r.from.Workspace(r.from.ctx, "to"))(t)
		if from.Layout != nil || from.Previous != nil || string(to.Layout) != "to: t" {
			t.Errorf("layouts %q, before %q, and %q", from.Layout, from.Previous, to.Layout)
		}
		r.from.must(r.from.RemoveWorkspace(r.from.ctx, "from", r.from.inst, false))
	})
	t.Run("asked twice", func(t *testing.T) {
		r := newRooms(t)
		for range 2 {
			r.from.must(r.from.MovePane(r.from.ctx, r.move))
		}
		if got := r.where(t); got != "to" {
			t.Errorf("it is in %s", got)
		}
	})
}
