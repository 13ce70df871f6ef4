package stores

import (
	"context"
	"database/sql"
	"errors"

	"reprise/agent"
	"reprise/agent/past"
)

const (
	// maxSessions bounds how many sessions are read of a database, the newest.
	maxSessions = 5000
	// maxCell bounds a value that is read, in bytes: a longer one is no text of a message.
	// It stands as NULL, for its length is known without reading it.
	maxCell = 256 << 10
	maxID   = 128     // of a session's id
	maxDir  = 4 << 10 // of a directory
	// maxParts bounds how many parts of messages are looked at from either end.
	maxParts = 400
)

// conversations is a form in which an agent keeps its conversations in a database: how
// they are asked for. Times are in milliseconds since 1970.
type conversations struct {
	// list: id, when it changed, when its last message did; of at most ?2 of them, with ids
	// of at most ?1 bytes, the last used first.
	list string
	// one: directory, of at most ?2 bytes, when it changed, when its last message did; of
	// session ?1.
	one string
	// head and tail: time, message and part, each of at most ?2 bytes or NULL; of at most ?3
	// parts of session ?1, from the first on and from the last on.
	head, tail string
	says       func(message, part []byte) (person bool, said string)
}

func (c conversations) List(path string, alive func()) (all []past.Listed, err error) {
	err = read(path, func(ctx context.Context, tx *sql.Tx) error {
		alive()
		return each(ctx, tx, func(scan func(...any) error) error {
			alive()
			var id string
			var changed, last number
			if err := scan(&id, &changed, &last); err != nil {
				return err
			}
			if one := agent.SessionID(id); one.Valid() {
				all = append(all, past.Listed{Session: one, Mark: past.Mark{Size: int64(last), Time: nanos(changed)}})
			}
			return nil
		}, c.list, maxID, maxSessions)
	})
	return all, err
}

// Read leaves out a session that cannot be read beside others that can: a damaged one
// hides no other.
func (c conversations) Read(path string, ids []agent.SessionID, alive func()) (all []past.Conversation, err error) {
	err = read(path, func(ctx context.Context, tx *sql.Tx) error {
		alive()
		one, err := tx.PrepareContext(ctx, c.one)
		if err != nil {
			return err
		}
		defer func() { _ = one.Close() }()
		head, err := tx.PrepareContext(ctx, c.head)
		if err != nil {
			return err
		}
		defer func() { _ = head.Close() }()
		tail, err := tx.PrepareContext(ctx, c.tail)
		if err != nil {
			return err
		}
		defer func() { _ = tail.Close() }()
		q := compiled{one, head, tail, c.says, alive}
		var failed error
		for _, id := range ids {
			told, ok, err := q.read(ctx, id)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				failed = err
			case ok:
				all = append(all, told)
			}
		}
		if len(all) == 0 {
			return failed
		}
		return nil
	})
	return all, err
}

// compiled is what is asked of each session.
type compiled struct {
	one, head, tail *sql.Stmt
	says            func(message, part []byte) (person bool, said string)
	alive           func()
}

// read reads one session; ok is false if it is gone, or is no conversation.
func (q compiled) read(ctx context.Context, id agent.SessionID) (told past.Conversation, ok bool, err error) {
	q.alive()
	var dir string
	var changed, last number
	err = q.one.QueryRowContext(ctx, string(id), maxDir).Scan(&dir, &changed, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return told, false, nil
	}
	if err != nil {
		return told, false, err
	}
	parts := func(from *sql.Stmt) func(see func(past.Message) bool) error {
		return func(see func(past.Message) bool) error { return q.parts(ctx, from, id, see) }
	}
	used := millis(changed)
	if at := millis(last); at.After(used) {
		used = at
	}
	return past.Told(id, dir, used, parts(q.head), parts(q.tail))
}

func (q compiled) parts(ctx context.Context, from *sql.Stmt, id agent.SessionID, see func(past.Message) bool) error {
	rows, err := from.QueryContext(ctx, string(id), maxCell, maxParts)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		q.alive()
		var at number
		var message, part sql.RawBytes
		if err := rows.Scan(&at, &message, &part); err != nil {
			return err
		}
		m := past.Message{At: millis(at), Size: len(message) + len(part)}
		m.Person, m.Text = q.says(message, part)
		if !see(m) {
			return nil
		}
	}
	return rows.Err()
}

// number is a whole number in a row: SQLite lets anything stand in its place, which is 0.
type number int64

// Scan implements sql.Scanner.
func (n *number) Scan(v any) error {
	whole, _ := v.(int64)
	*n = number(whole)
	return nil
}
