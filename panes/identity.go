package panes

import (
	"errors"
	"os"
	"slices"
	"sync"
	"time"
)

// ErrNoProcess says that no process has the pid (any more).
var ErrNoProcess = errors.New("no such process")

// maxAncestors bounds ParentChain: a chain read while processes come and go may
// contain a loop.
const maxAncestors = 64

// Proc is one process as the system's table shows it. Fields that the system
// hides from us are empty. Everything in it was chosen by the process itself or
// by whoever started it: it is hostile text.
type Proc struct {
	ID     ProcessID
	Parent int
	Group  int // process group id
	// Session is the id of its session; 0 if unknown.
	Session int
	Argv    []string
	Name    string // the short name that the kernel keeps (15 bytes on Linux)
	Exe     string // path of its executable
	TTY     string // controlling terminal without /dev/: pts/3; "" if none
	Nonce   string // REPRISE_NONCE in the environment it was started with

	dead bool // a zombie: it runs no more, only its pid is still taken
}

// Identify names the process that has the pid now, a zombie too.
// ErrNoProcess: there is none.
func Identify(pid int) (ProcessID, error) {
	p, err := lookProc(pid)
	if err != nil {
		return ProcessID{}, err
	}
	return p.ID, nil
}

// BootID names this run of the system's kernel; "" if the system does not tell.
func BootID() string { return bootID() }

var bootID = sync.OnceValue(readBootID)

// Alive reports whether this very process still runs: pid, start time and boot
// must all match. A zombie is not alive. If the system cannot be asked (no file
// descriptor is left, for example) it counts as alive: to wait for a process that
// is gone is better than to start a second one beside it.
func (id ProcessID) Alive() bool {
	p, err := lookProc(id.PID)
	if err != nil {
		return !errors.Is(err, ErrNoProcess)
	}
	return p.ID == id && !p.dead
}

// exists reports whether it was seen, alive or as a zombie: then its pid, and
// with it the ids of its process group and session, cannot be anyone else's.
func (id ProcessID) exists() bool {
	p, err := lookProc(id.PID)
	return err == nil && p.ID == id
}

// Processes lists the living processes of the system that we may see, with all
// their fields.
func Processes() ([]Proc, error) {
	all, err := listProcs()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(p Proc) bool { return p.dead })
	for i := range all {
		if err := fillProc(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ParentChain lists the ancestors of a process, its parent first. It ends where
// the system shows no parent, and after 64.
func ParentChain(pid int) []Proc {
	var chain []Proc
	p, err := lookProc(pid)
	for err == nil && p.Parent > 0 && len(chain) < maxAncestors {
		if p, err = lookProc(p.Parent); err == nil {
			_ = fillProc(&p) // what is missing is empty
			chain = append(chain, p)
		}
	}
	return chain
}

// Group lists the living processes of the process group and the session that id
// leads, itself included. Once the leader is gone its number proves nothing, so
// only processes that carry the nonce in their environment count; with an empty
// nonce none does. (A program may overwrite its environment; its children have
// theirs from before.) Our own process is never listed. If the system cannot be
// asked, id is listed if it counts as alive.
func Group(id ProcessID, nonce string) []ProcessID {
	kin, err := kinOf(id, nonce)
	if err != nil && id.Alive() {
		return []ProcessID{id}
	}
	return kin
}

// kinOf is Group, or why it cannot be told.
func kinOf(id ProcessID, nonce string) ([]ProcessID, error) {
	if id.PID <= 1 || id.Boot != BootID() {
		return nil, nil
	}
	// Asked before and after the list is read: a leader that was there both
	// times kept its number all the while.
	led := id.exists()
	all, err := listProcs()
	if err != nil {
		return nil, err
	}
	led = led && id.exists()
	var kin []ProcessID
	for _, p := range all {
		switch {
		case p.dead || p.ID.PID == os.Getpid() || p.ID.PID <= 1:
			continue
		case p.ID == id:
		case p.Group != id.PID && p.Session != id.PID:
			continue
		case p.ID.Start < id.Start: // born before the leader: not of its kin
			continue
		case !led:
			carried, err := carriedNonce(p)
			if err != nil {
				return nil, err
			}
			if nonce == "" || carried != nonce {
				continue
			}
		}
		kin = append(kin, p.ID)
	}
	return kin, nil
}

// carriedNonce reads a process's nonce. In the middle of an exec a process shows
// neither argv nor environment: then it looks again.
func carriedNonce(p Proc) (string, error) {
	for range 5 {
		if err := fillProc(&p); err != nil || len(p.Argv) > 0 || p.Nonce != "" {
			return p.Nonce, err
		}
		time.Sleep(time.Millisecond)
	}
	return "", nil
}
