package panes

import (
	"log/slog"
	"os"
	"os/exec"
	"runtime/debug"
	"sync"
)

// helpers are the programs beside the terminals (Run, Spawn) that were not reaped
// yet: the next image of this process must do it, as nobody else can.
var helpers struct {
	mu  sync.Mutex
	all map[ProcessID]bool
}

// helping notes that a program was started; reaped is called once it was waited for.
func helping(cmd *exec.Cmd) (reaped func()) {
	id, err := Identify(cmd.Process.Pid) // not reaped yet, so the pid is its own
	if err != nil {
		return func() {}
	}
	return noteHelper(id)
}

func noteHelper(id ProcessID) (reaped func()) {
	helpers.mu.Lock()
	defer helpers.mu.Unlock()
	if helpers.all == nil {
		helpers.all = map[ProcessID]bool{}
	}
	helpers.all[id] = true
	return func() {
		helpers.mu.Lock()
		defer helpers.mu.Unlock()
		delete(helpers.all, id)
	}
}

// Helpers are the programs that Run and Spawn started and that still run, for
// AdoptHelpers in the next image of this process.
func Helpers() []ProcessID {
	helpers.mu.Lock()
	defer helpers.mu.Unlock()
	all := make([]ProcessID, 0, len(helpers.all))
	for id := range helpers.all {
		all = append(all, id)
	}
	return all
}

// AdoptHelpers waits, beside its caller, for the helpers of an earlier image, so that
// none stays a zombie. What is no child of this process is left alone. A fault of the
// wait is logged.
func AdoptHelpers(ids []ProcessID, log *slog.Logger) {
	for _, id := range ids {
		p, err := lookProc(id.PID)
		if err != nil || p.ID != id || p.Parent != os.Getpid() {
			continue
		}
		reaped := noteHelper(id)
		go func() {
			defer reaped()
			defer func() {
				if r := recover(); r != nil {
					log.Error("wait for a helper", "pid", id.PID, "err", r, "stack", string(debug.Stack()))
				}
			}()
			(&child{id: id}).Wait()
		}()
	}
}
