// Package gate is the launch shim: what runs in a pane's pty until its gate opens, and then
// becomes the pane's program.
//
// On Linux it uses none of the packages that take time to be initialised, so that it can run
// before they are (cli/early/now): every launch waits for it, and the rest of our binary takes
// three times as long to load.
package gate

import (
	"errors"
	"strconv"
	"syscall"
)

// Command is the hidden command that runs the shim.
const Command = "gate"

// FD is where the shim finds the gate: the first of exec.Cmd.ExtraFiles.
const FD = 3

// Exit statuses of the shim. Those of a program that cannot be run are the
// shell's; none of them is 0, so that a shim can never be taken for a program
// that took its leave (resume.md [P11]).
const (
	Closed    = 125 // the gate was closed: nothing was run
	NoExec    = 126 // the program was found but cannot be executed
	NoProgram = 127 // the program was not found
)

// Run waits until the gate opens and then becomes the program that it was ordered to be
// (Order), keeping pid and start time; it returns only if it does not come to that, with
// the status to exit with. The gate is a pipe inherited as file descriptor FD: the order,
// then one byte that opens it; its end closes it. So if the process that holds the other
// end dies, however it dies, nothing is ever run.
func Run() (exit int) {
	syscall.CloseOnExec(FD)
	o, err := readOrder(pipe(FD))
	switch {
	case errors.Is(err, syscall.EBADF):
		return complain(Closed, "this command is run by reprise itself")
	case err != nil:
		return Closed
	}
	var open [1]byte
	if pipe(FD).readFull(open[:]) != nil {
		return Closed
	}
	if o.Dir != "" {
		if err := syscall.Chdir(o.Dir); err != nil {
			return complain(NoExec, "cannot start in "+o.Dir+": "+err.Error())
		}
	}
	return become(o.Argv, o.Env)
}

// become execs argv; no shell sees it.
func become(argv, env []string) int {
	// Exec's own environment: the hook command finds its way up to this pid.
	env = append(env, "REPRISE_PID="+strconv.Itoa(syscall.Getpid()))
	// Nobody else waits for a disk that does not answer.
	path, err := Find(argv[0], "", pathIn(env), func(file string, _ bool) error { return Executable(file) })
	if err != nil {
		return complain(exitFor(err), "cannot run "+argv[0]+": "+err.Error())
	}
	// In this order: a hangup from before is seen, a later one ends whatever we are
	// by then. An agent that neither reached would read the end of its input and
	// might take its leave, which nobody meant.
	if err := defaultSignals(); err != nil {
		return complain(NoExec, "cannot run "+argv[0]+": "+err.Error())
	}
	if hungUp(0) {
		return Closed
	}
	err = syscall.Exec(path, argv, env)
	return complain(exitFor(err), "cannot run "+argv[0]+": "+err.Error())
}

// pathIn is the PATH of an environment; the last entry counts.
func pathIn(env []string) (path string) {
	const key = "PATH="
	for _, kv := range env {
		if len(kv) >= len(key) && kv[:len(key)] == key {
			path = kv[len(key):]
		}
	}
	return path
}

func exitFor(err error) int {
	if errors.Is(err, ErrNotInPath) || errors.Is(err, ErrNoFile) || errors.Is(err, syscall.ENOENT) {
		return NoProgram
	}
	return NoExec
}

func complain(exit int, words string) int {
	_, _ = syscall.Write(2, []byte("reprise: "+words+"\n"))
	return exit
}
