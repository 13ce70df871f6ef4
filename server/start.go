package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"reprise/server/early"
)

// Launch says how a server is started.
type Launch struct {
	Argv []string      // absolute path of a program that calls Started, and its arguments
	Env  []string      // nil: this process's
	Log  string        // file that its output is appended to
	Wait time.Duration // for it to take clients; 0: 10 s

	// Begun is such a server that is on its way already; if it comes to nothing Ensure goes
	// on as without. Its Report is Ensure's. nil: there is none.
	Begun *early.Begun
}

const (
	launchTime = 10 * time.Second
	maxReport  = 4 << 10
	// allWell is the report of a server that takes clients; no error has this text.
	allWell = "\x06"
)

// Ensure makes sure that a server takes clients at socket: if none does it starts
// one, in a session of its own, so that nothing that happens to the caller's
// terminal reaches it. Of several callers at once one starts it and the others
// wait. The error of a server that could not start is in ours. started: by this
// call. It may have ended again when Ensure returns.
func Ensure(ctx context.Context, socket string, l Launch) (started bool, err error) {
	if l.Wait <= 0 {
		l.Wait = launchTime
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.Wait, fmt.Errorf("it did not take clients within %v", l.Wait))
	defer cancel()
	if l.Begun != nil {
		failed := l.await(ctx, *l.Begun)
		switch {
		case failed == nil:
			return true, nil
		case ctx.Err() != nil:
			return unlessFound(ctx, socket, failed)
		} // else whatever kept it is met again below
	}
	if found, err := probe(ctx, socket); found || err != nil {
		return false, err
	}
	if err := Folder(filepath.Dir(socket)); err != nil {
		return false, err
	}
	// Not the lock of the server itself, which has to take that one meanwhile.
	lock, err := acquire(ctx, socket+".start", func() error { return nil })
	if err != nil {
		return false, fmt.Errorf("start the server: %w", err)
	}
	defer func() { _ = lock.Close() }()
	if found, err := probe(ctx, socket); found || err != nil {
		return false, err
	}
	failed := l.start(ctx)
	if failed == nil {
		return true, nil
	}
	return unlessFound(ctx, socket, failed)
}

// unlessFound is the outcome where ours failed: somebody who does not ask us may have started a
// server, a service unit, for example.
func unlessFound(ctx context.Context, socket string, failed error) (started bool, err error) {
	if found, err := probe(context.WithoutCancel(ctx), socket); found && err == nil {
		return false, nil
	}
	return false, fmt.Errorf("start the server: %w", failed)
}

// probe reports whether a server takes clients.
func probe(ctx context.Context, socket string) (bool, error) {
	c, err := dial(ctx, socket)
	if errors.Is(err, ErrNoServer) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_ = c.Close()
	return true, nil
}

// start runs the server and waits for its report.
func (l Launch) start(ctx context.Context) error {
	if len(l.Argv) == 0 {
		return errors.New("no program is set")
	}
	env := (&exec.Cmd{Env: l.Env}).Environ() // the last of two entries counts
	begun, err := early.Begin(l.Argv, env, l.Log)
	if err != nil {
		return fmt.Errorf("run %s, which logs to %s: %w", l.Argv[0], l.Log, err)
	}
	return l.await(ctx, begun)
}

// await reads the server's report.
func (l Launch) await(ctx context.Context, begun early.Begun) error {
	go func() { // no zombie while we live; it is not bound to ctx: it outlives us
		if p, err := os.FindProcess(begun.PID); err == nil {
			_, _ = p.Wait()
		}
	}()
	_ = unix.SetNonblock(begun.Report, true) // for the deadline
	report := os.NewFile(uintptr(begun.Report), "report")
	defer func() { _ = report.Close() }()
	defer context.AfterFunc(ctx, func() { _ = report.SetReadDeadline(time.Now()) })()
	b, err := io.ReadAll(io.LimitReader(report, maxReport))
	switch {
	case string(b) == allWell:
		return nil
	case len(b) > 0:
		return errors.New(printable(b))
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("%w; what it does is told in %s", context.Cause(ctx), l.Log)
	case err != nil:
		return fmt.Errorf("read its report: %w", err)
	}
	if line := lastLine(l.Log, begun.Log); line != "" {
		return fmt.Errorf("it ended at once: %s (%s)", line, l.Log)
	}
	return fmt.Errorf("it ended at once and said nothing (%s)", l.Log)
}

// lastLine is the last line that was appended to a log; of a Go program that
// panicked it is the first that says so.
func lastLine(path string, from int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	b, _ := io.ReadAll(io.NewSectionReader(f, from, 64<<10))
	if at := bytes.Index(b, []byte("panic: ")); at >= 0 {
		b, _, _ = bytes.Cut(b[at:], []byte("\n"))
	}
	lines := strings.Split(strings.TrimSpace(printable(b)), "\n")
	return string(text(lines[len(lines)-1]))
}

// Starter is who waits for this process to take clients.
type Starter struct{ report *os.File }

// Started takes the descriptor that Ensure gave to this process, if it did. A
// server calls it first, before it starts processes, which must not inherit it.
func Started() *Starter {
	fd, err := strconv.Atoi(os.Getenv(early.ReadyVar))
	_ = os.Unsetenv(early.ReadyVar)
	var st unix.Stat_t
	if err != nil || fd < 3 || unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		return &Starter{}
	}
	unix.CloseOnExec(fd)
	return &Starter{report: os.NewFile(uintptr(fd), "starter")}
}

// Tell says that the socket takes clients, or (err) why it will not. Only the first
// call counts.
func (s *Starter) Tell(err error) {
	if s.report == nil {
		return
	}
	said := []byte(allWell)
	if err != nil {
		said = text(err.Error())
	}
	_, _ = s.report.Write(said)
	_ = s.report.Close()
	s.report = nil
}
