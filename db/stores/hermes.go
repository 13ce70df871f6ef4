package stores

import (
	"strings"

	"reprise/agent/past"
)

// Hermes reads hermes' database: state.db in its home. Its form is that of the source of
// 2026 (version 30 of its schema); nothing was seen. Its times are seconds since 1970.
//
// A conversation that it compacts goes on under another id, whose session begins when
// its parent has ended; a session that begins while its parent goes on is a subagent's.
// Columns that older versions lack are looked up in a subquery: where the table has
// none of that name, the one of defaults stands for it.
func Hermes() past.Database {
	const defaults = `(SELECT NULL AS cwd, 0 AS hidden, 1 AS active, 0 AS compacted, '' AS display_kind)`
	const begun = `CAST(max(s.started_at, coalesce(s.ended_at, 0)) * 1000 AS INTEGER)`
	const last = `coalesce((SELECT CAST(max(m.timestamp) * 1000 AS INTEGER) FROM messages m WHERE m.session_id = s.id), 0)`
	const dir = `(SELECT cwd FROM sessions t WHERE t.id = s.id)`
	const parts = `SELECT CAST(m.timestamp * 1000 AS INTEGER), CASE WHEN octet_length(m.role) <= ?2 THEN m.role END, CASE WHEN octet_length(m.content) <= ?2 THEN m.content END
		FROM ` + defaults + `, messages m WHERE m.session_id = ?1
			AND (SELECT (active = 1 OR compacted = 1) AND coalesce(display_kind, '') <> 'hidden' FROM messages v WHERE v.id = m.id)`
	return conversations{
		list: `SELECT s.id, ` + begun + ` AS begun, ` + last + ` AS last FROM ` + defaults + `, sessions s
			WHERE octet_length(s.id) <= ? AND s.source NOT IN ('cron', 'tool', 'subagent') AND NOT (SELECT hidden = 1 FROM sessions t WHERE t.id = s.id)
				AND (s.parent_session_id IS NULL OR EXISTS (SELECT 1 FROM sessions p WHERE p.id = s.parent_session_id AND p.ended_at <= s.started_at))
			ORDER BY max(begun, last) DESC LIMIT ?`,
		one: `SELECT coalesce(` + dir + `, ''), ` + begun + `, ` + last + ` FROM ` + defaults + `, sessions s
			WHERE s.id = ? AND coalesce(octet_length(` + dir + `), 0) <= ?`,
		head: parts + ` ORDER BY m.id LIMIT ?3`,
		tail: parts + ` ORDER BY m.id DESC LIMIT ?3`,
		says: hermesText,
	}
}

// hermesText is what a message says: text, or behind a mark a list of parts.
func hermesText(role, content []byte) (person bool, said string) {
	said = string(content)
	for _, mark := range []string{"\x00json:", "\x01json:"} {
		if parts, ok := strings.CutPrefix(said, mark); ok {
			said = past.Text([]byte(parts))
		}
	}
	switch string(role) {
	case "user":
		return true, said
	case "assistant":
		return false, said
	}
	return false, ""
}
