//go:build failpoint

package agent

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// ErrFailpoint is what a failpoint with the action error returns.
var ErrFailpoint = errors.New("failpoint")

// Failpoints lists the names, in the order in which a resume, a launch, an end
// and a sweep pass them.
func Failpoints() []string {
	return []string{
		"resume.preflight", "resume.claim", "resume.claimed", "resume.lookagain", "resume.launch",
		"resume.launched", "resume.confirm", "resume.confirmed", "resume.gate", "resume.opened",
		"resume.gateopened", "resume.repoint", "resume.repointed", "resume.point", "resume.retire",
		"unclaim", "unclaimed",
		"launch.start", "launch.begin", "launch.begun", "launch.gate", "launch.opened", "launch.gateopened",
		"end.record", "end.recorded", "settle",
		"dispose.stamp", "dispose.stamped", "dispose.signal",
		"sweep.hooks", "sweep.signal", "sweep.record", "sweep.recorded",
	}
}

var failpoints struct {
	sync.Mutex
	read bool
	set  map[string]*armed
}

type armed struct {
	action string
	left   int // passes until it acts
}

// failpoint acts if the environment variable REPRISE_FAILPOINT names it:
// name:kill kills this process with SIGKILL, name:error returns ErrFailpoint;
// name:kill:N and name:error:N act at the Nth pass, once. Several are separated
// by commas.
func failpoint(name string) error {
	failpoints.Lock()
	defer failpoints.Unlock()
	if !failpoints.read {
		failpoints.set, failpoints.read = parseFailpoints(os.Getenv("REPRISE_FAILPOINT")), true
	}
	a := failpoints.set[name]
	if a == nil || a.left == 0 {
		return nil
	}
	if a.left--; a.left > 0 {
		return nil
	}
	if a.action == "kill" {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal is under way; no further step may be taken
	}
	return fmt.Errorf("%w %s", ErrFailpoint, name)
}

func parseFailpoints(s string) map[string]*armed {
	set := map[string]*armed{}
	for one := range strings.SplitSeq(s, ",") {
		part := strings.Split(one, ":")
		if len(part) < 2 {
			continue
		}
		a := &armed{action: part[1], left: 1}
		if len(part) > 2 {
			if n, err := strconv.Atoi(part[2]); err == nil && n > 0 {
				a.left = n
			}
		}
		set[part[0]] = a
	}
	return set
}

// ArmFailpoints replaces what the environment armed; "" disarms all. For tests
// in one process.
func ArmFailpoints(s string) {
	failpoints.Lock()
	defer failpoints.Unlock()
	failpoints.set, failpoints.read = parseFailpoints(s), true
}
