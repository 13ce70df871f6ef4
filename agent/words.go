package agent

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"reprise/panes"
)

// The words of look.md §11: what happened, then what to do.

// couldNot is a failed resume's sentence.
func couldNot(label, why, todo string) string {
	return fmt.Sprintf("Could not resume %s: %s. %s, then retry.", label, why, todo)
}

// unsavedWords say that nothing can be saved now.
func unsavedWords(why, todo string) string {
	return fmt.Sprintf("Nothing is saved now: %s. %s; what runs goes on, and what was saved is kept.", why, todo)
}

// because puts a cause, in the system's own words, behind a sentence.
func because(words string, err error) string {
	return fmt.Sprintf("%s (%v)", words, err)
}

// droppedWords say that n prompts were dropped, which waited for agents with these labels.
func droppedWords(labels []string, n int, why string) string {
	last := len(labels) - 1
	whom := labels[last]
	if last > 0 {
		whom = strings.Join(labels[:last], ", ") + " and " + whom
	}
	if n == 1 {
		return "A prompt that waited for " + whom + " was dropped: " + why
	}
	return fmt.Sprintf("%d prompts that waited for %s were dropped: %s", n, whom, why)
}

func unsupportedWords(label, why string) string {
	return fmt.Sprintf("%s cannot be resumed: %s", label, why)
}

// waitWords say how many prompts wait.
func waitWords(n int) string {
	if n == 1 {
		return "1 prompt waits"
	}
	return fmt.Sprintf("%d prompts wait", n)
}

func freshWords(label string) string {
	return label + " had no saved conversation; started fresh"
}

func heldWords(label string, pid int, tty string) string {
	who := fmt.Sprintf("process %d", pid)
	if tty != "" {
		who += " on " + tty
	}
	return couldNot(label, who+" has this session open", "End it there")
}

func turnFailedWords(label string) string {
	return label + " stopped: its model's service gave an error"
}

func endedWords(label string, e panes.Exit) string {
	if e == (panes.Exit{}) {
		return label + " ended"
	}
	return label + " ended with " + exitWords(&e)
}

// idleWords names the whole command: it is run as it was when a person says so.
func idleWords(argv []string) string { return strings.Join(argv, " ") + " is not running" }

func pausedWords(label string, deaths int, e panes.Exit, line string) string {
	s := fmt.Sprintf("%s died %d times while resuming", label, deaths)
	switch {
	case e == (panes.Exit{}) && line == "":
		return s
	case line == "":
		return s + " (" + exitWords(&e) + ")"
	}
	return s + " (" + exitWords(&e) + ": " + line + ")"
}

// exitWords says how a process ended: exit 1, SIGHUP, exit not known.
func exitWords(e *panes.Exit) string {
	switch {
	case e == nil:
		return "exit not known"
	case e.Signal != 0:
		if name := unix.SignalName(unix.Signal(e.Signal)); name != "" {
			return name
		}
		return fmt.Sprintf("signal %d", e.Signal)
	}
	return fmt.Sprintf("exit %d", e.Status)
}

// tilde shortens the person's home directory in a path.
func tilde(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" || home == "/" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}

// lookup finds a variable in an environment; a later entry wins.
func lookup(env []string, key string) string {
	value := ""
	for _, e := range env {
		if k, v, ok := strings.Cut(e, "="); ok && k == key {
			value = v
		}
	}
	return value
}
