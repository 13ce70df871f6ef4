package db_test

import (
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

func TestImport(t *testing.T) {
	w := newWorld(t)
	w.must(w.Close())
	d := join(t, w.dir)
	life := func(id, session string) db.ImportedLife {
		l := db.ImportedLife{Terminal: agent.Terminal{ID: panes.TerminalID(id), Pane: panes.PaneID("pane-" + id), Dir: "/d", Argv: []string{"claude"}}}
		l.Binding = &agent.Binding{Origin: agent.Origin{Kind: "claude", Dir: "/d"}, Session: agent.SessionID(session)}
		return l
	}
	command := db.ImportedLife{Terminal: agent.Terminal{ID: "c", Pane: "pane-c", Dir: "/d", Argv: []string{"vim", "x"}}}
	in := db.Import{
		Name: "work", Dir: t.TempDir(), Layout: []byte("layout"), At: at(5), From: "tmux",
		Lives: []db.ImportedLife{life("a", "s1"), life("b", ""), command},
	}
	for _, want := range []string{"work", "work-2"} {
		names, err := d.Import(t.Context(), in)
		d.must(err)
		if len(names) != 1 || names[0] != want {
			t.Errorf("named %q, want %q", names, want)
		}
		ws, err := d.Workspace(t.Context(), want)
		d.must(err)
		if string(ws.Layout) != "layout" || ws.Owner != "" {
			t.Errorf("%+v", ws)
		}
		if want == "work" && (!d.candidates()["a"] || d.candidates()["b"]) {
			t.Errorf("candidates %v, want that of the session that is known", d.candidates())
		}
		rec, err := d.Pane(t.Context(), "pane-c")
		d.must(err)
		if rec.Terminal == nil || rec.Binding != nil || rec.Terminal.Status != agent.TerminalExit {
			t.Errorf("the command: %+v", rec)
		}
		in.Lives = nil // their ids are taken
	}
	// All or nothing.
	in.Name, in.Lives = "half", []db.ImportedLife{life("e", "s9"), command}
	whole := in
	whole.Name, whole.Lives = "whole", []db.ImportedLife{life("f", "s10")}
	if names, err := d.Import(t.Context(), whole, in); err == nil || names != nil {
		t.Errorf("one terminal twice: %q, %v", names, err)
	}
	for _, name := range []string{"whole", "half"} {
		if _, err := d.Workspace(t.Context(), name); err == nil || d.candidates()["e"] || d.candidates()["f"] {
			t.Errorf("%s was made", name)
		}
	}
	in.Name = "\x01"
	if _, err := d.Import(t.Context(), in); err == nil {
		t.Error("a name of control characters: no error")
	}
}
