package kinds

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"reprise/agent"
)

// codexForm are the events that call us.
func codexForm() []event {
	return []event{
		{name: "SessionStart", what: agent.HookStart, reason: "source"},
		{name: "UserPromptSubmit", what: agent.HookPrompt},
		{name: "Stop", what: agent.HookStop},
		{name: "PermissionRequest", what: agent.HookAsk},
		{name: "PostToolUse", what: agent.HookWork}, // nothing else tells that a permission was given
	}
}

// snake is an event's name in the key of the list of trusted hooks: session_start.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// codexHooks are the -c overrides that have codex call us, and trust exactly
// these calls for this one launch: without a listed hash codex asks the person to
// review them. Any -c also keeps codex in one process: its shared server would go
// on with a turn after the terminal died, and run the hooks with another's
// environment.
func codexHooks(k *program, in agent.LaunchInput, p []argument) injection {
	lone := []string{k.hooks.at, "features.daemon_auto_start=false"}
	prefix := hookPrefix(in.Hook, k.facts.Name)
	switch {
	case prefix == "":
		return injection{args: lone}
	case overridesHooks(p, k.hooks.at):
		return injection{args: lone, notice: withoutHooks(k, "its "+k.hooks.at+" options set hooks of their own")}
	case !utf8.ValidString(prefix) || strings.Contains(prefix, "\x7f"): // TOML takes neither
		return injection{args: lone, notice: withoutHooks(k, "the path of the state folder is not plain UTF-8")}
	}
	var args []string
	trust := make([]string, 0, len(k.events))
	for _, e := range slices.SortedFunc(slices.Values(k.events), func(a, b event) int { return strings.Compare(a.name, b.name) }) {
		cmd := literal(prefix + " " + e.name)
		args = append(args, k.hooks.at, fmt.Sprintf(`hooks.%s=[{hooks=[{type="command",command=%s,timeout=%d}]}]`, e.name, cmd, hookTimeout))
		trust = append(trust, fmt.Sprintf(`"/<session-flags>/config.toml:%s:0:0"={trusted_hash="sha256:%s"}`, snake(e.name), trustHash(snake(e.name), cmd)))
	}
	return injection{args: append(args, k.hooks.at, "hooks.state={"+strings.Join(trust, ",")+"}")}
}

// trustHash is the hash by which codex knows a hook: of its definition as JSON
// with sorted keys and no spaces.
func trustHash(key, command string) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil,
		`{"event_name":"%s","hooks":[{"async":false,"command":%s,"timeout":%d,"type":"command"}]}`, key, command, hookTimeout)))
}

// overridesHooks reports whether the person's own -c options speak of hooks:
// there a second definition replaces the first.
func overridesHooks(p []argument, at string) bool {
	for _, a := range p {
		if a.name != at && a.name != "--config" {
			continue
		}
		key, _, _ := strings.Cut(a.value, "=")
		table, _, _ := strings.Cut(strings.TrimSpace(key), ".")
		if strings.Trim(table, `"' `) == "hooks" {
			return true
		}
	}
	return false
}

// literal writes s as a string that is the same in TOML and in the JSON which
// codex hashes: only what both must escape is escaped, in the way of serde_json.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
