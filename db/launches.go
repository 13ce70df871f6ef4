package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"reprise/agent"
	"reprise/panes"
)

// Origin is how a session was held last: see agent.Launches.
func (d *DB) Origin(ctx context.Context, id agent.Identity) (o agent.Origin, found bool, err error) {
	err = d.r.QueryRowContext(ctx, `SELECT b.kind, b.home, b.dir, b.flags, b.env FROM bindings b
		WHERE b.kind = ? AND b.home = ? AND b.session_id = ? ORDER BY b.started_at DESC, b.terminal_id DESC LIMIT 1`,
		id.Kind, id.Home, id.Session).Scan(&o.Kind, &o.Home, &o.Dir, list{&o.Flags}, list{&o.Env})
	if errors.Is(err, sql.ErrNoRows) {
		return agent.Origin{}, false, nil
	}
	if err != nil {
		return agent.Origin{}, false, fmt.Errorf("look how session %s was held: %w", id.Session.Short(), err)
	}
	return o, true, nil
}

// Told is the session that the agent of a launch has by its own word: see agent.Launches.
// While a word of it is not taken in yet it has none: that may tell of another one.
func (d *DB) Told(ctx context.Context, nonce string) (p panes.ProcessID, s agent.SessionID, err error) {
	err = d.r.QueryRowContext(ctx, `SELECT t.pid, t.start, t.boot, b.session_id FROM terminals t JOIN bindings b ON b.terminal_id = t.id
		WHERE t.nonce = ? AND t.nonce <> '' AND t.status = 'active' AND `+isLive+` AND b.session_at IS NOT NULL AND b.pinned_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM hook_events h WHERE h.nonce = t.nonce)`,
		nonce).Scan(&p.PID, ticks{&p.Start}, &p.Boot, textOf(&s))
	if errors.Is(err, sql.ErrNoRows) {
		return panes.ProcessID{}, "", nil
	}
	if err != nil {
		return panes.ProcessID{}, "", fmt.Errorf("look which session a launch has: %w", err)
	}
	return p, s, nil
}

// BeginSole records a launch of a session that is nobody's: see agent.Launches. The
// transaction holds the write lock from its beginning, so no other one's start, claim
// or revival comes between the look and the record.
func (d *DB) BeginSole(ctx context.Context, t agent.Terminal, b agent.Binding) (bool, error) {
	taken := false
	err := d.write(ctx, func(tx *sql.Tx) error {
		if err := d.noteStore(ctx, tx, b.Kind, b.Home); err != nil {
			return err
		}
		id := agent.Identity{Kind: b.Kind, Home: b.Home, Session: b.Session}
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM bindings b
			WHERE `+isSession+` AND (`+isLive+` OR `+isResuming+`))`, identity(id)...).Scan(&taken)
		if err != nil || taken {
			return err
		}
		return begin(ctx, tx, t, &b)
	})
	if err != nil {
		return false, fmt.Errorf("record terminal %s: %w", t.ID, err)
	}
	return !taken, nil
}
