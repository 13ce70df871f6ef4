package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"reprise/agent"
	"reprise/panes"
)

// image is how a server goes on as another image of its process.
type image struct {
	lost      bool          // the state does not arrive
	meanwhile func(*server) // what happens between the two
	bare      bool          // no pty comes along
	change    func(*agent.Config)
}

// exec lets a server go on as another image of its process: the instance's lock
// and the terminals stay, everything else begins anew.
func (s *server) exec(i image) *server {
	w := s.w
	w.Helper()
	state, err := s.c.Handover(context.Background())
	w.must(err)
	return s.execed(state, i)
}

func (s *server) execed(state agent.State, i image) *server {
	w := s.w
	w.Helper()
	raw, err := json.Marshal(state)
	w.must(err)
	id, fd, err := s.db.Handover()
	w.must(err)
	fd, err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	w.must(err)
	s.down = true
	s.cancel()
	s.c.Abandon()
	<-s.over
	w.images = append(w.images, s.db)
	next := &server{w: w, host: s.host, inst: id, over: make(chan struct{})}
	if i.bare {
		next.host = w.host()
		next.host.SetLayout(s.host.Layout())
		defer w.hangUp(s.host)
	}
	if i.meanwhile != nil {
		i.meanwhile(s)
	}
	next.open()
	w.must(next.db.Adopt(context.Background(), "next", id, fd))
	next.coordinator(func(c *agent.Config) {
		if i.change != nil {
			i.change(c)
		}
	})
	state = agent.State{}
	if !i.lost {
		w.must(json.Unmarshal(raw, &state))
	}
	next.c.Adopt(state)
	next.c.Look(agent.Look{Client: "next", Visible: w.panes})
	next.run()
	return next
}

// told runs a test with the state and without it.
func told(t *testing.T, n int, run func(*world, image)) {
	for name, lost := range map[string]bool{"state": false, "state lost": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, n, func(w *world) { run(w, image{lost: lost}) })
		})
	}
}

// Nothing is seen of an upgrade: what runs runs on, what has ended is as it was.
func TestUpgradeChangesNothing(t *testing.T) {
	told(t, 5, func(w *world, i image) {
		s := w.start()
		s.spoken(0)
		p := s.spoken(1)
		p.killed(sigkill)
		s.revived(1, p.session) // in probation
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[2], Dir: w.dir}))
		dead := s.spoken(3)
		dead.killed(sigkill)
		s.wants(3, agent.PaneDue)
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[4], Dir: w.dir}))
		s.in(4).ends(7)
		s.wants(4, agent.PaneEnded)
		var before []agent.PaneView
		for p := range w.panes {
			before = append(before, s.view(p))
		}
		if i.lost { // what hooks told is in it alone
			before[0].Status = agent.Status{}
		}
		runs, n := w.runs(), len(w.log())
		for range 3 {
			s = s.exec(i)
			time.Sleep(20 * time.Second)
		}
		if got := w.runs(); !slices.Equal(got, runs) || len(w.log()) != n {
			t := w.log()[n:]
			w.Fatalf("%v run, want %v; started %v", got, runs, t)
		}
		for p := range w.panes {
			if got := s.view(p); fmt.Sprint(got) != fmt.Sprint(before[p]) && !(i.lost && p == 4) {
				w.Errorf("pane %d\n is %+v\nwas %+v", p, got, before[p])
			}
		}
		s.revived(3, dead.session)
		// Deaths are noticed as before.
		q := s.in(0)
		q.killed(sigkill)
		s.revived(0, q.session)
	})
}

// A terminal that dies while no image looks is noticed, what hooks tell meanwhile
// is taken in, and each session comes back once.
func TestWhatHappensDuringAnUpgrade(t *testing.T) {
	told(t, 4, func(w *world, i image) {
		s := w.start()
		died, left, spoke, quit := s.spoken(0), s.spoken(1), s.agent(2), s.spoken(3)
		i.meanwhile = func(s *server) {
			died.killed(sigkill)
			s.hook(left, agent.HookGoodbye, left.session, certain)
			left.ends(0)
			s.hook(spoke, agent.HookPrompt, "renamed")
			s.key(3)
			quit.ends(0)
			time.Sleep(3 * time.Second)
		}
		s = s.exec(i)
		s.revived(0, died.session)
		s.wants(1, agent.PaneNormal) // the shell that follows a clean end
		time.Sleep(time.Minute)
		s.wants(3, agent.PaneNormal) // the same, settled
		for _, gone := range []*proc{left, quit} {
			if n := w.starts(gone.session); n != 1 {
				w.Errorf("%s was started %d times", gone.session, n)
			}
		}
		spoke.killed(sigkill)
		s.wants(2, agent.PaneDue)
		if v := s.view(2); v.Session != "renamed" {
			w.Errorf("session %s", v.Session)
		}
		if r := s.resume(0); r.Resumed {
			w.Errorf("resumed again: %+v", r)
		}
	})
}

// An unsure goodbye from before settles after it: in its time, or, if that was not
// told, as one that nobody typed.
func TestGoodbyeSettlesAfterAnUpgrade(t *testing.T) {
	told(t, 1, func(w *world, i image) {
		s := w.start()
		p := s.spoken(0)
		s.key(0)
		p.ends(0)
		s.wants(0, agent.PaneUnsettled)
		s = s.exec(i)
		s.wants(0, agent.PaneUnsettled)
		time.Sleep(3 * time.Second)
		if i.lost {
			s.wants(0, agent.PaneUnsettled)
			time.Sleep(30 * time.Second)
		}
		s.wants(0, agent.PaneNormal)
		w.gone(s, 0)
	})
}

// A candidate that is waiting for its next try waits on, and a failure is still
// said.
func TestTriesAndFailuresAfterAnUpgrade(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p, q := s.spoken(0), s.spoken(1)
		p.killed(sigkill)
		s.revived(0, p.session)
		s.in(0).ends(1)
		v := s.wants(0, agent.PaneWaiting)
		q.killed(sigkill)
		s.wants(1, agent.PaneDue)
		w.machine.mu.Lock()
		w.machine.broken = errors.New("no more processes")
		w.machine.mu.Unlock()
		if r := s.resume(1); r.Failure != agent.FailLaunch {
			t.Fatalf("%+v", r)
		}
		failed := s.wants(1, agent.PaneFailed)
		s = s.exec(image{})
		if got := s.wants(0, agent.PaneWaiting); !got.RetryAt.Equal(v.RetryAt) {
			t.Errorf("the next try is at %v, was at %v", got.RetryAt, v.RetryAt)
		}
		if got := s.wants(1, agent.PaneFailed); fmt.Sprint(got) != fmt.Sprint(failed) {
			t.Errorf("pane is %+v, was %+v", got, failed)
		}
	})
}

// Attempts count on across an upgrade, and a resume that has held is proven.
func TestProbationAfterAnUpgrade(t *testing.T) {
	told(t, 1, func(w *world, i image) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		for n := range 3 { // dies early each time
			s.wants(0, agent.PaneDue)
			if r := s.resume(0); !r.Resumed {
				w.Fatalf("try %d: %+v", n, r)
			}
			s = s.exec(i)
			s.in(0).ends(1)
			s.wants(0, agent.PaneWaiting)
			time.Sleep(31 * time.Second)
		}
		s.wants(0, agent.PaneDue)
		s.resume(0)
		s = s.exec(i)
		time.Sleep(6 * time.Minute) // it holds
		s.in(0).ends(1)
		s.wants(0, agent.PaneDue)
	})
}

// A claim that was under way with nobody to finish it is given back, at once.
func TestClaimAcrossAnUpgrade(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		s = s.exec(image{lost: true, meanwhile: func(s *server) {
			_, ok, err := s.db.Claim(context.Background(), agent.ClaimRef{Terminal: p.spec.ID, Owner: s.inst, Token: "x", At: time.Now()})
			if err != nil || !ok {
				t.Fatalf("claim: %v %v", ok, err)
			}
		}})
		s.revived(0, p.session)
	})
}

// What did not come along is ended, seen gone and a candidate again; what a person
// had ended stays ended.
func TestTerminalsThatDoNotComeAlong(t *testing.T) {
	for name, stubborn := range map[string]bool{"hung up": false, "stubborn": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(w *world) {
				w.stubborn = stubborn
				s := w.start()
				p, q := s.spoken(0), s.spoken(1)
				s = s.exec(image{lost: true, bare: true, meanwhile: func(s *server) {
					_, err := s.db.Dispose(context.Background(), q.spec.ID, time.Now())
					w.must(err)
				}})
				time.Sleep(20 * time.Second)
				if got := w.runs(); len(got) != 0 {
					t.Fatalf("%v run on", got)
				}
				s.revived(0, p.session)
				w.must(s.c.End(context.Background(), w.panes[0]))
				w.gone(s, 1)
			})
		})
	}
}

// A person's end that was stamped and not carried out is, after the upgrade; also
// of a pane that is not in the layout any more.
func TestStampedAcrossAnUpgrade(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s = s.exec(image{meanwhile: func(s *server) {
			_, err := s.db.Dispose(context.Background(), p.spec.ID, time.Now())
			w.must(err)
			w.must(s.db.ForgetPane(context.Background(), w.panes[0]))
			s.host.Close(w.panes[0])
		}, change: func(c *agent.Config) { c.Panes = func() []panes.PaneID { return w.panes[1:] } }})
		time.Sleep(10 * time.Second)
		if got := w.runs(); len(got) != 0 {
			t.Errorf("%v run", got)
		}
		if s.host.Terminal(p.spec.ID) != nil {
			t.Error("its terminal is kept")
		}
	})
}

// Handing over waits for the start that is under way, lets none begin, and goes on
// if the next image cannot be executed.
func TestHandoverQuiesces(t *testing.T) {
	bubble(t, 3, func(w *world) {
		w.killed(2)
		s, f := w.startFaulty()
		s.wants(0, agent.PaneDue)
		hold := make(chan struct{})
		f.set(&f.before, "claim", func() error { <-hold; return nil })
		done := make(chan struct{})
		go func() { s.resume(0); close(done) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := s.c.Handover(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("handed over with a claim under way: %v", err)
		}
		n := len(w.log())
		handed := make(chan error, 1)
		go func() {
			_, err := s.c.Handover(context.Background())
			handed <- err
		}()
		synctest.Wait()
		go s.resume(1)
		go s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[2], Dir: w.dir})
		time.Sleep(10 * time.Second)
		select {
		case err := <-handed:
			t.Fatalf("handed over: %v", err)
		default:
		}
		close(hold)
		<-done
		w.must(<-handed)
		time.Sleep(10 * time.Second)
		if got := w.shows(n); !slices.Equal(got, []int{0}) {
			t.Errorf("started %v while it was handed over, want what was under way", got)
		}
		if _, err := s.c.Handover(context.Background()); err == nil {
			t.Error("handed over twice")
		}
		s.c.GoOn()
		s.c.GoOn()
		time.Sleep(time.Second)
		got := w.shows(n)
		slices.Sort(got)
		if !slices.Equal(got, []int{0, 1, 2}) {
			t.Errorf("started %v, want all", got)
		}
		s.in(0).killed(sigkill)
		s.settle()
		if v := s.view(0); v.State == agent.PaneNormal {
			t.Error("a death is not noticed after it went on")
		}
	})
}

// A store that cannot be read at first keeps nothing from being taken over later,
// and nothing begins before.
func TestAdoptionIsTriedAgain(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p, q := s.spoken(0), s.spoken(1)
		q.killed(sigkill)
		s.wants(1, agent.PaneDue)
		n := len(w.log())
		f := &faulty{}
		f.set(&f.before, "orphans", times(4))
		s = s.exec(image{change: func(c *agent.Config) { f.Store, c.Store = c.Store, f }})
		go s.resume(1)
		synctest.Wait()
		if got := w.shows(n); len(got) != 0 {
			t.Errorf("%v began", got)
		}
		time.Sleep(10 * time.Second)
		if got := w.shows(n); !slices.Equal(got, []int{1}) {
			t.Errorf("%v began, want 1", got)
		}
		p.killed(sigkill)
		s.revived(0, p.session)
	})
}
