package stores

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"

	"reprise/agent"
	"reprise/agent/past"
)

const (
	// maxSessions bounds how many sessions are read of a database, the newest.
	maxSessions = 5000
	// maxCell bounds a value that is read, in bytes: a longer one is no text of a message.
	maxCell = 256 << 10
	maxID   = 128     // of a session's id
	maxDir  = 4 << 10 // of a directory
	// maxParts bounds how many parts of messages are looked at from either end.
	maxParts = 400
)

// OpenCode reads opencode's database: opencode.db in its folder of data. Its form was
// seen with 1.18.33.
type OpenCode struct{}

var _ past.Database = OpenCode{}

// List lists the sessions that a person began: a subagent's has a parent. Their marks
// tell when the session changed, and when its last message did.
func (OpenCode) List(path string) (all []past.Listed, err error) {
	err = read(path, func(ctx context.Context, tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT id, time_updated, `+openCodeLast+` FROM session s WHERE parent_id IS NULL AND octet_length(id) <= ? ORDER BY time_updated DESC LIMIT ?`, maxID, maxSessions)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id string
			var changed, last int64
			if err := rows.Scan(&id, &changed, &last); err != nil {
				return err
			}
			if one := agent.SessionID(id); one.Valid() {
				all = append(all, past.Listed{Session: one, Mark: past.Mark{Size: last, Time: nanos(changed)}})
			}
		}
		return rows.Err()
	})
	return all, err
}

// Read reads some of its sessions.
func (OpenCode) Read(path string, ids []agent.SessionID) (all []past.Conversation, err error) {
	err = read(path, func(ctx context.Context, tx *sql.Tx) error {
		session, err := tx.PrepareContext(ctx, `SELECT directory, max(time_updated, `+openCodeLast+`) FROM session s WHERE id = ? AND octet_length(directory) <= ?`)
		if err != nil {
			return err
		}
		defer func() { _ = session.Close() }()
		head, err := tx.PrepareContext(ctx, openCodeParts+` ORDER BY m.time_created, m.id, p.id LIMIT ?3`)
		if err != nil {
			return err
		}
		defer func() { _ = head.Close() }()
		tail, err := tx.PrepareContext(ctx, openCodeParts+` ORDER BY m.time_created DESC, m.id DESC, p.id DESC LIMIT ?3`)
		if err != nil {
			return err
		}
		defer func() { _ = tail.Close() }()
		for _, id := range ids {
			var dir string
			var changed int64
			err := session.QueryRowContext(ctx, string(id), maxDir).Scan(&dir, &changed)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			parts := func(from *sql.Stmt) func(see func(past.Message) bool) error {
				return func(see func(past.Message) bool) error { return openCodeSays(ctx, from, id, see) }
			}
			told, ok, err := past.Told(id, dir, millis(changed), parts(head), parts(tail))
			if err != nil {
				return err
			}
			if ok {
				all = append(all, told)
			}
		}
		return nil
	})
	return all, err
}

// openCodeLast is when a session's last message changed.
const openCodeLast = `coalesce((SELECT m.time_updated FROM message m WHERE m.session_id = s.id ORDER BY m.time_created DESC, m.id DESC LIMIT 1), 0)`

// openCodeParts are the parts of a session's messages. What is too long stands as NULL:
// its length is known without reading it.
const openCodeParts = `SELECT m.time_created,
		CASE WHEN octet_length(m.data) <= ?2 THEN m.data END, CASE WHEN octet_length(p.data) <= ?2 THEN p.data END
	FROM message m JOIN part p ON p.message_id = m.id WHERE m.session_id = ?1`

func openCodeSays(ctx context.Context, from *sql.Stmt, id agent.SessionID, see func(past.Message) bool) error {
	rows, err := from.QueryContext(ctx, string(id), maxCell, maxParts)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var at int64
		var message, part sql.RawBytes
		if err := rows.Scan(&at, &message, &part); err != nil {
			return err
		}
		m := past.Message{At: millis(at), Size: len(message) + len(part)}
		m.Person, m.Text = openCodeText(message, part)
		if !see(m) {
			return nil
		}
	}
	return rows.Err()
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
