package stores

import (
	"encoding/json"
	"strings"

	"reprise/agent/past"
)

// Crush reads crush's databases, of which each project has one: crush.db. Its form is
// that of crush's source; nothing was seen. Its times are seconds, or milliseconds, since
// 1970; sessions of subagents and of titles have a parent. Where its sessions were held
// it does not tell.
func Crush() past.Database {
	at := func(of string) string {
		return `CASE WHEN ` + of + ` < 100000000000 THEN ` + of + ` * 1000 ELSE ` + of + ` END`
	}
	last := `coalesce((SELECT max(` + at("m.created_at") + `) FROM messages m WHERE m.session_id = s.id), 0)`
	parts := `SELECT ` + at("created_at") + `, CASE WHEN octet_length(role) <= ?2 THEN role END, CASE WHEN octet_length(parts) <= ?2 THEN parts END
		FROM messages WHERE session_id = ?1`
	return conversations{
		list: `SELECT id, ` + at("updated_at") + `, ` + last + ` FROM sessions s WHERE parent_session_id IS NULL AND octet_length(id) <= ? ORDER BY updated_at DESC LIMIT ?`,
		one:  `SELECT '', ` + at("updated_at") + `, ` + last + ` FROM sessions s WHERE id = ?1 AND ?2 > 0`,
		head: parts + ` ORDER BY created_at, rowid LIMIT ?3`,
		tail: parts + ` ORDER BY created_at DESC, rowid DESC LIMIT ?3`,
		says: crushText,
	}
}

// crushText is what a message says: its parts that are text.
func crushText(role, content []byte) (person bool, said string) {
	if string(role) != "user" && string(role) != "assistant" {
		return false, ""
	}
	var parts []struct {
		Type string
		Data json.RawMessage
	}
	if json.Unmarshal(content, &parts) != nil {
		return false, ""
	}
	var all []string
	for _, p := range parts {
		var text struct{ Text string }
		if p.Type == "text" && json.Unmarshal(p.Data, &text) == nil && text.Text != "" {
			all = append(all, text.Text)
		}
	}
	return string(role) == "user", strings.Join(all, "\n")
}
