package panes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// maxProcText bounds what is read of one process's argv or environment; both
// are as large as the process's parent liked.
const maxProcText = 1 << 20

func readBootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// pidSpace names the PID namespace of this process (pid_namespaces(7)); "": not known.
var pidSpace = sync.OnceValue(func() string {
	name, _ := os.Readlink("/proc/self/ns/pid") // pid:[4026531836]
	return strings.TrimSuffix(strings.TrimPrefix(name, "pid:["), "]")
})

// lookProc reads what proc_pid_stat(5) tells in one line.
func lookProc(pid int) (Proc, error) {
	if pid <= 0 {
		return Proc{}, ErrNoProcess
	}
	b, err := os.ReadFile(procFile(pid, "stat"))
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, unix.ESRCH):
		return Proc{}, ErrNoProcess
	case err != nil:
		return Proc{}, fmt.Errorf("look at process %d: %w", pid, err)
	}
	p, ok := parseStat(b)
	if !ok {
		return Proc{}, fmt.Errorf("look at process %d: its stat line is not understood", pid)
	}
	p.ID.Boot = BootID()
	return p, nil
}

// parseStat reads a stat line. The name stands in parentheses and may contain
// anything, parentheses and spaces too: the fields start behind the last one.
func parseStat(b []byte) (Proc, bool) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 1 || end < open {
		return Proc{}, false
	}
	// Field n of the manual is f[n-3].
	f := strings.Fields(string(b[end+1:]))
	if len(f) < 20 {
		return Proc{}, false
	}
	var bad error
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		bad = errors.Join(bad, err)
		return n
	}
	p := Proc{
		Name:    string(b[open+1 : end]),
		Parent:  number(f[1]),
		Group:   number(f[2]),
		Session: number(f[3]),
		TTY:     ttyName(number(f[4])),
	}
	p.ID.PID = number(strings.TrimSpace(string(b[:open])))
	start, err := strconv.ParseUint(f[19], 10, 64)
	p.ID.Start = start
	// A first thread that has ended shows as a zombie while others run on.
	p.dead = f[0] == "X" || f[0] == "Z" && number(f[17]) <= 1
	return p, bad == nil && err == nil
}

// ttyName decodes a device number: majors 136 to 143 are the Unix 98
// pseudo-terminals, 4 the consoles (kernel, devices.txt).
func ttyName(dev int) string {
	major, minor := dev>>8&0xfff, dev&0xff|dev>>12&0xfff00
	switch {
	case major >= 136 && major <= 143:
		return "pts/" + strconv.Itoa((major-136)<<20+minor)
	case major == 4 && minor < 64:
		return "tty" + strconv.Itoa(minor)
	case major == 4:
		return "ttyS" + strconv.Itoa(minor-64)
	}
	return ""
}

func listProcs() ([]Proc, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	procs := make([]Proc, 0, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		switch p, err := lookProc(pid); {
		case err == nil:
			procs = append(procs, p)
		case !hidden(err):
			return nil, err // a list with a gap would say that somebody is gone
		}
	}
	return procs, nil
}

// hidden reports whether a process is gone or not ours to see.
func hidden(err error) bool {
	return errors.Is(err, ErrNoProcess) || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) ||
		errors.Is(err, unix.ESRCH)
}

// fillProc adds what costs further reads. What is hidden stays empty.
func fillProc(p *Proc) error {
	argv, err := readBounded(procFile(p.ID.PID, "cmdline"))
	if err != nil {
		return err
	}
	env, err := readBounded(procFile(p.ID.PID, "environ"))
	if err != nil {
		return err
	}
	p.Argv, p.Nonce = splitNul(argv), nonceIn(splitNul(env))
	p.Exe, _ = os.Readlink(procFile(p.ID.PID, "exe"))
	return nil
}

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err == nil {
		defer func() { _ = f.Close() }()
		var b []byte
		if b, err = io.ReadAll(io.LimitReader(f, maxProcText)); err == nil {
			return b, nil
		}
	}
	if hidden(err) {
		return nil, nil
	}
	return nil, fmt.Errorf("look at a process: %w", err)
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// Cwd is the working directory of a process.
func Cwd(pid int) (string, error) {
	dir, err := os.Readlink(procFile(pid, "cwd"))
	if err != nil {
		return "", fmt.Errorf("working directory of process %d: %w", pid, err)
	}
	// The kernel marks a directory that is gone like this.
	return strings.TrimSuffix(dir, " (deleted)"), nil
}

// awaitExit waits until a child has ended and leaves it a zombie, so that its
// pid is not given away before the caller has put itself in order. false: it
// could not wait.
//
// It sleeps where all files do that are waited for: a thread that waits in the
// kernel would cost each terminal more memory than its screen.
func awaitExit(pid int) bool {
	if awaitPidfd(pid) {
		return true
	}
	_, err := waitExit(pid, 0) // no pidfd, or none that can be polled: kernel before 5.10, or a sandbox
	return err == nil
}

func awaitPidfd(pid int) bool {
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	if err != nil {
		return false
	}
	f := os.NewFile(uintptr(fd), "pidfd")
	defer func() { _ = f.Close() }()
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	ended := false
	err = raw.Read(func(uintptr) bool {
		var fail error
		ended, fail = waitExit(pid, unix.WNOHANG)
		return ended || fail != nil
	})
	return ended && err == nil
}

// waitExit reports whether a child has ended, or waits until it has.
func waitExit(pid, options int) (ended bool, err error) {
	for {
		var info unix.Siginfo
		err = unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT|options, nil)
		if err != unix.EINTR {
			return err == nil && info.Signo != 0, err
		}
	}
}

// signalProcess signals a process if it still is the one meant. The pidfd is
// taken before the identity is compared, so the signal cannot hit another that
// was given the pid in between. Gone is no error.
func signalProcess(id ProcessID, sig unix.Signal) error {
	fd, err := unix.PidfdOpen(id.PID, 0)
	switch err {
	case nil:
		defer func() { _ = unix.Close(fd) }()
	case unix.ESRCH:
		return nil
	case unix.ENOSYS, unix.EPERM, unix.EINVAL: // kernel before 5.3, or a sandbox without it
		fd = -1
	default:
		return fmt.Errorf("signal process %d: %w", id.PID, err)
	}
	if !id.exists() {
		return nil
	}
	if fd >= 0 {
		err = unix.PidfdSendSignal(fd, sig, nil, 0)
	} else {
		err = unix.Kill(id.PID, sig)
	}
	if err != nil && err != unix.ESRCH {
		return fmt.Errorf("signal process %d: %w", id.PID, err)
	}
	return nil
}

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)
