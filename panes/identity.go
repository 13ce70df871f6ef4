package panes

import (
	"errors"
	"os"
	"slices"
	"sync"
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
// must all match. A zombie is not alive.
func (id ProcessID) Alive() bool {
	p, err := lookProc(id.PID)
	return err == nil && p.ID == id && !p.dead
}

// exists is Alive or a zombie: the pid, and with it the ids of its process
// group and session, cannot have been given to anyone else.
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
		fillProc(&all[i])
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
			fillProc(&p)
			chain = append(chain, p)
		}
	}
	return chain
}

// Group lists the living processes of the process group and the session that id
// leads, itself included. Once the leader is gone its number proves nothing, so
// only processes that carry the nonce in their environment count; with an empty
// nonce none does. Our own process is never listed.
func Group(id ProcessID, nonce string) []ProcessID {
	procs := groupProcs(id, nonce)
	ids := make([]ProcessID, len(procs))
	for i, p := range procs {
		ids[i] = p.ID
	}
	return ids
}

func groupProcs(id ProcessID, nonce string) []Proc {
	if id.PID <= 1 || id.Boot != BootID() {
		return nil
	}
	// Asked before and after the list is read: a leader that was there both
	// times kept its number all the while.
	led := id.exists()
	all, err := listProcs()
	if err != nil {
		return nil
	}
	led = led && id.exists()
	var members []Proc
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
			if fillProc(&p); nonce == "" || p.Nonce != nonce {
				continue
			}
		}
		members = append(members, p)
	}
	return members
}
