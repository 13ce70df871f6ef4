package kinds

import (
	"strings"

	"reprise/agent"
)

// Quote makes s one word of a POSIX shell; fish reads the result the same way
// (codex runs hooks with the person's own shell).
func Quote(s string) string {
	if s == "" {
		return "''"
	}
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// hookPrefix is the shell command that calls us back, to which an event's name
// is added: resume.md §3, Intake. "" if hooks are not wanted.
func hookPrefix(h agent.HookCommand, kind string) string {
	if h.Program == "" {
		return ""
	}
	return strings.Join([]string{Quote(h.Program), "hook", Quote(h.State), Quote(kind), Quote(h.Nonce)}, " ")
}
