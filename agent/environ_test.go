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

func TestLogin(t *testing.T) {
	got := agent.Login([]string{"DISPLAY=:0", "SSH_AUTH_SOCK=/tmp/one", "DISPLAY=:1", "PATH=/elsewhere", "WAYLAND_DISPLAY"})
	for want, in := range map[string]bool{
		"SSH_AUTH_SOCK=/tmp/one": true, "DISPLAY=:1": true, "XAUTHORITY": true, "WAYLAND_DISPLAY": true,
		"DISPLAY=:0": false, "PATH=/elsewhere": false, "PATH": false,
	} {
		if slices.Contains(got, want) != in {
			t.Errorf("%s in %q: want %v", want, got, in)
		}
	}
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
			s.c.SetEnviron([]string{"PATH=" + bin})
			if err := s.c.Launch(context.Background(), agent.LaunchRequest{Pane: w.panes[0], Argv: []string{"only-here"}, Dir: w.dir}); err != nil {
				t.Errorf("after a change of PATH: %v", err)
			}
		}
	})
}
