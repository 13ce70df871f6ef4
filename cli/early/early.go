// Package early begins a server for a client that will need one, before the client is ready
// to ask for it. What it decides it decides from the command line, the environment and two
// looks at the disk; wherever it is not sure it leaves the server to who asks.
//
// It uses none of the packages that take time to be initialised (server/early).
package early

import (
	"path"
	"slices"

	"reprise/server/early"
)

// Commands are the words that are no program to be run when they come first: names of
// commands, and of those that programs call. A test compares them with what there is.
var Commands = []string{
	"agent", "attach", "capture", "close", "config", "detach", "doctor", "explain", "gate", "hook", "import", "kill-server", "ls",
	"move", "new", "rename", "resume", "screen", "send", "serve", "session", "sessions", "shim", "split", "tab",
	"tutor", "tutor-agent", "tutor-steps", "upgrade",
}

// begun is the server that was begun; nil: none, or it was taken.
var begun *early.Begun

// Take is the server that was begun, once; nil: there is none.
func Take() *early.Begun {
	b := begun
	begun = nil
	return b
}

// State is the state folder that an environment names, "" where it takes more than this to
// know it: see cli.findPaths.
func State(getenv func(string) (string, bool)) string {
	for _, at := range []struct{ key, below string }{{"REPRISE_HOME", "state"}, {"XDG_STATE_HOME", "reprise"}, {"HOME", ".local/state/reprise"}} {
		if base, _ := getenv(at.key); base != "" {
			if !path.IsAbs(base) {
				return ""
			}
			return path.Join(base, at.below)
		}
	}
	return ""
}

// opens reports whether a command line opens a workspace, which needs a server; it begins
// with our own name.
func opens(args []string) bool {
	const test = ".test" // a binary of tests is not reprise
	if len(args) == 0 || len(args[0]) > len(test) && args[0][len(args[0])-len(test):] == test {
		return false
	}
	return len(args) == 1 || args[1] != "" && args[1][0] != '-' && !slices.Contains(Commands, args[1])
}
