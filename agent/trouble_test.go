package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"reprise/agent"
)

// full is what a store says whose disk is full.
type full struct{}

func (full) Error() string               { return "disk I/O: full" }
func (full) Unsaved() (why, todo string) { return "the disk is full", "Free some room" }

// fill lets every write fail, or succeed again.
func (f *faulty) fill(on bool) {
	fails := func() error {
		if on {
			return full{}
		}
		return nil
	}
	for _, call := range []string{
		"claim", "confirm", "unclaim", "begin", "gate", "end", "dispose", "repoint", "settle", "hooks", "note", "proven",
	} {
		f.set(&f.before, call, fails)
	}
}

// outage is a server whose disk fills up and has room again.
type outage struct {
	*server
	fill func(on bool)
}

func TestNothingCanBeSaved(t *testing.T) {
	for name, test := range outages {
		t.Run(name, func(t *testing.T) {
			bubble(t, 3, func(w *world) {
				s, f := w.startFaulty()
				test(w, outage{s, f.fill})
			})
		})
	}
}

// outages are what must hold while nothing can be saved, and after it.
var outages = map[string]func(*world, outage){
	"it is said once, and when it is over": func(w *world, s outage) {
		wake, cancel := s.c.Subscribe()
		defer cancel()
		p := s.spoken(0)
		if got := s.c.Trouble(); got != "" {
			w.Fatalf("trouble %q", got)
		}
		s.settle()
		drain(wake)
		s.fill(true)
		p.killed(sigkill)
		s.settle()
		time.Sleep(10 * time.Second)
		said := s.c.Trouble()
		if !strings.HasPrefix(said, "Nothing is saved now: ") || !strings.Contains(said, "full. Free some room") || drain(wake) == 0 {
			w.Errorf("it says %q", said)
		}
		time.Sleep(time.Minute)
		if n := drain(wake); n != 0 || s.c.Trouble() != said {
			w.Errorf("said again: woken %d times, %q", n, s.c.Trouble())
		}
		s.fill(false)
		time.Sleep(10 * time.Second)
		if got := s.c.Trouble(); got != "" || drain(wake) == 0 {
			w.Errorf("after it: %q", got)
		}
		s.revived(0, p.session) // the death was written down
	},
	"it is found to be over when there is nothing to save": func(w *world, s outage) {
		s.fill(true)
		if err := s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Dir: w.dir}); err == nil {
			w.Error("launched without a record")
		}
		if s.c.Trouble() == "" {
			w.Error("no word of it")
		}
		s.fill(false)
		time.Sleep(10 * time.Second)
		if got := s.c.Trouble(); got != "" {
			w.Errorf("after it: %q", got)
		}
		w.must(s.c.Do(context.Background(), w.panes[0], agent.ActRunAgain))
		s.wants(0, agent.PaneNormal)
	},
	"what runs goes on, and a person's end waits": func(w *world, s outage) {
		p, q := s.spoken(0), s.spoken(1)
		s.fill(true)
		if err := s.c.End(context.Background(), w.panes[0]); err == nil {
			w.Error("closed without a stamp")
		}
		time.Sleep(time.Minute)
		if got := w.runs(); len(got) != 2 {
			w.Errorf("%d run, want both", len(got))
		}
		s.fill(false)
		w.must(s.c.End(context.Background(), w.panes[0]))
		time.Sleep(10 * time.Second)
		if got := w.runs(); len(got) != 1 || got[0] != q.session {
			w.Errorf("%v run, want %v", got, q.session)
		}
		if n := w.starts(p.session); n != 1 {
			w.Errorf("%d starts", n)
		}
	},
	"a resume is taken up when it is over": func(w *world, s outage) {
		p := s.spoken(0)
		p.killed(sigkill)
		s.wants(0, agent.PaneDue)
		s.fill(true)
		if r := s.resume(0); r.Failure != agent.FailStore {
			w.Fatalf("%+v", r)
		}
		s.wants(0, agent.PaneFailed)
		time.Sleep(time.Minute)
		if n := w.starts(p.session); n != 1 {
			w.Errorf("%d starts while nothing could be saved", n)
		}
		s.fill(false)
		time.Sleep(10 * time.Second)
		s.wants(0, agent.PaneNormal)
		if n := w.starts(p.session); n != 2 {
			w.Errorf("%d starts, want 2", n)
		}
	},
	"a server that is killed meanwhile loses nothing it had": func(w *world, s outage) {
		p := s.spoken(0)
		s.fill(true)
		p.killed(sigkill)
		time.Sleep(10 * time.Second)
		s.crash()
		s.fill(false)
		w.start().revived(0, p.session)
	},
}

func drain(wake <-chan struct{}) (n int) {
	for {
		select {
		case <-wake:
			n++
		default:
			return n
		}
	}
}

// Others save, too, and what is no trouble is none.
func TestSavedByOthers(t *testing.T) {
	bubble(t, 1, func(w *world) {
		s := w.start()
		s.c.Saved(errors.New("no layout"))
		if got := s.c.Trouble(); got != "" {
			t.Errorf("trouble %q", got)
		}
		s.c.Saved(errors.Join(errors.New("save layout"), full{}))
		if got, want := s.c.Trouble(), "Nothing is saved now: the disk is full. Free some room; what runs goes on, and what was saved is kept."; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		s.c.Saved(errors.New("no layout"))
		if s.c.Trouble() == "" {
			t.Error("it is over by another error")
		}
		time.Sleep(10 * time.Second)
		if got := s.c.Trouble(); got != "" {
			t.Errorf("%q, with a store that takes everything", got)
		}
	})
}
