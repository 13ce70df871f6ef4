package panes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// ErrTooLong says that a program printed more than it was allowed to.
var ErrTooLong = errors.New("its output is too long")

// Run runs a program to its end without a terminal and returns what it printed
// on stdout. env is its whole environment, nil: our own. Its process group is
// killed when ctx ends or once it has printed more than maxOut bytes (ErrTooLong,
// with the first maxOut bytes). Another status than 0 is an *exec.ExitError; the
// error quotes the last line of stderr.
func Run(ctx context.Context, argv []string, dir string, env []string, maxOut int) ([]byte, error) {
	if len(argv) == 0 {
		return nil, errors.New("run: no program")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	path, err := LookPath(argv[0], dir, pathIn(env))
	if err != nil {
		return nil, fmt.Errorf("run %w", err) // it names the program
	}
	cmd := exec.CommandContext(ctx, path, argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir, cmd.Env = dir, env
	out := &capped{max: maxOut, full: func() { cancel(ErrTooLong) }}
	said := &capped{max: 4 << 10, full: func() {}}
	cmd.Stdout, cmd.Stderr = out, said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	// Grandchildren that left the group may hold the pipes.
	cmd.WaitDelay = time.Second
	if err = startUsual(cmd); err == nil {
		reaped := helping(cmd)
		err = cmd.Wait()
		reaped()
	}
	switch cause := context.Cause(ctx); {
	case out.over:
		err = ErrTooLong
	case err != nil && cause != nil:
		err = cause
	}
	if err != nil {
		if line := lastLine(string(said.b)); line != "" {
			err = fmt.Errorf("%w: %s", err, line)
		}
		return out.b, fmt.Errorf("run %s: %w", argv[0], err)
	}
	return out.b, nil
}

// capped keeps the first max bytes and takes the rest away.
type capped struct {
	b    []byte
	max  int
	full func() // called when more came
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	room := max(c.max-len(c.b), 0)
	if len(p) > room {
		c.over = true
		c.full()
	}
	c.b = append(c.b, p[:min(room, len(p))]...)
	return len(p), nil
}

// lastLine is the last line that is not blank, without control characters.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	s = s[strings.LastIndexByte(s, '\n')+1:]
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}

func pathIn(env []string) string {
	if env == nil {
		return os.Getenv("PATH")
	}
	path, _ := lookEnv(env, "PATH")
	return path
}
