package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"reprise/agent"
)

func TestChanged(t *testing.T) {
	for name, c := range map[string]struct{ env, changes, want []string }{
		"nothing":      {env: []string{"A=1", "B=2"}, want: []string{"A=1", "B=2"}},
		"set":          {[]string{"A=1"}, []string{"B=2"}, []string{"A=1", "B=2"}},
		"replaced":     {[]string{"A=1", "B=2"}, []string{"A=3"}, []string{"B=2", "A=3"}},
		"unset":        {[]string{"A=1", "B=2"}, []string{"A"}, []string{"B=2"}},
		"unset, none":  {[]string{"A=1"}, []string{"B"}, []string{"A=1"}},
		"the last one": {[]string{"A=1"}, []string{"A=2", "A", "A=3", "A=3"}, []string{"A=3"}},
		"set, unset":   {[]string{"A=1"}, []string{"A=2", "A"}, []string{}},
		"empty value":  {[]string{"A=1"}, []string{"A="}, []string{"A="}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := agent.Changed(c.env, c.changes); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// What a person brings along who attaches later is what programs started from then
// on get; what belongs to the workspace stays, and nothing of it is recorded.
func TestClientsEnvironment(t *testing.T) {
	bubble(t, 2, func(w *world) {
		s := w.start()
		p := s.spoken(0)
		if has(p.spec.Env, "SSH_AUTH_SOCK") {
			t.Errorf("started with %q", p.spec.Env)
		}
		s.c.SetEnviron([]string{"SSH_AUTH_SOCK=/tmp/one", "DISPLAY=:1", "PATH=/elsewhere", "EDITOR=ed", "ROBOT_HOME=/theirs"})
		p.killed(sigkill)
		q := s.revived(0, p.session)
		if !slices.Contains(q.spec.Env, "SSH_AUTH_SOCK=/tmp/one") || !slices.Contains(q.spec.Env, "DISPLAY=:1") {
			t.Errorf("resumed with %q", q.spec.Env)
		}
		if has(q.spec.Env, "PATH") || has(q.spec.Env, "EDITOR") || has(q.spec.Env, "ROBOT_HOME") {
			t.Errorf("what belongs to the workspace was changed: %q", q.spec.Env)
		}
		s.c.SetEnviron([]string{"SSH_AUTH_SOCK=/tmp/two"})
		w.must(s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[1], Dir: w.dir, Env: []string{"A=1"}}))
		r := s.in(1)
		if !slices.Contains(r.spec.Env, "SSH_AUTH_SOCK=/tmp/two") || !slices.Contains(r.spec.Env, "DISPLAY") || !slices.Contains(r.spec.Env, "A=1") {
			t.Errorf("a shell with %q", r.spec.Env)
		}
		for i := range w.panes {
			rec, err := s.db.Pane(context.Background(), w.panes[i])
			w.must(err)
			if has(rec.Terminal.Env, "SSH_AUTH_SOCK") || rec.Binding != nil && has(rec.Binding.Env, "SSH_AUTH_SOCK") {
				t.Errorf("recorded: %q", rec.Terminal.Env)
			}
		}
	})
}

// Programs are looked up in the workspace's environment, not in the process's.
func TestLookedUpInTheWorkspace(t *testing.T) {
	bubble(t, 1, func(w *world) {
		bin := filepath.Join(w.state, "bin")
		w.must(os.MkdirAll(bin, 0o700))
		w.must(os.WriteFile(filepath.Join(bin, "only-here"), []byte("#!/bin/sh\n"), 0o700))
		for path, found := range map[string]bool{bin: true, "/usr/bin:/bin": false} {
			s := w.start(func(c *agent.Config) { c.Environ = []string{"PATH=" + path} })
			err := s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Argv: []string{"only-here"}, Dir: w.dir})
			if (err == nil) != found {
				t.Errorf("PATH=%s: %v", path, err)
			}
		}
	})
}
