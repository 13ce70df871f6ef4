package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui/frame"
)

// stripFacts are what a strip's words depend on beside the pane's view.
type stripFacts struct {
	now  time.Time
	here bool // the other pane is of this workspace
	tab  int  // the number of its tab, if that is another one
}

// strip is one row of resume.md §5: what a dead pane's line says and which keys
// it takes. Without words there is no strip, only the title's state.
type strip struct {
	look  frame.State // the title's
	exit  bool        // the title's word says how the program ended
	saved bool        // there is a session that a resume takes
	glyph frame.State // the strip's own
	words func(*agent.PaneView, stripFacts) string
	keys  []stripKey
	// choose gives the keys where they depend on the view.
	choose func(*agent.PaneView, stripFacts) []stripKey
}

// stripKey is one key of a strip.
type stripKey struct {
	frame.Hint
	act stripAct
}

// stripAct is what a strip's key does to the pane.
type stripAct func(m *Model, id panes.PaneID) tea.Cmd

func key(name, verb string, act stripAct) stripKey {
	return stripKey{frame.Hint{Key: name, Verb: verb}, act}
}

// What the keys do.
var (
	resumeNow    = resumes(false)
	resumeAnyway = resumes(true)
	dismiss      = does(agent.ActDismiss)
	shellHere    = does(agent.ActShell)
	runAgain     = does(agent.ActRunAgain)
)

var failedKeys = []stripKey{key("r", "retry", resumeNow), key("d", "dismiss", dismiss), key("s", "shell here", shellHere)}

// strips is the table of resume.md §5. A state that it lacks shows nothing.
var strips = map[agent.PaneState]strip{
	agent.PaneDue: {saved: true, look: frame.Saved},
	agent.PaneQueued: {
		saved: true, look: frame.Queued, glyph: frame.Queued, words: queuedWords,
		keys: []stripKey{key("d", "dismiss", dismiss)},
	},
	agent.PaneResuming: {
		saved: true, look: frame.Resuming, glyph: frame.Resuming,
		words: func(v *agent.PaneView, _ stripFacts) string { return "Resuming " + v.Label + "…" },
	},
	agent.PaneWaiting: {
		saved: true, look: frame.Queued, glyph: frame.Queued, words: waitingWords,
		keys: []stripKey{key("r", "now", resumeNow), key("d", "dismiss", dismiss)},
	},
	agent.PaneFresh: {
		glyph: frame.Fresh,
		words: reasonOr(func(v *agent.PaneView) string { return v.Label + " had no saved conversation; started fresh" }),
	},
	agent.PaneAsk: {
		saved: true, look: frame.Saved, glyph: frame.Saved, words: askWords,
		keys: []stripKey{key("r", "resume", resumeNow), key("d", "dismiss", dismiss)},
	},
	agent.PaneElsewhere: {saved: true, look: frame.Elsewhere, glyph: frame.Elsewhere, words: elsewhereWords, choose: elsewhereKeys},
	agent.PaneDismissed: {saved: true, look: frame.Saved},
	agent.PaneUnsettled: {
		saved: true, look: frame.Exited, exit: true, glyph: frame.Exited,
		words: func(v *agent.PaneView, _ stripFacts) string { return v.Label + " ended" },
		keys:  []stripKey{key("enter", "shell", shellHere), key("r", "resume", resumeNow)},
	},
	agent.PaneFailed: {
		saved: true, look: frame.Failed, glyph: frame.Failed, choose: failureKeys,
		words: reasonOr(func(v *agent.PaneView) string { return "Could not resume " + v.Label }),
	},
	agent.PanePaused: {saved: true, look: frame.Paused, glyph: frame.Paused, words: reasonOr(pausedWords), keys: failedKeys},
	agent.PaneFirstFailed: {
		look: frame.Failed, glyph: frame.Failed, words: reasonOr(endedWords),
		keys: []stripKey{key("r", "run again", runAgain), key("s", "shell here", shellHere), key("x", "close", closeDead)},
	},
	agent.PaneUnsupported: {
		look: frame.Exited, exit: true, glyph: frame.Exited,
		words: reasonOr(func(v *agent.PaneView) string { return v.Label + " cannot be resumed" }),
		keys:  []stripKey{key("d", "dismiss", dismiss), key("s", "shell here", shellHere)},
	},
	agent.PaneEnded: {
		look: frame.Exited, exit: true, glyph: frame.Exited, words: deadWords,
		keys: []stripKey{key("enter", "restart", runAgain), key("x", "close", closeDead)},
	},
	agent.PaneNotStarted: {
		look: frame.Exited, glyph: frame.Exited,
		words: reasonOr(func(v *agent.PaneView) string { return v.Label + " is not running" }),
		keys:  []stripKey{key("enter", "run", runAgain), key("x", "close", closeDead)},
	},
}

func hintsOf(keys []stripKey) (h frame.Hints) {
	for i, k := range keys {
		if i < len(h) {
			h[i] = k.Hint
		}
	}
	return h
}

// reasonOr are the coordinator's words, or others if it gave none.
func reasonOr(other func(*agent.PaneView) string) func(*agent.PaneView, stripFacts) string {
	return func(v *agent.PaneView, _ stripFacts) string {
		if v.Reason != "" {
			return v.Reason
		}
		return other(v)
	}
}

func queuedWords(v *agent.PaneView, _ stripFacts) string {
	switch v.Ahead {
	case 0:
		return "Resuming " + v.Label + "… waiting"
	case 1:
		return "Resuming " + v.Label + "… waiting for 1 other"
	}
	return fmt.Sprintf("Resuming %s… waiting for %d others", v.Label, v.Ahead)
}

// waitingWords are made once, when the waiting begins: a strip does not count
// down.
func waitingWords(v *agent.PaneView, f stripFacts) string {
	rest := int(v.RetryAt.Sub(f.now).Round(time.Second) / time.Second)
	return fmt.Sprintf("%s died; trying again in %d s", v.Label, max(1, rest))
}

func askWords(v *agent.PaneView, f stripFacts) string {
	if v.Since.IsZero() {
		return v.Label + " session, saved"
	}
	return v.Label + " session from " + age(f.now.Sub(v.Since)) + " ago"
}

func elsewhereWords(v *agent.PaneView, f stripFacts) string {
	if !f.here && v.Where != "" {
		return "This session is open in workspace " + v.Where
	}
	if f.tab > 0 {
		return fmt.Sprintf("This session is open in tab %d", f.tab)
	}
	return "This session is open in another pane"
}

func elsewhereKeys(_ *agent.PaneView, f stripFacts) []stripKey {
	shut := key("x", "close", closeDead)
	if !f.here {
		return []stripKey{shut}
	}
	return []stripKey{key("enter", "go", goOther), shut}
}

func failureKeys(v *agent.PaneView, _ stripFacts) []stripKey {
	if v.Failure != agent.FailHeld {
		return failedKeys
	}
	return append(failedKeys[:len(failedKeys):len(failedKeys)], key("o", "resume anyway", resumeAnyway))
}

func pausedWords(v *agent.PaneView) string {
	s := fmt.Sprintf("%s died %d times while resuming (%s", v.Label, v.Deaths, exitReason(v.Exit))
	if v.LastLine != "" {
		s += ": " + v.LastLine
	}
	return s + ")"
}

func endedWords(v *agent.PaneView) string {
	if v.Exit == (panes.Exit{}) {
		return v.Label + " ended"
	}
	return v.Label + " ended with " + exitReason(v.Exit)
}

// exitReason says how a program ended: exit 1, SIGHUP.
func exitReason(e panes.Exit) string {
	if e.Signal != 0 {
		return signalName(e.Signal)
	}
	return fmt.Sprintf("exit %d", e.Status)
}

func deadWords(v *agent.PaneView, f stripFacts) string {
	s := reasonOr(endedWords)(v, f)
	if v.Since.IsZero() {
		return s
	}
	return s + ", " + v.Since.Local().Format("15:04")
}

// exitWord is the title's word for an end.
func exitWord(e panes.Exit) string {
	if e.Signal != 0 {
		return "exited " + signalName(e.Signal)
	}
	return fmt.Sprintf("exited %d", e.Status)
}

func signalName(n int) string {
	if s := unix.SignalName(unix.Signal(n)); s != "" {
		return s
	}
	return fmt.Sprintf("signal %d", n)
}

// age is a time in one unit, in words.
func age(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		switch n := int(d / u.unit); {
		case n == 1:
			return "1 " + u.name
		case n > 1:
			return fmt.Sprintf("%d %ss", n, u.name)
		}
	}
	return "a moment"
}
