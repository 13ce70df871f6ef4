// Package early starts a server's process. It uses none of the packages that take time to
// be initialised, so that a server can begin before its client has done that for itself:
// both take as long, and a person waits for one after the other.
package early

import "syscall"

// ReadyVar names the variable by which a server learns the descriptor to report by.
const ReadyVar = "REPRISE_READY_FD"

// Begun is a server's process that was started.
type Begun struct {
	PID    int
	Report int   // file descriptor: what it says when it takes clients, or will not
	Log    int64 // length of its log before
}

// Begin starts argv, whose first is an absolute path, in a session of its own, so that
// nothing that happens to the caller's terminal reaches it. What it prints is appended to
// the file log. Reap its PID, and close Report.
func Begin(argv, env []string, log string) (b Begun, err error) {
	in, err := syscall.Open("/dev/null", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return b, err
	}
	defer func() { _ = syscall.Close(in) }()
	out, err := syscall.Open(log, syscall.O_CREAT|syscall.O_APPEND|syscall.O_WRONLY|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return b, err
	}
	defer func() { _ = syscall.Close(out) }()
	const end = 2 // SEEK_END of lseek(2)
	if b.Log, err = syscall.Seek(out, 0, end); err != nil {
		return b, err
	}
	var report [2]int
	if err := pipe(&report); err != nil {
		return b, err
	}
	defer func() { _ = syscall.Close(report[1]) }()
	b.Report = report[0]
	b.PID, err = syscall.ForkExec(argv[0], argv, &syscall.ProcAttr{
		Dir: "/", Env: append([]string{ReadyVar + "=3"}, env...), // the first of two counts
		Files: []uintptr{uintptr(in), uintptr(out), uintptr(out), uintptr(report[1])},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		_ = syscall.Close(report[0])
	}
	return b, err
}
