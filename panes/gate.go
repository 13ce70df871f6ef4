package panes

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"reprise/panes/disk"
)

// gateFD is where the shim finds the gate: the first of exec.Cmd.ExtraFiles.
const gateFD = 3

// Exit statuses of the shim. Those of a program that cannot be run are the
// shell's; none of them is 0, so that a shim can never be taken for a program
// that took its leave (resume.md [P11]).
const (
	GateClosed    = 125 // the gate was closed: nothing was run
	GateNoExec    = 126 // the program was found but cannot be executed
	GateNoProgram = 127 // the program was not found
)

// RunGate is the launch shim: the body of the hidden command that HostOptions.Shim
// names, run in the pane's pty. It waits until the gate opens and then becomes the program args, keeping
// pid, start time and environment; it returns only if it does not come to that,
// with the status to exit with. The gate is a pipe inherited as file descriptor 3:
// one byte opens it, its end closes it. So if the process that holds the other
// end dies, however it dies, nothing is ever run. Without args it is a Spare, which
// is told them, environment and folder through the gate before it opens.
func RunGate(args []string) (exit int) {
	gate := os.NewFile(gateFD, "gate")
	if gate == nil {
		return complain(GateClosed, errors.New("this command is run by reprise itself"))
	}
	o := order{Argv: args, Env: os.Environ()}
	if len(args) == 0 {
		var err error
		if o, err = readOrder(gate); err != nil {
			return GateClosed
		}
	}
	var b [1]byte
	n, err := gate.Read(b[:])
	if n != 1 || err != nil {
		return GateClosed
	}
	_ = gate.Close()
	if o.Dir != "" {
		if err := os.Chdir(o.Dir); err != nil {
			return complain(GateNoExec, fmt.Errorf("cannot start in %s: %w", o.Dir, err))
		}
	}
	return become(o.Argv, o.Env)
}

// become execs argv; no shell sees it.
func become(argv, env []string) int {
	// Exec's own environment: the hook command finds its way up to this pid.
	env = append(env, "REPRISE_PID="+strconv.Itoa(os.Getpid()))
	// Here nobody else waits for a disk that does not answer.
	path, err := lookPath(argv[0], "", pathIn(env), func(file string, _ disk.Patience) error { return whyNot(executable(file)) })
	if err != nil {
		// LookPath says the name already.
		return complain(exitFor(err), fmt.Errorf("cannot run %w", err))
	}
	defaultSignals()
	// In this order: a hangup from before is seen, a later one ends whatever we are
	// by then. An agent that neither reached would read the end of its input and
	// might take its leave, which nobody meant.
	if err := hangupEnds(); err != nil {
		return complain(GateNoExec, fmt.Errorf("cannot run %s: %w", argv[0], err))
	}
	if hungUp(os.Stdin) {
		return GateClosed
	}
	runtime.LockOSThread() // the program takes over this thread
	usualSlices()
	err = syscall.Exec(path, argv, env)
	return complain(exitFor(err), fmt.Errorf("cannot run %s: %w", argv[0], err))
}

// hungUp reports whether a file was a terminal whose other side is closed.
func hungUp(tty *os.File) bool {
	_, err := unix.IoctlGetTermios(int(tty.Fd()), getTermios)
	return err != nil && !errors.Is(err, unix.ENOTTY)
}

func exitFor(err error) int {
	if errors.Is(err, ErrNotInPath) || errors.Is(err, ErrNoFile) || errors.Is(err, syscall.ENOENT) {
		return GateNoProgram
	}
	return GateNoExec
}

func complain(exit int, err error) int {
	fmt.Fprintf(os.Stderr, "reprise: %v\n", err)
	return exit
}

// defaultSignals undoes what was inherited as ignored (from nohup, or from a
// shell that started us in the background): exec resets what a program catches,
// but not what it ignores. Go's runtime catches most signals anyway. Of the rest,
// HUP and INT are caught here only if they were ignored, so that none is lost
// between here and exec; whether the job-control signals were, Go does not tell,
// and a stop that is lost at this moment harms nobody.
func defaultSignals() {
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(sig) {
			signal.Notify(unread, sig)
		}
	}
}
