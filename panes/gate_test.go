package panes_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"reprise/panes/gate"
)

// hungShim is a launch shim whose terminal is hung up once it waits at its gate. What
// it was started by ignored the hangup, as under nohup.
func hungShim(t *testing.T, hangUp bool, program ...string) (status int) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pty: %v", err)
	}
	defer func() { _ = master.Close() }()
	wait, open, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", `trap "" HUP; echo ready; exec "$0" gate`, os.Args[0])
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.ExtraFiles = []*os.File{wait}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	_ = wait.Close()
	if hangUp {
		// From here on the hangup is ignored, by the shim too.
		if line, err := bufio.NewReader(master).ReadString('\n'); !strings.HasPrefix(line, "ready") {
			t.Fatalf("it says %q (%v)", line, err)
		}
		_ = master.Close()
	}
	if err := (gate.Order{Argv: program, Env: os.Environ()}).Send(open); err != nil {
		t.Fatal(err)
	}
	if _, err := open.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	_ = open.Close()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// A program that is let run on a terminal that is gone would read its end and might
// take its leave, which nobody meant.
func TestGateOnAHungUpTerminal(t *testing.T) {
	for name, hangUp := range map[string]bool{"hung up": true, "alive": false} {
		t.Run(name, func(t *testing.T) {
			ran := filepath.Join(t.TempDir(), "ran")
			want := 0
			if hangUp {
				want = gate.Closed
			}
			if got := hungShim(t, hangUp, "touch", ran); got != want {
				t.Errorf("exit status %d, want %d", got, want)
			}
			if _, err := os.Stat(ran); (err == nil) == hangUp {
				t.Errorf("the program's trace: %v", err)
			}
		})
	}
}
