package stores

import "reprise/agent/past"

// Goose reads goose's database: sessions.db in its folder of data. Its form is that
// which others that read it document (1.43 to 1.46); nothing was seen. Its times are
// seconds, or milliseconds, since 1970.
func Goose() past.Database {
	const at = `CASE WHEN created_timestamp < 100000000000 THEN created_timestamp * 1000 ELSE created_timestamp END`
	const last = `coalesce((SELECT max(` + at + `) FROM messages m WHERE m.session_id = s.id), 0)`
	const parts = `SELECT ` + at + `, CASE WHEN octet_length(role) <= ?2 THEN role END, CASE WHEN octet_length(content_json) <= ?2 THEN content_json END
		FROM messages WHERE session_id = ?1 AND CASE WHEN json_valid(metadata_json) THEN coalesce(json_extract(metadata_json, '$.userVisible'), 1) ELSE 1 END`
	return conversations{
		list: `SELECT id, coalesce(unixepoch(updated_at), 0) * 1000, ` + last + ` FROM sessions s
			WHERE session_type = 'user' AND octet_length(id) <= ? ORDER BY updated_at DESC LIMIT ?`,
		one:  `SELECT working_dir, coalesce(unixepoch(updated_at), 0) * 1000, ` + last + ` FROM sessions s WHERE id = ? AND octet_length(working_dir) <= ?`,
		head: parts + ` ORDER BY created_timestamp, id LIMIT ?3`,
		tail: parts + ` ORDER BY created_timestamp DESC, id DESC LIMIT ?3`,
		says: gooseText,
	}
}

// gooseText is what a message says: its parts that are text.
func gooseText(role, content []byte) (person bool, said string) {
	if string(role) != "user" && string(role) != "assistant" {
		return false, ""
	}
	return string(role) == "user", past.Text(content)
}
