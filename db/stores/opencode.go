package stores

import (
	"encoding/json"
	"strings"

	"reprise/agent/past"
)

// OpenCode reads opencode's database: opencode.db in its folder of data. Its form was
// seen with 1.18.33. Subagents' sessions have a parent.
func OpenCode() past.Database {
	const last = `coalesce((SELECT m.time_updated FROM message m WHERE m.session_id = s.id ORDER BY m.time_created DESC, m.id DESC LIMIT 1), 0)`
	const parts = `SELECT m.time_created, CASE WHEN octet_length(m.data) <= ?2 THEN m.data END, CASE WHEN octet_length(p.data) <= ?2 THEN p.data END
		FROM message m JOIN part p ON p.message_id = m.id WHERE m.session_id = ?1`
	return conversations{
		list: `SELECT id, time_updated, ` + last + ` FROM session s WHERE parent_id IS NULL AND octet_length(id) <= ? ORDER BY time_updated DESC LIMIT ?`,
		one:  `SELECT directory, time_updated, ` + last + ` FROM session s WHERE id = ? AND octet_length(directory) <= ?`,
		head: parts + ` ORDER BY m.time_created, m.id, p.id LIMIT ?3`,
		tail: parts + ` ORDER BY m.time_created DESC, m.id DESC, p.id DESC LIMIT ?3`,
		says: openCodeText,
	}
}

// openCodeText is what a part of a message says; "" if it is no text, or if a program
// put it there.
func openCodeText(message, part []byte) (person bool, said string) {
	var m struct{ Role string }
	var p struct {
		Type, Text         string
		Synthetic, Ignored bool
	}
	if !strings.Contains(string(part), `"text"`) || json.Unmarshal(part, &p) != nil || p.Type != "text" || p.Synthetic || p.Ignored {
		return false, ""
	}
	if json.Unmarshal(message, &m) != nil || m.Role != "user" && m.Role != "assistant" {
		return false, ""
	}
	return m.Role == "user", p.Text
}
