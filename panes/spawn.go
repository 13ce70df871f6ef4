package panes

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// Spawn starts a program that goes on by itself: in a session of its own, without a
// terminal, what it prints is lost. argv goes to it as it is, no shell reads it. env
// is its whole environment, nil: our own. Spawn waits for its end only until ctx
// ends; a program that runs on then has begun well. Another status than 0 before
// that is an *exec.ExitError. Errors of LookPath: it was not started.
func Spawn(ctx context.Context, argv []string, dir string, env []string) error {
	if len(argv) == 0 {
		return errors.New("start: no program")
	}
	path, err := LookPath(argv[0], dir, pathIn(env))
	if err != nil {
		return err // it names the program
	}
	cmd := &exec.Cmd{Path: path, Args: argv, Dir: dir, Env: env, SysProcAttr: &syscall.SysProcAttr{Setsid: true}}
	if err := startUsual(cmd); err != nil {
		return fmt.Errorf("start %s: %w", argv[0], err)
	}
	reaped := helping(cmd)
	ended := make(chan error, 1)
	go func() { // it must be reaped, however long it runs
		err := cmd.Wait()
		reaped()
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %w", argv[0], err)
		}
	case <-ctx.Done():
	}
	return nil
}
