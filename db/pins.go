package db

import (
	"context"
	"database/sql"
	"fmt"

	"reprise/agent"
)

// pinnable is a binding b whose session a person may say: its agent runs, or its
// terminal died under it, and nobody asked for its end.
const pinnable = `(` + isLive + ` OR ` + isExited + `)
	AND NOT EXISTS (SELECT 1 FROM terminals d WHERE d.id = b.terminal_id AND d.dispose_requested_at IS NOT NULL)`

// vacant says that no other binding than b, alive or claimed, has a session.
func vacant(session string) string {
	return `NOT EXISTS (SELECT 1 FROM bindings o WHERE o.session_id = ` + session + ` AND ` + inOneStore + `
		AND o.terminal_id <> b.terminal_id AND (o.end_reason IS NULL OR o.end_reason = 'resuming'))`
}

// pinned says the session that a person names; what was known before is kept once.
// What failed so far failed with another session.
var pinned = `UPDATE bindings AS b SET
		before_pin = CASE WHEN b.pinned_at IS NULL THEN b.session_id ELSE b.before_pin END,
		prompted = :prompted OR (b.prompted = 1 AND b.session_id IS :session),
		session_id = :session, session_at = :at, pinned_at = :at, first_failed = 0, dismissed_at = NULL, ` + proven + `
	WHERE b.terminal_id = :t AND ` + pinnable + ` AND ` + vacant(":session")

// unpinned takes that back. Whether anything was said in the session of before is
// asked of its transcript.
var unpinned = `UPDATE bindings AS b SET
		session_id = b.before_pin, session_at = NULL, prompted = 0, pinned_at = NULL, before_pin = NULL
	WHERE b.terminal_id = :t AND b.pinned_at IS NOT NULL AND ` + pinnable + ` AND ` + vacant("b.before_pin")

// Pin binds a session because a person says so: see agent.Pins.
func (d *DB) Pin(ctx context.Context, p agent.PinRequest) (agent.PinOutcome, error) {
	out, err := d.say(ctx, p, pinned, agent.Note{What: "pin", Session: p.Session, Why: "a person says that this is the session"},
		sql.Named("session", p.Session), sql.Named("prompted", p.Prompted))
	if err != nil {
		return out, fmt.Errorf("pin session %s: %w", p.Session.Short(), err)
	}
	return out, nil
}

// Unpin takes a pin back: see agent.Pins.
func (d *DB) Unpin(ctx context.Context, p agent.PinRequest) (agent.PinOutcome, error) {
	out, err := d.say(ctx, p, unpinned, agent.Note{What: "unpin", Why: "a person takes back what they said of the session"})
	if err != nil {
		return out, fmt.Errorf("unpin the session of %s: %w", p.Terminal, err)
	}
	return out, nil
}

// say changes a binding's session as a person says. If it was not changed, it looks in
// the same transaction who has that session.
func (d *DB) say(ctx context.Context, p agent.PinRequest, change string, n agent.Note, args ...any) (out agent.PinOutcome, err error) {
	at := nanos(p.At)
	err = d.write(ctx, func(tx *sql.Tx) error {
		args := append([]any{sql.Named("t", p.Terminal), sql.Named("at", at)}, args...)
		if out.Done, err = changed(ctx, tx, change, args...); err != nil {
			return err
		}
		b, err := binding(ctx, tx, p.Terminal)
		if err != nil || b == nil {
			return err
		}
		if out.Done {
			out.Session = b.Session
			n.At, n.Terminal = p.At, p.Terminal
			return note(ctx, tx, n)
		}
		want := p.Session
		if want == "" {
			want = b.BeforePin
		}
		out.Held, err = holderOf(ctx, tx, b.Origin, want, p.Terminal)
		return err
	})
	return out, err
}
