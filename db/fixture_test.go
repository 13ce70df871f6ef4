package db_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

func TestMain(m *testing.M) {
	if role := os.Getenv("REPRISE_DB_TEST"); role != "" {
		os.Exit(child(role))
	}
	os.Exit(m.Run())
}

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)

// at is a time some seconds after the epoch of the tests.
func at(seconds float64) time.Time { return epoch.Add(time.Duration(seconds * float64(time.Second))) }

// world is an open database with one instance, and the means to fill it.
type world struct {
	testing.TB
	*db.DB
	dir  string
	inst agent.InstanceID
	ctx  context.Context
	n    int
}

func open(t testing.TB, dir string, opt db.Options) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func newWorld(t testing.TB, opts ...db.Options) *world {
	t.Helper()
	return join(t, t.TempDir(), opts...)
}

// join opens the database of a folder as one more instance.
func join(t testing.TB, dir string, opts ...db.Options) *world {
	t.Helper()
	opt := db.Options{Judge: obey}
	if len(opts) > 0 {
		opt = opts[0]
	}
	w := &world{TB: t, DB: open(t, dir, opt), dir: dir, ctx: t.Context()}
	var err error
	w.inst, err = w.Register(w.ctx, "test")
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// record is a terminal of the world's instance that runs since second 0.
func (w *world) record(id panes.TerminalID) agent.Terminal {
	w.n++
	return agent.Terminal{
		ID: id, Pane: "pane-" + panes.PaneID(id), Dir: "/src", Argv: []string{"claude", "--model", "x"}, Env: []string{"A=1"},
		Nonce:   "nonce-" + string(id),
		Process: panes.ProcessID{PID: 1000 + w.n, Start: 1<<63 + 7, Boot: "boot"}, Instance: w.inst,
		Status: agent.TerminalActive, Created: at(float64(w.n) / 1000),
	}
}

func bind(id panes.TerminalID, session agent.SessionID) agent.Binding {
	return agent.Binding{
		Terminal: id, Session: session, Started: at(0),
		Origin: agent.Origin{Kind: "claude", Home: "/home/.claude", Dir: "/src", Flags: []string{"--model", "x"}, Env: []string{"A=1"}},
	}
}

// begin records a terminal with a live binding; its gate is open.
func (w *world) begin(id panes.TerminalID, session agent.SessionID) agent.Terminal {
	w.Helper()
	t, b := w.record(id), bind(id, session)
	w.must(w.Begin(w.ctx, t, &b))
	if _, err := w.GateOpened(w.ctx, id); err != nil {
		w.Fatal(err)
	}
	return t
}

func (w *world) end(id panes.TerminalID, asked agent.EndReason, unsure bool, second float64) agent.EndReason {
	w.Helper()
	return must(w.End(w.ctx, agent.Ending{Terminal: id, At: at(second), Exit: &panes.Exit{}, Asked: asked, Unsure: unsure, Why: "test"}))(w)
}

// dead makes a candidate.
func (w *world) dead(id panes.TerminalID, session agent.SessionID) {
	w.Helper()
	w.begin(id, session)
	if r := w.end(id, agent.TerminalExited, false, 10); r != agent.TerminalExited {
		w.Fatalf("%s ended as %q", id, r)
	}
}

func (w *world) ref(id panes.TerminalID) agent.ClaimRef {
	return agent.ClaimRef{Terminal: id, Owner: w.inst, Token: "token-" + string(id), At: at(20)}
}

func (w *world) claim(id panes.TerminalID) bool {
	w.Helper()
	_, ok, err := w.Claim(w.ctx, w.ref(id))
	w.must(err)
	return ok
}

// confirm launches next as the successor of id.
func (w *world) confirm(id, next panes.TerminalID) bool {
	w.Helper()
	c := w.confirmation(id, next)
	return must(w.Confirm(w.ctx, c))(w)
}

func (w *world) confirmation(id, next panes.TerminalID) agent.Confirmation {
	w.Helper()
	old := w.binding(id)
	b := bind(next, old.Session)
	b.Attempts, b.Prompted = old.Attempts, old.Prompted
	t := w.record(next)
	t.Pane = "pane-" + panes.PaneID(id)
	return agent.Confirmation{Claim: w.ref(id), Successor: t, Binding: b}
}

// resume takes a candidate all the way.
func (w *world) resume(id, next panes.TerminalID) {
	w.Helper()
	if !w.claim(id) {
		w.Fatalf("%s is no candidate", id)
	}
	if !w.confirm(id, next) {
		w.Fatalf("claim of %s is gone", id)
	}
	must(w.GateOpened(w.ctx, next))(w)
}

// show looks at one terminal and its binding through a pane of its own.
func (w *world) show(id panes.TerminalID) (agent.Terminal, agent.Binding) {
	w.Helper()
	t, b, err := db.Look(w.ctx, w.DB, id)
	w.must(err)
	if b == nil {
		return t, agent.Binding{}
	}
	return t, *b
}

func (w *world) binding(id panes.TerminalID) agent.Binding {
	w.Helper()
	_, b := w.show(id)
	return b
}

func (w *world) reason(id panes.TerminalID) agent.EndReason {
	w.Helper()
	return w.binding(id).Reason
}

func (w *world) wantReason(id panes.TerminalID, want agent.EndReason) {
	w.Helper()
	if got := w.reason(id); got != want {
		w.Errorf("%s is %q, want %q", id, got, want)
	}
}

// candidates counts what may be resumed.
func (w *world) candidates() map[panes.TerminalID]bool {
	w.Helper()
	all := map[panes.TerminalID]bool{}
	for _, c := range must(w.Candidates(w.ctx))(w) {
		all[c.Terminal] = true
	}
	return all
}

// obey is a judge that does what the event's reason says, for tests of the
// writing side.
func obey(e agent.HookEvent, _ agent.Terminal, _ agent.Binding, _ int) agent.Verdict {
	switch e.Reason {
	case "ignore":
		return agent.Verdict{Ignore: true, Why: "told to"}
	case "rebind":
		return agent.Verdict{Rebind: e.Session}
	case "clear":
		return agent.Verdict{Rebind: e.Session, Unprompt: true}
	case "reopen":
		return agent.Verdict{Reopen: true}
	case "prompted":
		return agent.Verdict{Prompted: true}
	case "goodbye":
		return agent.Verdict{Goodbye: true}
	}
	return agent.Verdict{}
}

func event(id panes.TerminalID, does string, second float64) agent.HookEvent {
	return agent.HookEvent{
		Nonce: "nonce-" + string(id), Kind: "claude", What: agent.HookStart, Reason: does, FiredAt: at(second), Depth: 1,
	}
}

// hook records events and applies them.
func (w *world) hook(events ...agent.HookEvent) []agent.Applied {
	w.Helper()
	for _, e := range events {
		w.must(db.RecordHook(w.ctx, w.dir, e))
	}
	return must(w.ApplyHooks(w.ctx, w.inst))(w)
}

// die ends the instance as a kill -9 does: the lock falls, nothing else happens.
func (w *world) die() {
	w.Helper()
	w.must(db.DropLock(w.DB))
}

// told counts the ledger's rows of a terminal by what they tell.
func (w *world) told(id panes.TerminalID) map[string]int {
	w.Helper()
	count := map[string]int{}
	for _, n := range must(w.Notes(w.ctx, id, 1000))(w) {
		count[n.What]++
	}
	return count
}

func ids(n int) (all []panes.TerminalID) {
	for i := range n {
		all = append(all, panes.TerminalID(fmt.Sprintf("t%03d", i)))
	}
	return all
}
