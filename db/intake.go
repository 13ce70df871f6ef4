package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// Intake is the one short connection of the hook command: no migration, no check,
// no wait beyond 40 ms. Whatever fails, the caller spools.
type Intake struct{ pool *sql.DB }

// hooking is durable at the next commit of an owner or at a checkpoint: a hook
// must not wait for the disk, and a power cut takes the agent with it.
var hooking = url.Values{"_txlock": {"immediate"}, "_synchronous": {"NORMAL"}, "_busy_timeout": {"40"}}

// OpenIntake connects to the database of a state folder. The file has to be there.
func OpenIntake(dir string) (*Intake, error) {
	pool, err := connect(filepath.Join(dir, File), 1, hooking)
	if err != nil {
		return nil, err
	}
	return &Intake{pool}, nil
}

// Close ends the connection. A process that is about to exit may leave it out: the
// last connection to close writes the log into the database, and waits for the
// disk to do so.
func (i *Intake) Close() error { return i.pool.Close() }

// Process is the process of the terminal with a launch nonce; false: no terminal
// has it.
func (i *Intake) Process(ctx context.Context, nonce string) (p panes.ProcessID, ok bool, err error) {
	err = i.pool.QueryRowContext(ctx, `SELECT pid, start, boot FROM terminals WHERE nonce = ? AND nonce <> ''`, nonce).
		Scan(&p.PID, ticks{&p.Start}, &p.Boot)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return p, false, nil
	case err != nil:
		return p, false, fmt.Errorf("look up the terminal of a hook: %w", err)
	}
	return p, true, nil
}

// Record inserts one hook event.
func (i *Intake) Record(ctx context.Context, e agent.HookEvent) error {
	e, err := checked(e)
	if err == nil {
		err = insertEvent(ctx, i.pool, e)
	}
	if err != nil {
		return fmt.Errorf("record hook: %w", err)
	}
	return nil
}

// RecordHook records one hook event in the database of a state folder. After an
// error the caller spools the event.
func RecordHook(ctx context.Context, dir string, e agent.HookEvent) error {
	i, err := OpenIntake(dir)
	if err != nil {
		return err
	}
	return errors.Join(i.Record(ctx, e), i.Close())
}

// TerminalByNonce is Intake.Process on a connection of its own.
func TerminalByNonce(ctx context.Context, dir, nonce string) (panes.ProcessID, bool, error) {
	i, err := OpenIntake(dir)
	if err != nil {
		return panes.ProcessID{}, false, err
	}
	p, ok, err := i.Process(ctx, nonce)
	return p, ok, errors.Join(err, i.Close())
}

func insertEvent(ctx context.Context, q querier, e agent.HookEvent) error {
	_, err := q.ExecContext(ctx, `INSERT INTO hook_events (nonce, kind, event, session, reason, certain, fired_at, depth)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, e.Nonce, e.Kind, e.What, e.Session, e.Reason, e.Certain, e.FiredAt.UnixNano(), e.Depth)
	return err
}

// Bounds of a hook event, in bytes.
const (
	maxNonce  = 128
	maxKind   = 64
	maxReason = 64
	maxDepth  = 1 << 16 // more processes than any chain has
)

var hookWhats = map[agent.HookWhat]bool{
	agent.HookStart: true, agent.HookPrompt: true, agent.HookStop: true, agent.HookAsk: true,
	agent.HookAnswer: true, agent.HookWork: true, agent.HookFail: true, agent.HookRest: true,
	agent.HookGoodbye: true, agent.HookOther: true,
}

// checked refuses what cannot be recorded and cuts what is too long: events come
// from agents and, by the spool, from files.
func checked(e agent.HookEvent) (agent.HookEvent, error) {
	switch {
	case e.Nonce == "" || len(e.Nonce) > maxNonce:
		return e, fmt.Errorf("%w: nonce of %d bytes", ErrBadEvent, len(e.Nonce))
	case e.Kind == "" || len(e.Kind) > maxKind:
		return e, fmt.Errorf("%w: kind of %d bytes", ErrBadEvent, len(e.Kind))
	case !hookWhats[e.What]:
		return e, fmt.Errorf("%w: it tells nothing we know", ErrBadEvent)
	case e.Session != "" && !e.Session.Valid():
		return e, fmt.Errorf("%w: session id", ErrBadEvent)
	case e.FiredAt.Before(minTime) || e.FiredAt.After(maxTime):
		return e, fmt.Errorf("%w: time", ErrBadEvent)
	case e.Depth < agent.DepthBroken || e.Depth > maxDepth:
		return e, fmt.Errorf("%w: depth %d", ErrBadEvent, e.Depth)
	}
	e.Nonce, e.Kind, e.Reason = clip(e.Nonce, maxNonce), clip(e.Kind, maxKind), clip(e.Reason, maxReason)
	e.FiredAt = time.Unix(0, e.FiredAt.UnixNano()) // without the monotonic reading
	return e, nil
}
