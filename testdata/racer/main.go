// Racer is a Reprise without a screen, for tests that kill it between any two
// steps of a resume: panes, coordinator and database joined as the real program
// joins them, with all times shortened.
//
//	racer first STATE PROGRAM AGENT PANE…   launches AGENT in each pane, tells it a codeword, then kills itself
//	racer race STATE PROGRAM AGENT PANE…    resumes what it finds in the panes, until its stdin ends
//
// PROGRAM is the reprise binary: gate and hooks. REPRISE_FAILPOINT says where to
// die.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/db"
	"reprise/panes"
	"reprise/panes/vt"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "racer:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 5 {
		return fmt.Errorf("usage: racer first|race STATE PROGRAM AGENT PANE…")
	}
	mode, state, program, command := args[0], args[1], args[2], args[3]
	ctx := context.Background()
	registry, err := kinds.New([]kinds.Custom{{
		Name: "standin", Command: command,
		NewArgs: []string{"--session-id", "{session_id}"}, ResumeArgs: []string{"--resume", "{session_id}"},
	}})
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, state, db.Options{Alive: panes.ProcessID.Alive, Kinds: registry})
	if err != nil {
		return err
	}
	instance, err := d.Register(ctx, "racer")
	if err != nil {
		return err
	}
	host := panes.NewHost(panes.HostOptions{Shim: func() []string { return []string{program, "gate"} }})
	root := &panes.Node{Down: true, Weight: 1}
	for _, p := range args[4:] {
		root.Children = append(root.Children, &panes.Node{Pane: panes.PaneID(p), Weight: 1})
	}
	host.SetLayout(panes.Layout{Tabs: []panes.Tab{{ID: "tab", Root: root}}})
	policy := agent.DefaultPolicy()
	policy.SweepEvery, policy.HookEvery, policy.TermGrace = 50*time.Millisecond, 20*time.Millisecond, 500*time.Millisecond
	policy.LookWithin = time.Millisecond // nobody looks
	policy.Backoff = []time.Duration{10 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond}
	log, err := os.OpenFile(filepath.Join(state, "racer.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	c := agent.NewCoordinator(agent.Config{
		Store: d, Host: host, Registry: registry, Instance: instance, Policy: policy,
		Settings: agent.Settings{Mode: agent.ModeAuto, Scope: agent.ScopeAll, Parallel: 4, AfterExit: agent.AfterHold},
		Hook:     func() agent.HookCommand { return agent.HookCommand{Program: program, State: state} },
		Panes:    func() []panes.PaneID { return host.Layout().Panes() },
		Log:      slog.New(slog.NewTextHandler(log, nil)).With("pid", os.Getpid()),
	})
	go c.Run(ctx)
	if mode == "first" {
		if err := first(ctx, c, host); err != nil {
			return err
		}
		return syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	for _, p := range host.Layout().Panes() {
		_ = c.View(p) // makes it known
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func first(ctx context.Context, c *agent.Coordinator, host *panes.Host) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	for i, p := range host.Layout().Panes() {
		if err := c.Launch(ctx, agent.LaunchRequest{Pane: p, Kind: "standin", Dir: dir}); err != nil {
			return err
		}
		t := host.Shown(p)
		if t == nil {
			return fmt.Errorf("pane %s shows nothing", p)
		}
		if err := appears(t, "standin, session"); err != nil {
			return err
		}
		if err := t.Send(fmt.Appendf(nil, "codeword WORD-%d\r", i)); err != nil {
			return err
		}
		if err := appears(t, "noted"); err != nil {
			return err
		}
	}
	return nil
}

// appears waits until a screen shows a text.
func appears(t *panes.Terminal, text string) error {
	var scr vt.Screen
	var b []byte
	for range 3000 {
		t.Snapshot(&scr)
		b = b[:0]
		for y := range scr.Rows {
			for _, cell := range scr.Row(y) {
				b = scr.AppendText(b, cell)
			}
		}
		if strings.Contains(string(b), text) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("no %q on the screen: %s", text, b)
}
