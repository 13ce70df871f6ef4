package agent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// Case 21: a resume repeats flags, environment, home and start directory.
func TestOriginIsRepeated(t *testing.T) {
	bubble(t, 1, func(w *world) {
		home := filepath.Join(w.state, "home")
		w.must(os.Mkdir(home, 0o700))
		s := w.start(func(c *agent.Config) { c.Environ = append(c.Environ, "ROBOT_HOME="+home) })
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{
			Pane: w.panes[0], Kind: "robot", Argv: []string{"--model", "m 1"}, Dir: w.dir, Env: []string{"A=b"},
		}))
		p := s.in(0)
		s.hook(p, agent.HookPrompt, p.session)
		s.crash()
		s = w.start(calm) // without the variable that named the home
		for range 3 {
			q := s.revived(0, p.session)
			time.Sleep(10 * time.Minute)
			q.killed(sigkill)
		}
		for _, l := range w.log()[1:] {
			if !slices.Equal(l.argv[3:], []string{"--model", "m 1"}) || l.dir != w.dir || !has(l.env, "A=b") || !has(l.env, "ROBOT_HOME="+home) {
				t.Errorf("launched %v in %s with %v", l.argv, l.dir, l.env)
			}
		}
		rec, err := s.db.Pane(context.Background(), w.panes[0])
		w.must(err)
		if rec.Binding.Home != home {
			t.Errorf("home %q, want %q", rec.Binding.Home, home)
		}
	})
}

// A home that is named from the directory of its agent is that one for whoever resumes
// its session.
func TestAHomeNamedFromItsDirectory(t *testing.T) {
	bubble(t, 1, func(w *world) {
		home := filepath.Join(w.dir, "conf")
		w.must(os.Mkdir(home, 0o700))
		s := w.start()
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{
			Pane: w.panes[0], Kind: "robot", Dir: w.dir, Env: []string{"ROBOT_HOME=conf"},
		}))
		p := s.in(0)
		s.hook(p, agent.HookPrompt, p.session)
		s.crash()
		s = w.start(calm)
		s.revived(0, p.session)
		rec, err := s.db.Pane(context.Background(), w.panes[0])
		w.must(err)
		if rec.Binding.Home != home || !has(w.log()[1].env, "ROBOT_HOME="+home) {
			t.Errorf("home %q, launched with %v: want %q", rec.Binding.Home, w.log()[1].env, home)
		}
	})
}

// A home that an argument names in another one is that of the session.
func TestAHomeInAHome(t *testing.T) {
	bubble(t, 1, func(w *world) {
		home := filepath.Join(w.state, "home")
		w.must(os.MkdirAll(filepath.Join(home, "inner"), 0o700))
		s := w.start(func(c *agent.Config) { c.Environ = append(c.Environ, "ROBOT_HOME="+home) })
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{
			Pane: w.panes[0], Kind: "robot", Argv: []string{"--house", "inner"}, Dir: w.dir,
		}))
		p := s.in(0)
		s.hook(p, agent.HookPrompt, p.session)
		s.crash()
		s = w.start(calm)
		s.revived(0, p.session)
		rec, err := s.db.Pane(context.Background(), w.panes[0])
		w.must(err)
		if want := filepath.Join(home, "inner"); rec.Binding.Home != want || !has(w.log()[1].env, "ROBOT_HOME="+want) {
			t.Errorf("home %q, launched with %v: want %q", rec.Binding.Home, w.log()[1].env, want)
		}
	})
}

func TestShells(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Dir: w.dir}))
		if v := s.wants(0, agent.PaneNormal); v.Label != "sh" || v.Kind != "" {
			t.Errorf("view %+v", v)
		}
		p := s.in(0)
		p.ends(3)
		v := s.wants(0, agent.PaneEnded)
		if v.Reason != "sh ended with exit 3" || v.Exit.Status != 3 || v.Since.IsZero() {
			t.Errorf("view %+v", v)
		}
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActRunAgain))
		s.wants(0, agent.PaneNormal)
		if s.in(0) == p || s.host.Terminal(p.spec.ID) != nil {
			t.Error("the dead shell is still there")
		}
		s.crash()
		s = w.start()
		if v := s.wants(0, agent.PaneNotStarted); v.Label != "sh" || v.Dir != w.dir {
			t.Errorf("view %+v", v)
		}
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActRunAgain))
		s.wants(0, agent.PaneNormal)
		q := s.in(0)
		w.must(s.c.End(context.Background(), w.panes[0]))
		s.settle()
		if w.Alive(q.id, "") {
			t.Error("a closed pane's shell still runs")
		}
		rec, err := s.db.Pane(context.Background(), w.panes[0])
		w.must(err)
		if rec.Terminal.Status != agent.TerminalDisposed {
			t.Errorf("its record is %s", rec.Terminal.Status)
		}
	})
}

func TestPlainCommandOfAnAgent(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		s.agent(0, "--plain")
		s.in(0).killed(sigkill)
		if v := s.wants(0, agent.PaneEnded); v.Session != "" {
			t.Errorf("view %+v", v)
		}
	})
}

func TestLaunchesThatCannotBegin(t *testing.T) {
	for name, c := range map[string]struct {
		r     agent.LaunchRequest
		words string
	}{
		"unknown agent":   {agent.LaunchRequest{Kind: "claud"}, `no agent is called "claud"`},
		"no such program": {agent.LaunchRequest{Argv: []string{"no-such-program-1"}}, "no-such-program-1 is not in PATH. Install it or fix PATH, then run it again"},
		"no such file":    {agent.LaunchRequest{Argv: []string{"/no/such/file"}}, "/no/such/file cannot be run"},
		"folder gone":     {agent.LaunchRequest{Dir: "/no/such/folder"}, "sh cannot start: its folder /no/such/folder is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s := w.start()
				c.r.Pane = w.panes[0]
				if c.r.Dir == "" {
					c.r.Dir = w.dir
				}
				err := s.c.Launch(context.Background(), c.r)
				if err == nil || !strings.Contains(err.Error(), c.words) {
					t.Fatalf("got %v, want %q", err, c.words)
				}
				if v := s.wants(0, agent.PaneFirstFailed); !strings.Contains(v.Reason, c.words) {
					t.Errorf("shows %q", v.Reason)
				}
				if err := s.c.Do(context.Background(), w.panes[0], agent.ActRunAgain); err == nil {
					t.Error("running it again worked")
				}
				w.must(s.c.Do(context.Background(), w.panes[0], agent.ActShell))
				s.wants(0, agent.PaneNormal)
			})
		})
	}
}

// A launch that cannot be written down does not run.
func TestLaunchThatCannotBeRecorded(t *testing.T) {
	for name, arm := range map[string]func(*faulty){
		"not recorded":              func(f *faulty) { f.set(&f.before, "begin", times(1)) },
		"recorded, but not said so": func(f *faulty) { f.set(&f.after, "begin", times(1)) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				arm(f)
				err := s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Kind: "robot", Dir: w.dir})
				if !errors.Is(err, errDisk) {
					t.Fatalf("got %v", err)
				}
				time.Sleep(time.Minute)
				if n := len(w.log()); n != 0 {
					t.Fatalf("%d programs ran", n)
				}
				w.must(s.c.Do(context.Background(), w.panes[0], agent.ActRunAgain))
				s.wants(0, agent.PaneNormal)
			})
		})
	}
}

// A pane that is closed while its first program starts.
func TestPaneClosedDuringALaunch(t *testing.T) {
	for name, at := range map[string]func(*faulty, func() error){
		"before it is recorded":  func(f *faulty, end func() error) { f.set(&f.before, "begin", end) },
		"once it is recorded":    func(f *faulty, end func() error) { f.set(&f.after, "begin", end) },
		"before the gate's note": func(f *faulty, end func() error) { f.set(&f.before, "gate", end) },
		"after the gate's note":  func(f *faulty, end func() error) { f.set(&f.after, "gate", end) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(w *world) {
				s, f := w.startFaulty()
				at(f, func() error { return s.c.End(context.Background(), w.panes[0]) })
				_ = s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Kind: "robot", Dir: w.dir})
				time.Sleep(20 * time.Second)
				if got := w.runs(); len(got) != 0 {
					t.Fatalf("%v run", got)
				}
				w.gone(s, 0)
			})
		})
	}
}

// A stamp that cannot be written: nothing is signalled, the pane stays.
func TestStampBeforeSignal(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s, f := w.startFaulty()
		p := s.spoken(0)
		f.set(&f.before, "dispose", func() error {
			if !w.Alive(p.id, "") {
				t.Error("it was signalled before the stamp")
			}
			return errDisk
		})
		if err := s.c.End(context.Background(), w.panes[0]); !errors.Is(err, errDisk) {
			t.Fatalf("got %v", err)
		}
		time.Sleep(10 * time.Second)
		if !w.Alive(p.id, "") {
			t.Fatal("it was ended without a stamp")
		}
		s.wants(0, agent.PaneNormal)
		f.set(&f.before, "dispose", nil)
		w.must(s.c.End(context.Background(), w.panes[0]))
		w.gone(s, 0)
	})
}

// A pane that is gone from the layout before the claim: the session gets a new
// one, and is found there after a restart.
func TestPaneGoneBeforeTheClaim(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		s.crash()
		made := panes.NewPaneID()
		var host *panes.Host
		s = w.start(func(c *agent.Config) {
			host = c.Host.(*panes.Host)
			c.Panes = func() []panes.PaneID { return host.Layout().Panes() }
			c.NewPane = func() (panes.PaneID, bool) {
				host.SetLayout(panes.Layout{Tabs: []panes.Tab{{ID: "tab", Root: &panes.Node{Pane: made, Weight: 1}}}})
				return made, true
			}
		})
		v := s.wants(0, agent.PaneDue)
		host.SetLayout(panes.Layout{Tabs: []panes.Tab{{ID: "tab", Root: &panes.Node{Pane: panes.NewPaneID(), Weight: 1}}}})
		if r := s.c.Resume(context.Background(), agent.ResumeRequest{Terminal: v.Candidate, Pane: v.Pane, ByPerson: true}); !r.Resumed {
			t.Fatalf("got %+v", r)
		}
		w.panes = []panes.PaneID{made}
		s.wants(0, agent.PaneNormal)
		if s.in(0).session != p.session {
			t.Error("another session")
		}
		s.crash()
		s = w.start()
		s.revived(0, p.session)
	})
}

// Subscribers hear of every transition, and of nothing else.
func TestSubscribe(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		wake, cancel := s.c.Subscribe()
		defer cancel()
		time.Sleep(time.Minute)
		select {
		case <-wake:
			t.Error("woken though nothing happened")
		default:
		}
		p.killed(sigkill)
		s.settle()
		select {
		case <-wake:
		default:
			t.Error("not woken by a death")
		}
	})
}

// A launch and a resume have files of their own, which are there before the
// program runs and go when it has ended.
func TestFilesOfALaunch(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start(func(c *agent.Config) {
			c.Hook = func() agent.HookCommand { return agent.HookCommand{Program: "/x", State: w.state} }
		})
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Kind: "robot", Dir: w.dir, Env: []string{"THEIRS=1"}}))
		first := s.in(0)
		check := func(p *proc) {
			t.Helper()
			if base := filepath.Base(p.spec.Folder); !strings.HasSuffix(base, "-"+p.spec.Nonce) {
				t.Errorf("folder %s of nonce %s", p.spec.Folder, p.spec.Nonce)
			}
			if got, err := os.ReadFile(filepath.Join(p.spec.Folder, "hook")); err != nil || string(got) != "true" {
				t.Errorf("it reads %q, %v", got, err)
			}
		}
		check(first)
		s.hook(first, agent.HookPrompt, first.session)
		time.Sleep(time.Second)
		first.killed(sigkill)
		second := s.revived(0, first.session)
		check(second)
		if _, err := os.Stat(first.spec.Folder); !os.IsNotExist(err) {
			t.Errorf("the files of the dead one: %v", err)
		}
	})
}
