package agent_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// nursery counts the agents that were let run and have not said so.
type nursery struct {
	mu        sync.Mutex
	now, most int
}

func (n *nursery) add(d int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.now += d
	n.most = max(n.most, n.now)
}

// peak is how many there were at once.
func (n *nursery) peak() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.most
}

// slow lets every agent take three seconds until it gives a sign, each in its own
// way; pane by pane, as their order is.
func (w *world) slow(s func() *server) *nursery {
	n := &nursery{}
	w.machine.mu.Lock()
	defer w.machine.mu.Unlock()
	w.mostGates = 0
	w.machine.onExec = func(p *proc) {
		n.add(1)
		time.Sleep(3 * time.Second)
		switch slices.Index(w.panes, p.spec.Pane) % 4 {
		case 0:
			n.add(-1)
			p.prints("\x1b[2Jready\r\n")
		case 1:
			n.add(-1)
			s().hook(p, agent.HookStart, p.session)
		case 2:
			n.add(-1)
			p.ends(1)
		default: // it says nothing at all
			time.Sleep(2*time.Second - time.Millisecond)
			n.add(-1)
		}
	}
	return n
}

// ask resumes a pane's candidate as its model does.
func (s *server) ask(done *sync.WaitGroup, pane int) {
	v := s.view(pane)
	done.Go(func() {
		s.request(agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane})
	})
}

// killed leaves as many panes with conversations as there are, and no server.
func (w *world) killed(n int) {
	w.Helper()
	s := w.start()
	for i := range n {
		s.spoken(i)
	}
	s.crash()
}

// shows are the panes in which the launches from the nth on were made.
func (w *world) shows(n int) (all []int) {
	for _, l := range w.log()[n:] {
		all = append(all, slices.Index(w.panes, l.pane))
	}
	return all
}

// Case 15 with agents that need time to start: a slot is kept until each has given
// a sign of life, and the panes come in their order.
func TestFortyPanesStartSlowly(t *testing.T) {
	for _, parallel := range []int{1, 3} {
		t.Run(strconv.Itoa(parallel), func(t *testing.T) {
			bubble(t, 40, func(w *world) {
				w.killed(40)
				w.screens = true
				var s *server
				born := w.slow(func() *server { return s })
				s = w.start(func(c *agent.Config) { c.Settings.Parallel = parallel })
				time.Sleep(10 * time.Second)
				s.c.Look(agent.Look{Client: "one", Focused: w.panes[15], Visible: w.panes[10:20]})
				s.settle()
				n := len(w.log())
				var done sync.WaitGroup
				for i := 10; i < 20; i++ { // in their order: the queue decides
					s.ask(&done, i)
					synctest.Wait()
				}
				done.Wait()
				time.Sleep(6 * time.Second)
				if born.peak() != parallel {
					t.Errorf("%d started at once, want %d", born.peak(), parallel)
				}
				got := w.shows(n)
				want := []int{15, 10, 11, 12, 13, 14, 16, 17, 18, 19}
				// What starts together comes in any order.
				slices.Sort(got[:parallel])
				slices.Sort(want[:parallel])
				if parallel == 1 && !slices.Equal(got, want) || !slices.Equal(got[:parallel], want[:parallel]) || len(got) != len(want) {
					t.Errorf("started in %v, want %v", got, want)
				}
				for i := range w.panes {
					if i < 10 || i >= 20 {
						s.wants(i, agent.PaneDue)
					}
				}
			})
		})
	}
}

// Scope all takes the hidden ones as well, after what is shown.
func TestFortyPanesOfScopeAll(t *testing.T) {
	bubble(t, 40, func(w *world) {
		w.killed(40)
		w.screens, w.unseen = true, true
		var s *server
		born := w.slow(func() *server { return s })
		n := len(w.log())
		s = w.start(func(c *agent.Config) { c.Settings.Scope, c.Settings.Parallel = agent.ScopeAll, 3 })
		s.c.Look(agent.Look{Client: "one", Focused: w.panes[33], Visible: []panes.PaneID{w.panes[33], w.panes[5], w.panes[7]}})
		time.Sleep(2 * time.Second)
		first := w.shows(n)
		slices.Sort(first)
		if !slices.Equal(first, []int{5, 7, 33}) {
			t.Errorf("panes %v came first, want what is shown", first)
		}
		seen := map[int]bool{}
		for begun := time.Now(); len(seen) < 40 && time.Since(begun) < 2*time.Minute; {
			time.Sleep(5 * time.Second)
			for _, p := range w.shows(n) {
				seen[p] = true
			}
		}
		w.machine.mu.Lock()
		w.machine.onExec = nil
		w.machine.mu.Unlock()
		time.Sleep(6 * time.Second) // who is starting has started
		if len(seen) != 40 || born.peak() != 3 {
			t.Errorf("%d panes came back, %d at once; want 40, 3", len(seen), born.peak())
		}
	})
}

// Whoever asked for a resume has the answer when it is confirmed; only the next
// one waits for the sign.
func TestResultBeforeTheSign(t *testing.T) {
	bubble(t, 2, func(w *world) {
		w.killed(2)
		s := w.start(func(c *agent.Config) { c.Settings.Parallel = 1 })
		s.wants(0, agent.PaneDue)
		begun := time.Now()
		s.resume(0)
		if d := time.Since(begun); d > time.Second {
			t.Errorf("the answer took %v", d)
		}
		var done sync.WaitGroup
		s.ask(&done, 1)
		s.wants(1, agent.PaneQueued)
		done.Wait()
		if d := time.Since(begun); d != agent.DefaultPolicy().SignWithin {
			t.Errorf("the next one began after %v, want %v", d, agent.DefaultPolicy().SignWithin)
		}
	})
}

func TestBeforeTheFirstLook(t *testing.T) {
	for name, c := range map[string]struct {
		scope agent.Scope
		look  time.Duration // 0: never
		want  []int         // after a minute
	}{
		"all, never":     {scope: agent.ScopeAll, want: []int{0, 1, 2, 3}},
		"all, soon":      {scope: agent.ScopeAll, look: 500 * time.Millisecond, want: []int{3, 0, 1, 2}},
		"visible, never": {scope: agent.ScopeVisible},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 4, func(w *world) {
				w.killed(4)
				w.unseen = true
				n := len(w.log())
				s := w.start(func(cfg *agent.Config) { cfg.Settings.Scope, cfg.Settings.Parallel = c.scope, 1 })
				time.Sleep(400 * time.Millisecond)
				if got := w.shows(n); len(got) != 0 {
					t.Fatalf("%v came back before anybody looked", got)
				}
				if c.look > 0 {
					s.c.Look(agent.Look{Client: "one", Focused: w.panes[3], Visible: w.panes[3:]})
				}
				time.Sleep(time.Minute)
				got := w.shows(n)
				if c.look == 0 {
					slices.Sort(got) // the last used first: no pane was
				} else if len(got) > 0 && got[0] != 3 {
					t.Errorf("%v: the focused pane was not first", got)
				}
				slices.Sort(got)
				slices.Sort(c.want)
				if !slices.Equal(got, c.want) {
					t.Errorf("%v came back, want %v", got, c.want)
				}
			})
		})
	}
}

// The model asks for all panes that it shows at once, and the focused one may come
// last.
func TestFocusedIsAwaited(t *testing.T) {
	for name, asked := range map[string]bool{"asked last": true, "never asked": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 4, func(w *world) {
				w.killed(4)
				s := w.start(func(c *agent.Config) { c.Settings.Parallel = 1 })
				s.c.Look(agent.Look{Client: "one", Focused: w.panes[3], Visible: w.panes})
				for i := range w.panes {
					s.wants(i, agent.PaneDue)
				}
				n := len(w.log())
				var done sync.WaitGroup
				want := []int{0, 1}
				s.ask(&done, 0)
				synctest.Wait()
				s.ask(&done, 1)
				synctest.Wait()
				if got := w.shows(n); len(got) != 0 {
					t.Errorf("%v did not wait for the focused pane", got)
				}
				if asked {
					want = []int{3, 0, 1}
					s.ask(&done, 3)
				}
				done.Wait()
				if got := w.shows(n); !slices.Equal(got, want) {
					t.Errorf("came back %v, want %v", got, want)
				}
			})
		})
	}
}

// A person's own asking waits for nobody's look.
func TestByPersonBeforeTheFirstLook(t *testing.T) {
	bubble(t, 1, func(w *world) {
		w.killed(1)
		w.unseen = true
		s := w.start()
		s.wants(0, agent.PaneDue)
		begun := time.Now()
		if r := s.byPerson(0); !r.Resumed {
			t.Fatalf("%+v", r)
		}
		if d := time.Since(begun); d > 500*time.Millisecond {
			t.Errorf("it took %v", d)
		}
	})
}
