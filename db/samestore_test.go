package db_test

import (
	"testing"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// keepers are kinds by what they say of where their conversations lie, each in its
// default home.
type keepers map[string]string

func (k keepers) Kind(name string) (agent.Kind, bool) {
	store, ok := k[name]
	return keeper{store: store}, ok
}
func (k keepers) All() []agent.Kind { return nil }

type keeper struct {
	agent.Kind
	store string
}

func (k keeper) Keeps(home string) string { return k.store + home }
func (keeper) Facts() agent.Facts         { return agent.Facts{OwnProcesses: 1} }

// of records a terminal whose agent is of a kind and has a home.
func (w *world) of(kind, home string, id panes.TerminalID, session agent.SessionID) {
	w.Helper()
	b := bind(id, session)
	b.Kind, b.Home = kind, home
	w.must(w.Begin(w.ctx, w.record(id), &b))
	must(w.GateOpened(w.ctx, id))(w)
}

// Of kinds, and homes, that have one store a session is one, whoever holds it: it is
// claimed once, the others are told by whom, and it ends for all of them.
func TestSessionOfAStore(t *testing.T) {
	all := keepers{"claude": "/.claude", "mine": "/.claude", "moved": "", "other": "/.other"}
	for _, c := range []struct {
		kind, home string
		same       bool
	}{
		{"mine", "", true},
		{"moved", "/.claude", true},
		{"claude", "", true},
		{"other", "", false},
		{"moved", "", false},
		{"claude", "/.claude", false}, // a home in that home
		{"unknown", "", false},
	} {
		t.Run(c.kind+c.home, func(t *testing.T) {
			w := newWorld(t, db.Options{Judge: obey, Kinds: all})
			w.of("claude", "", "a", "s1")
			w.end("a", agent.TerminalExited, false, 10)
			w.of(c.kind, c.home, "b", "s1")
			claim := func(id panes.TerminalID, want bool, when string) {
				t.Helper()
				if got := w.claim(id); got != want {
					t.Errorf("%s: claimed %s: %v, want %v", when, id, got, want)
				}
			}
			claim("a", !c.same, "the other one lives")
			if held := must(w.Pane(w.ctx, "pane-a"))(t).HeldBy; (held != nil) != c.same {
				t.Errorf("pane a is held by %+v", held)
			}
			if all := must(w.Holders(w.ctx, agent.Identity{Kind: c.kind, Home: c.home, Session: "s1"}))(t); len(all) == 2 != c.same {
				t.Errorf("it has %d holders", len(all))
			}
			sole := bind("sole", "s1")
			sole.Kind, sole.Home = "claude", ""
			if !c.same { // nor does a claim of a's own stand against it
				w.must(w.Unclaim(w.ctx, w.ref("a"), "test"))
			}
			if ok := must(w.BeginSole(w.ctx, w.record("sole"), sole))(t); ok == c.same {
				t.Errorf("begun as the only one: %v", ok)
			} else if ok {
				w.end("sole", agent.TerminalExited, false, 15)
			}
			w.of("claude", "", "pin", "s9")
			out := must(w.Pin(w.ctx, agent.PinRequest{Terminal: "pin", Session: "s1", At: at(16)}))(t)
			if out.Done == c.same || (out.Held != nil) != c.same {
				t.Errorf("pinned: %+v", out)
			}
			must(w.Unpin(w.ctx, agent.PinRequest{Terminal: "pin", At: at(17)}))(t)

			w.end("b", agent.TerminalExited, false, 20)
			claim("b", true, "both are dead")
			claim("a", !c.same, "the other one is claimed")
			if !c.same {
				w.must(w.Unclaim(w.ctx, w.ref("a"), "test"))
			}
			must(w.Dispose(w.ctx, "b", at(30)))(t)
			want := agent.TerminalExited
			if c.same {
				want = agent.Disposed // [P12]
			}
			w.wantReason("a", want)
		})
	}
}

// What the config says of a kind counts as it is now: of an instance that registers, and
// of one that goes on as another image; and for what was recorded without it. What is of
// no binding any more is forgotten.
func TestStoresFollowTheConfig(t *testing.T) {
	w := newWorld(t, db.Options{Judge: obey})
	w.of("claude", "", "a", "s1")
	w.end("a", agent.TerminalExited, false, 10)
	w.of("mine", "", "b", "s1")
	held := func(w *world, want bool) {
		t.Helper()
		if held := must(w.Pane(w.ctx, "pane-a"))(t).HeldBy; (held != nil) != want {
			t.Errorf("held by %+v, want %v", held, want)
		}
	}
	held(w, false)
	w2 := join(t, w.dir, db.Options{Judge: obey, Kinds: keepers{"claude": "/.claude", "mine": "/.claude"}})
	held(w2, true)
	held(join(t, w.dir, db.Options{Judge: obey, Kinds: keepers{"claude": "/.claude"}}), true) // not known any more
	held(join(t, w.dir, db.Options{Judge: obey, Kinds: keepers{"claude": "/.claude", "mine": "/.mine"}}), false)

	id, fd, err := w2.Handover()
	w.must(err)
	next := open(t, w.dir, db.Options{Judge: obey, Kinds: keepers{"claude": "/.claude", "mine": "/.claude"}})
	w.must(next.Adopt(w.ctx, "next", id, fd))
	held(&world{TB: t, DB: next, dir: w.dir, ctx: w.ctx}, true)

	// As a server of an older build records it, which knows nothing of stores.
	w.must(db.Exec(w.ctx, w.DB, `DELETE FROM bindings WHERE kind = 'mine'; DELETE FROM stores WHERE kind = 'mine';
		INSERT INTO bindings (terminal_id, kind, home, session_id, prompted, first_failed, dir, flags, env, started_at, attempts)
		VALUES ('b', 'mine', '', 's1', 0, 0, '/src', '[]', '[]', 0, 0)`))
	held(w, false)
	held(join(t, w.dir, db.Options{Judge: obey, Kinds: keepers{"claude": "/.claude", "mine": "/.claude"}}), true)

	w.must(db.Exec(w.ctx, w.DB, `INSERT INTO stores (kind, home, store) VALUES ('gone', '', '/x')`))
	w.must(w.Prune(w.ctx, at(1)))
	if n := must(db.Count(w.ctx, w.DB, `SELECT count(*) FROM stores`))(t); n != 2 {
		t.Errorf("%d stores are kept, want 2", n)
	}
}
