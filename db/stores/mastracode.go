package stores

import (
	"encoding/json"
	"strings"

	"reprise/agent/past"
)

// Mastracode reads mastracode's database: mastra.db in its folder of data. Its form was
// seen with 0.32.1: times are text, what is known of a thread is JSON in SQLite's own
// binary form, and a message of the person's is a signal of the type user.
func Mastracode() past.Database {
	millis := func(at string) string {
		return `coalesce(CAST(round(unixepoch(` + at + `, 'subsec') * 1000) AS INTEGER), 0)`
	}
	last := `coalesce((SELECT ` + millis("m.createdAt") + ` FROM mastra_messages m WHERE m.thread_id = t.id ORDER BY m.createdAt DESC LIMIT 1), 0)`
	const dir = `CASE WHEN octet_length(metadata) <= 65536 AND json_valid(metadata, 9) THEN coalesce(json_extract(metadata, '$.projectPath'), '') ELSE '' END`
	parts := `SELECT ` + millis("createdAt") + `, CASE WHEN octet_length(role) + octet_length(type) <= ?2 THEN role || ' ' || type END,
		CASE WHEN octet_length(content) <= ?2 THEN content END FROM mastra_messages WHERE thread_id = ?1`
	return conversations{
		list: `SELECT id, ` + millis("updatedAt") + `, ` + last + ` FROM mastra_threads t WHERE octet_length(id) <= ? ORDER BY updatedAt DESC LIMIT ?`,
		one:  `SELECT iif(octet_length(` + dir + `) <= ?2, ` + dir + `, ''), ` + millis("updatedAt") + `, ` + last + ` FROM mastra_threads t WHERE id = ?1`,
		head: parts + ` ORDER BY createdAt, id LIMIT ?3`,
		tail: parts + ` ORDER BY createdAt DESC, id DESC LIMIT ?3`,
		says: mastracodeText,
	}
}

// mastracodeText is what a message says: its parts that are text. Its first word is the
// role, its second the type.
func mastracodeText(message, content []byte) (person bool, said string) {
	role, kind, _ := strings.Cut(string(message), " ")
	person = role == "user" || role == "signal" && kind == "user"
	var m struct{ Parts json.RawMessage }
	if !person && role != "assistant" || json.Unmarshal(content, &m) != nil {
		return false, ""
	}
	return person, past.Text(m.Parts)
}
