package panes

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// zombie is SZOMB of <sys/proc.h>.
const zombie = 5

func readBootID() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}

func lookProc(pid int) (Proc, error) {
	if pid <= 0 {
		return Proc{}, ErrNoProcess
	}
	// The system answers with an empty record if there is none, which x/sys
	// reports as EIO.
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	switch {
	case err == unix.EIO || err == unix.ESRCH || err == nil && int(k.Proc.P_pid) != pid:
		return Proc{}, ErrNoProcess
	case err != nil:
		return Proc{}, fmt.Errorf("look at process %d: %w", pid, err)
	}
	return procOf(k), nil
}

func procOf(k *unix.KinfoProc) Proc {
	start := k.Proc.P_starttime
	p := Proc{
		ID: ProcessID{
			PID:   int(k.Proc.P_pid),
			Start: uint64(start.Sec)*1_000_000 + uint64(start.Usec),
			Boot:  BootID(),
		},
		Parent: int(k.Eproc.Ppid),
		Group:  int(k.Eproc.Pgid),
		Name:   string(bytes.TrimRight(k.Proc.P_comm[:], "\x00")),
		TTY:    ttyName(k.Eproc.Tdev),
		dead:   k.Proc.P_stat == zombie,
	}
	p.Session, _ = unix.Getsid(p.ID.PID)
	return p
}

// ttyName decodes a device number; 16 is the major of the pseudo-terminals'
// slaves (xnu, bsd/kern/tty_ptmx.c).
func ttyName(dev int32) string {
	if dev == -1 {
		return ""
	}
	if major, minor := uint32(dev)>>24, uint32(dev)&0xffffff; major == 16 {
		return fmt.Sprintf("ttys%03d", minor)
	}
	return ""
}

func listProcs() ([]Proc, error) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	procs := make([]Proc, 0, len(all))
	for i := range all {
		procs = append(procs, procOf(&all[i]))
	}
	return procs, nil
}

// fillProc reads KERN_PROCARGS2: the count of arguments, the executable's path,
// padding, then arguments and environment, each ended by a NUL. What is hidden
// stays empty.
func fillProc(p *Proc) error {
	b, err := unix.SysctlRaw("kern.procargs2", p.ID.PID)
	if err == unix.ENOMEM {
		return fmt.Errorf("look at process %d: %w", p.ID.PID, err)
	}
	if err != nil || len(b) < 4 {
		return nil // EINVAL: gone, a zombie, or another user's
	}
	argc := int(binary.NativeEndian.Uint32(b))
	exe, rest, ok := bytes.Cut(b[4:], []byte{0})
	if !ok {
		return nil
	}
	p.Exe = string(exe)
	words := splitNul(bytes.TrimLeft(rest, "\x00"))
	if argc < 0 || argc > len(words) {
		argc = len(words)
	}
	p.Argv, p.Nonce = words[:argc], nonceIn(words[argc:])
	return nil
}

// Cwd is the working directory of a process. The system tells it only through a
// C library; lsof, which is part of it, asks for us.
func Cwd(pid int) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	argv := []string{"/usr/sbin/lsof", "-a", "-d", "cwd", "-p", strconv.Itoa(pid), "-Fn"}
	out, err := Run(ctx, argv, "/", nil, 64<<10)
	if err != nil {
		return "", fmt.Errorf("working directory of process %d: %w", pid, err)
	}
	for line := range strings.Lines(string(out)) {
		if dir, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "n/"); ok {
			return "/" + dir, nil
		}
	}
	return "", fmt.Errorf("working directory of process %d: %w", pid, ErrNoProcess)
}

// awaitExit waits until a child has ended and leaves it a zombie, so that its
// pid is not given away before the caller has put itself in order. false: it
// could not wait.
func awaitExit(pid int) bool {
	kq, err := unix.Kqueue()
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(kq) }()
	var watch unix.Kevent_t
	unix.SetKevent(&watch, pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	watch.Fflags = unix.NOTE_EXIT
	changes, events := []unix.Kevent_t{watch}, make([]unix.Kevent_t, 1)
	for {
		// ESRCH: a zombie already.
		_, err := unix.Kevent(kq, changes, events, nil)
		if err != unix.EINTR {
			return err == nil || err == unix.ESRCH
		}
	}
}

// signalProcess signals a process if it still is the one meant. Gone is no error.
func signalProcess(id ProcessID, sig unix.Signal) error {
	if !id.exists() {
		return nil
	}
	if err := unix.Kill(id.PID, sig); err != nil && err != unix.ESRCH {
		return fmt.Errorf("signal process %d: %w", id.PID, err)
	}
	return nil
}

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// pidSpace names the PID namespace of this process: there is one.
func pidSpace() string { return "" }
