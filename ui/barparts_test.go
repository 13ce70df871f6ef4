package ui_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reprise/agent"
	"reprise/ui"
	"reprise/ui/frame"
)

func TestTheBarHasThePartsOfTheSettings(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	layout := &frame.BarLayout{
		Left:  []frame.Part{frame.PartHost, frame.PartTabs},
		Right: []frame.Part{frame.PartAgents, frame.PartLoad},
	}
	runWith(t, 2, func(cfg *ui.Config) { cfg.Bar = layout }, func(c *client) {
		c.barMisses(" reprise", time.Now().Local().Format("15:04"), "agent")
		c.barHas(" " + host + " 1 zsh ")
		id := c.host.Layout().Panes()[1]
		c.agents.set(agent.PaneView{Pane: id, Kind: "claude", Label: "claude", Candidate: "t-1"})
		c.barHas("   1 agent")
		was := c.out.writes
		c.wait(10 * time.Minute)
		if n := c.out.writes - was; n > 10 { // the load alone may change
			t.Errorf("%d writes in ten minutes without a clock", n)
		}
	})
}

// barMisses says what the bar must not have.
func (c *client) barMisses(not ...string) {
	c.t.Helper()
	for _, n := range not {
		if got := c.bar(); strings.Contains(got, n) {
			c.t.Errorf("the bar is %q, with %q in it", got, n)
		}
	}
}

func TestABarWithoutPartsIsIdle(t *testing.T) {
	runWith(t, 2, func(cfg *ui.Config) { cfg.Bar = &frame.BarLayout{} }, func(c *client) {
		c.settle()
		was := c.out.writes
		c.wait(10 * time.Minute)
		if n := c.out.writes - was; n != 0 {
			t.Errorf("%d writes in ten minutes without a clock", n)
		}
	})
}

// A branch that is not shown is not read.
func TestTheBranchIsReadIfItIsShown(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/topic\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	with := func(parts ...frame.Part) *frame.BarLayout { return &frame.BarLayout{Right: parts} }
	for _, tt := range []struct {
		layout *frame.BarLayout
		shown  bool
	}{{nil, true}, {with(frame.PartBranch), true}, {with(frame.PartClock), false}} {
		runWith(t, 1, func(cfg *ui.Config) { cfg.Bar = tt.layout }, func(c *client) {
			c.programs[0].out <- []byte("dir " + dir + "\n")
			c.settle()
			if got := strings.Contains(c.bar(), "topic"); got != tt.shown {
				t.Errorf("%+v: the branch is shown: %v", tt.layout, got)
			}
			if read := c.m.BranchOf() != ""; read != tt.shown {
				t.Errorf("%+v: the branch was read: %v", tt.layout, read)
			}
		})
	}
}

// Another layout is in force as soon as the settings are read.
func TestTheBarFollowsTheSettings(t *testing.T) {
	var next []ui.Reloaded
	runWith(t, 2, func(cfg *ui.Config) {
		cfg.Reload = func(context.Context, bool) (r ui.Reloaded) {
			if len(next) > 0 {
				r, next = next[0], next[1:]
			}
			return r
		}
	}, func(c *client) {
		c.barHas(" reprise")
		next = []ui.Reloaded{{Changed: true, Settings: ui.Settings{Bar: &frame.BarLayout{Left: []frame.Part{frame.PartTabs}}}}}
		c.press("ctrl+b", "esc")
		c.barMisses(" reprise")
		c.barHas(" 1 zsh")
	})
}
