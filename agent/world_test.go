package agent_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// world is a state folder, a machine and a layout, in which servers come and go.
type world struct {
	testing.TB
	*machine
	state, dir string
	robot      *robot
	kinds      *kinds
	panes      []panes.PaneID
	servers    []*server
	unseen     bool     // servers start before any client
	images     []*db.DB // of processes that went on as another image
}

// server is one process of ours: a host, a database, a coordinator.
type server struct {
	w      *world
	db     *db.DB
	inst   agent.InstanceID
	host   *panes.Host
	c      *agent.Coordinator
	cancel context.CancelFunc
	over   chan struct{}
	down   bool
}

// bubble runs a test in fake time, with a real database file.
func bubble(t *testing.T, n int, run func(*world)) {
	t.Helper()
	bubbleIn(t, t.TempDir(), n, run)
}

// bubbleIn is bubble with a given state folder.
func bubbleIn(t *testing.T, state string, n int, run func(*world)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &world{TB: t, machine: newMachine(t), state: state, dir: dir, robot: newRobot("robot")}
		w.kinds = newKinds(w.robot)
		for range n {
			w.panes = append(w.panes, panes.NewPaneID())
		}
		defer func() {
			w.machine.mu.Lock()
			w.stubborn, w.undying = false, false
			w.machine.mu.Unlock()
			for _, s := range w.servers {
				if !s.down {
					s.crash()
				}
			}
			for _, d := range w.images {
				_ = d.Close() // what it would leave is the next image's, and gone
			}
			w.reboot()
			synctest.Wait()
		}()
		run(w)
	})
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// start brings up a server that shows the given panes; none: all of them.
func (w *world) start(change ...func(*agent.Config)) *server {
	w.Helper()
	s := &server{w: w, host: w.host(), over: make(chan struct{})}
	root := &panes.Node{Weight: 1}
	for _, p := range w.panes {
		root.Children = append(root.Children, &panes.Node{Pane: p, Weight: 1})
	}
	if len(w.panes) == 1 {
		root = &panes.Node{Pane: w.panes[0], Weight: 1}
	}
	s.host.SetLayout(panes.Layout{Tabs: []panes.Tab{{ID: "tab", Root: root}}})
	s.open()
	var err error
	s.inst, err = s.db.Register(context.Background(), "test")
	w.must(err)
	s.coordinator(change...)
	for _, p := range w.panes {
		s.c.View(p)
	}
	if !w.unseen { // a client has looked, and left
		s.c.Look(agent.Look{Client: "first", Visible: w.panes})
		s.c.Look(agent.Look{Client: "first"})
	}
	s.run()
	return s
}

func (s *server) open() {
	s.w.Helper()
	d, err := db.Open(context.Background(), s.w.state, db.Options{Kinds: s.w.kinds})
	s.w.must(err)
	s.db = d
}

func (s *server) coordinator(change ...func(*agent.Config)) {
	w := s.w
	cfg := agent.Config{
		Store: s.db, Host: s.host, Registry: w.kinds, Instance: s.inst, Processes: w.machine, Environ: []string{"PATH=/usr/bin:/bin"},
		Shell: []string{"/bin/sh"}, Settings: agent.DefaultSettings(), Policy: agent.DefaultPolicy(),
	}
	cfg.Policy.HookEvery = 500 * time.Millisecond // half as many looks in hours of fake time
	for _, f := range change {
		f(&cfg)
	}
	s.c = agent.NewCoordinator(cfg)
}

// calm looks for hooks and dead instances rarely: for tests in which hours pass and
// nothing happens.
func calm(c *agent.Config) {
	c.Policy.HookEvery, c.Policy.SweepEvery = 30*time.Second, 30*time.Second
}

// patience is how much fake time a resume may take. Without an end the clock of a
// test whose resume never ends would run on for ever.
const patience = 5 * time.Minute

// request asks for a resume and waits for its outcome.
func (s *server) request(r agent.ResumeRequest) agent.ResumeResult {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got := s.c.Resume(ctx, r)
	if errors.Is(got.Err, context.DeadlineExceeded) {
		s.w.Errorf("pane %d: no outcome within %v", slices.Index(s.w.panes, r.Pane), patience)
	}
	return got
}

// run lets the loop run and do what is due now.
func (s *server) run() {
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go func() {
		defer close(s.over)
		s.c.Run(ctx)
	}()
	s.w.servers = append(s.w.servers, s)
	s.settle()
}

// settle lets everything that is due now happen.
func (s *server) settle() {
	for range 3 {
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
	}
}

// crash is kill -9: nothing is written, ptys and lock go away.
func (s *server) crash() {
	s.w.Helper()
	s.down = true
	s.cancel()
	_ = s.db.Close() // a killed process closes nothing: all that counts is that the lock falls
	s.c.Abandon()
	<-s.over
	s.w.hangUp(s.host)
	synctest.Wait()
}

// stop is SIGTERM.
func (s *server) stop() {
	s.w.Helper()
	s.down = true
	s.w.must(s.c.Stop(context.Background()))
	s.cancel()
	<-s.over
	s.w.must(s.db.Close())
	s.w.hangUp(s.host)
	synctest.Wait()
}

// agent starts a robot in a pane and returns its process.
func (s *server) agent(pane int, flags ...string) *proc {
	s.w.Helper()
	s.w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: s.w.panes[pane], Kind: "robot", Argv: flags, Dir: s.w.dir}))
	return s.in(pane)
}

// spoken is an agent with a conversation.
func (s *server) spoken(pane int, flags ...string) *proc {
	s.w.Helper()
	p := s.agent(pane, flags...)
	s.hook(p, agent.HookStart, p.session)
	s.hook(p, agent.HookPrompt, p.session)
	time.Sleep(time.Second)
	synctest.Wait()
	return p
}

// in is the process that a pane shows.
func (s *server) in(pane int) *proc {
	s.w.Helper()
	t := s.host.Shown(s.w.panes[pane])
	if t == nil {
		s.w.Fatalf("pane %d shows nothing", pane)
	}
	s.w.machine.mu.Lock()
	defer s.w.machine.mu.Unlock()
	return s.w.of(t.Process())
}

func (s *server) hook(p *proc, what agent.HookWhat, id agent.SessionID, change ...func(*agent.HookEvent)) {
	s.w.Helper()
	e := agent.HookEvent{Nonce: p.spec.Nonce, Kind: "robot", What: what, Session: id, FiredAt: time.Now(), Depth: 1}
	for _, f := range change {
		f(&e)
	}
	// As the hook command does: what a busy database does not take is spooled.
	if db.RecordHook(context.Background(), s.w.state, e) != nil {
		s.w.must(db.Spool(s.w.state, e))
	}
	time.Sleep(time.Millisecond)
}

func (s *server) key(pane int) { _ = s.host.Shown(s.w.panes[pane]).Send([]byte("x")) }

func (s *server) view(pane int) agent.PaneView { return s.c.View(s.w.panes[pane]) }

func (s *server) wants(pane int, want agent.PaneState) agent.PaneView {
	s.w.Helper()
	s.settle()
	v := s.view(pane)
	if v.State != want {
		rec, _ := s.db.Pane(context.Background(), s.w.panes[pane])
		s.w.Fatalf("pane %d: state %d, want %d: %+v, binding %+v", pane, v.State, want, v, rec.Binding)
	}
	return v
}

// resume asks as a pane that is shown does: only if its candidate is due.
func (s *server) resume(pane int) agent.ResumeResult {
	s.w.Helper()
	v := s.view(pane)
	r := s.request(agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane})
	s.settle()
	return r
}

func (s *server) byPerson(pane int) agent.ResumeResult {
	v := s.view(pane)
	r := s.request(agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane, ByPerson: true})
	s.settle()
	return r
}

// show resumes whatever is due in any pane, as clients that show them all do.
func (s *server) show() {
	var done sync.WaitGroup
	for i := range s.w.panes {
		if s.view(i).State == agent.PaneDue {
			s.ask(&done, i)
		}
	}
	done.Wait()
	s.settle()
}

// revived wants a resume that launched exactly one successor of the session.
func (s *server) revived(pane int, id agent.SessionID) *proc {
	s.w.Helper()
	s.wants(pane, agent.PaneDue)
	before := s.w.starts(id)
	r := s.resume(pane)
	if !r.Resumed || r.Failure != "" || r.Err != nil {
		s.w.Fatalf("not resumed: %+v", r)
	}
	if n := s.w.starts(id) - before; n != 1 {
		s.w.Fatalf("%d launches of %s, want 1", n, id)
	}
	s.wants(pane, agent.PaneNormal)
	p := s.in(pane)
	if p.session != id {
		s.w.Fatalf("session %s came back, want %s", p.session, id)
	}
	return p
}

// gone wants that no session comes back, now or after a restart.
func (w *world) gone(s *server, pane int) {
	w.Helper()
	n := len(w.log())
	s.settle()
	s.show()
	s.crash()
	again := w.start()
	again.show()
	time.Sleep(time.Minute)
	again.show()
	for _, l := range w.log()[n:] {
		if l.session != "" {
			w.Fatalf("pane %d: session %s came back", pane, l.session)
		}
	}
}

func sorted[T ~string](in ...T) []T {
	slices.Sort(in)
	return in
}
