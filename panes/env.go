package panes

import (
	"bytes"
	"os"
	"slices"
	"strings"
)

// dropped are variables of our own environment that must not reach a pane's
// program, because they speak of another place: an outer multiplexer, the
// terminal that we run in, an agent that started us. A name that ends in * is
// a prefix.
var dropped = []string{
	// Outer multiplexers.
	"TMUX", "TMUX_PANE", "STY", "WINDOW", "ZELLIJ", "ZELLIJ_*",
	// The outer terminal: programs take these as proof of what it can do.
	"TERMCAP", "COLUMNS", "LINES", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "LC_TERMINAL", "LC_TERMINAL_VERSION",
	"VTE_VERSION", "KITTY_*", "WEZTERM_*", "ITERM_*", "WT_SESSION", "WT_PROFILE_ID", "ALACRITTY_*", "GHOSTTY_*",
	"KONSOLE_*", "XTERM_VERSION", "XTERM_SHELL", "XTERM_LOCALE",
	// An agent that we were started from. Settings of the person
	// (CLAUDE_CODE_USE_BEDROCK …) are not among them.
	"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT",
	"CLAUDE_CODE_CHILD_*", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE",
	// A Reprise around us; REPRISE_HOME is a setting and stays.
	"REPRISE", "REPRISE_*",
}

// kept are exceptions from dropped.
var kept = []string{"REPRISE_HOME"}

// nonceKey is the variable by which processes of a launch know themselves.
const nonceKey = "REPRISE_NONCE"

// environment is what a pane's program gets: base without what must not be
// inherited, then spec.Env, then what says where it runs.
func environment(base []string, spec Spec) []string {
	env := slices.Clone(base)
	env = slices.DeleteFunc(env, func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return !slices.Contains(kept, key) && slices.ContainsFunc(dropped, func(name string) bool {
			prefix, isPrefix := strings.CutSuffix(name, "*")
			return key == name || isPrefix && strings.HasPrefix(key, prefix)
		})
	})
	env = append(env, spec.Env...)
	env = append(
		env,
		"TERM=xterm-256color",
		"COLORTERM=truecolor",
		"TERM_PROGRAM=Reprise",
		"REPRISE=1",
		"REPRISE_PANE="+string(spec.Pane),
		"REPRISE_TERMINAL="+string(spec.ID),
		nonceKey+"="+spec.Nonce,
	)
	if spec.Dir != "" {
		// A shell trusts PWD, if it leads to where it is, to keep a symbolic
		// link's name in its prompt.
		env = append(env, "PWD="+spec.Dir)
	}
	return lastWins(env)
}

// lastWins keeps the last entry of each key, in the order of the last ones. A last
// entry without = unsets its variable.
func lastWins(env []string) []string {
	seen := make(map[string]bool, len(env))
	out := make([]string, 0, len(env))
	for _, kv := range slices.Backward(env) {
		key, _, ok := strings.Cut(kv, "=")
		if key == "" || seen[key] {
			continue
		}
		seen[key] = true
		if ok {
			out = append(out, kv)
		}
	}
	slices.Reverse(out)
	return out
}

// lookEnv is the value of a key; the last entry counts.
func lookEnv(env []string, key string) (string, bool) {
	for _, kv := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(kv, key+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Environ is the environment in which programs are started from now on; what must
// not be inherited is taken out, and Spec.Env added, at each start.
func (h *Host) Environ() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.environ())
}

// environ is Environ; h.mu is held. The result is never written to.
func (h *Host) environ() []string {
	if h.env == nil {
		return os.Environ()
	}
	return h.env
}

// SetEnviron changes variables for the programs that are started from now on:
// KEY=value sets one, a bare KEY unsets it. Entries that no environment can hold
// are left out. A client that attaches later brings another SSH_AUTH_SOCK or
// DISPLAY.
func (h *Host) SetEnviron(changes []string) {
	changes = slices.DeleteFunc(slices.Clone(changes), func(kv string) bool { return strings.ContainsRune(kv, 0) })
	h.mu.Lock()
	defer h.mu.Unlock()
	h.env = lastWins(slices.Concat(h.environ(), changes))
}

func nonceIn(env []string) string {
	nonce, _ := lookEnv(env, nonceKey)
	return nonce
}

// splitNul splits what the system keeps as NUL-ended words.
func splitNul(b []byte) []string {
	b = bytes.TrimSuffix(b, []byte{0})
	if len(b) == 0 {
		return nil
	}
	return strings.Split(string(b), "\x00")
}
