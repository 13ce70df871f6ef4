// Package now does at once what need not wait for the rest of this program to be
// initialised; main imports it for that alone. Go initialises a package when those that it
// imports are, the first in the order of their paths first, so this one, which needs
// little more than system calls, comes before nearly all others (a test looks that it does). If it
// came later everything would still be done, a millisecond and a half later.
package now

import (
	"syscall"

	"reprise/cli/early"
	"reprise/panes/gate"
)

func init() {
	args := early.Args()
	if len(args) == 2 && args[1] == gate.Command {
		syscall.Exit(gate.Run())
	}
	early.Begin(args)
}
