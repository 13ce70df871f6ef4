package kinds

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf8"

	"reprise/agent"
)

// codexEvents are the events that call us: codex's name, its name in the key of
// the list of trusted hooks, ours.
var codexEvents = []struct {
	name, key string
	what      agent.HookWhat
}{
	{"SessionStart", "session_start", agent.HookStart},
	{"UserPromptSubmit", "user_prompt_submit", agent.HookPrompt},
	{"Stop", "stop", agent.HookStop},
	{"PermissionRequest", "permission_request", agent.HookAsk},
	{"PostToolUse", "post_tool_use", agent.HookWork}, // nothing else tells that a permission was given
}

// codexHooks are the -c overrides that have codex call us, and trust exactly
// these calls for this one launch: without a listed hash codex asks the person to
// review them. Any -c also keeps codex in one process: its shared server would go
// on with a turn after the terminal died, and run the hooks with another's
// environment.
func codexHooks(in agent.LaunchInput, p []argument) (args []string, notice string) {
	const lone = "features.daemon_auto_start=false"
	prefix := hookPrefix(in.Hook, "codex")
	switch {
	case prefix == "":
		return []string{"-c", lone}, ""
	case overridesHooks(p):
		return []string{"-c", lone}, noCodexHooks("its -c options set hooks of their own")
	case !utf8.ValidString(prefix) || strings.Contains(prefix, "\x7f"): // TOML takes neither
		return []string{"-c", lone}, noCodexHooks("the path of the state folder is not plain UTF-8")
	}
	trust := make([]string, 0, len(codexEvents))
	for _, e := range codexEvents {
		cmd := literal(prefix + " " + e.name)
		args = append(args, "-c", fmt.Sprintf(`hooks.%s=[{hooks=[{type="command",command=%s,timeout=%d}]}]`, e.name, cmd, hookTimeout))
		trust = append(trust, fmt.Sprintf(`"/<session-flags>/config.toml:%s:0:0"={trusted_hash="sha256:%s"}`, e.key, trustHash(e.key, cmd)))
	}
	return append(args, "-c", "hooks.state={"+strings.Join(trust, ",")+"}"), ""
}

func noCodexHooks(why string) string {
	return "codex runs without Reprise's hooks (" + why + "): it cannot come back by itself."
}

// trustHash is the hash by which codex knows a hook: of its definition as JSON
// with sorted keys and no spaces.
func trustHash(key, command string) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil,
		`{"event_name":"%s","hooks":[{"async":false,"command":%s,"timeout":%d,"type":"command"}]}`, key, command, hookTimeout)))
}

// overridesHooks reports whether the person's own -c options speak of hooks:
// there a second definition replaces the first.
func overridesHooks(p []argument) bool {
	for _, a := range p {
		if a.name != "-c" && a.name != "--config" {
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
