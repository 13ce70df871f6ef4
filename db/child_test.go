package db_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"reprise/agent"
	"reprise/db"
	"reprise/panes"
)

// helper is this test's binary in another role; see child.
func helper(t testing.TB, role, dir string, more ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{dir}, more...)...)
	cmd.Env = append(os.Environ(), "REPRISE_DB_TEST="+role)
	return cmd
}

// child is a process of its own: it opens the database of the folder that its
// first argument names, and plays a role. It prints what it achieved.
func child(role string) int {
	ctx, dir := context.Background(), os.Args[1]
	if role == "hook" { // the hook command, from its start to its exit
		return report(db.RecordHook(ctx, dir, event(panes.TerminalID(os.Args[2]), "", 1)))
	}
	if role == "images" {
		return report(images(ctx, dir, os.Args[2:]))
	}
	d, err := db.Open(ctx, dir, db.Options{Judge: obey})
	if err != nil {
		return report(err)
	}
	inst, err := d.Register(ctx, "child")
	if err == nil {
		err = roles[role](ctx, d, inst)
	}
	return report(err)
}

func report(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

var roles = map[string]func(context.Context, *db.DB, agent.InstanceID) error{
	"open": func(context.Context, *db.DB, agent.InstanceID) error { return nil },

	// race tries to resume every terminal, all the way.
	"race": func(ctx context.Context, d *db.DB, inst agent.InstanceID) error {
		for _, id := range ids(raceTerminals) {
			ref := agent.ClaimRef{Terminal: id, Owner: inst, Token: string(inst), At: at(20)}
			cand, ok, err := d.Claim(ctx, ref)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			next := cand.Record
			next.ID, next.Nonce, next.Instance = panes.NewTerminalID(), string(panes.NewTerminalID()), inst
			next.Status, next.Exit, next.Ended, next.Created = agent.TerminalActive, nil, time.Time{}, at(20)
			b := agent.Binding{Origin: cand.Origin, Session: cand.Session, Started: at(20)}
			if ok, err = d.Confirm(ctx, agent.Confirmation{Claim: ref, Successor: next, Binding: b}); err != nil || !ok {
				return fmt.Errorf("confirm %s: %v %w", id, ok, err)
			}
			fmt.Println("resumed", id)
		}
		return nil
	},

	// loop claims and gives back until it is killed.
	"loop": func(ctx context.Context, d *db.DB, inst agent.InstanceID) error {
		for n := 0; ; n++ {
			ref := agent.ClaimRef{Terminal: "t000", Owner: inst, Token: fmt.Sprint(n), At: at(float64(n))}
			if _, _, err := d.Claim(ctx, ref); err != nil {
				return err
			}
			if err := d.Unclaim(ctx, ref, "loop"); err != nil {
				return err
			}
			if n == 3 {
				fmt.Println("under way")
			}
		}
	},

	// hold claims, stamps and registers, says so, and waits to be killed.
	"hold": func(ctx context.Context, d *db.DB, inst agent.InstanceID) error {
		if _, ok, err := d.Claim(ctx, agent.ClaimRef{Terminal: "t000", Owner: inst, Token: "x", At: at(20)}); err != nil || !ok {
			return fmt.Errorf("claim: %v %w", ok, err)
		}
		if _, err := d.Dispose(ctx, "t001", at(21)); err != nil {
			return err
		}
		if _, err := d.OpenWorkspace(ctx, "held", os.Args[1], inst); err != nil {
			return err
		}
		fmt.Println("under way")
		select {}
	},
}

const raceTerminals = 200

// startUntil starts a helper and waits for a line that it prints.
func startUntil(t *testing.T, cmd *exec.Cmd, line string) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err == nil {
		cmd.Stderr = os.Stderr
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	for in := bufio.NewScanner(out); in.Scan(); {
		if in.Text() == line {
			return
		}
	}
	t.Fatalf("it ended without saying %q", line)
}
