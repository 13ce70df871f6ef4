package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// querier is a transaction or the pool of readers.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// scanner is a row, or the present one of several.
type scanner interface{ Scan(dest ...any) error }

// nanos is a time as it is stored: nanoseconds since 1970, NULL for the zero time.
func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// The first and last time that fit in int64 nanoseconds, with a margin.
var (
	minTime = time.Unix(0, 0)
	maxTime = time.Unix(math.MaxInt64/int64(time.Second)-1, 0)
)

// into scans a stored time.
type into struct{ t *time.Time }

func (i into) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*i.t = time.Time{}
	case int64:
		*i.t = time.Unix(0, v)
	default:
		return fmt.Errorf("time is stored as %T", src)
	}
	return nil
}

// text scans a column that is NULL for "".
type text[T ~string] struct{ s *T }

func (x text[T]) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*x.s = ""
	case string:
		*x.s = T(v)
	default:
		return fmt.Errorf("text is stored as %T", src)
	}
	return nil
}

func textOf[T ~string](s *T) text[T] { return text[T]{s} }

// null is a text that is stored as NULL when empty.
func null[T ~string](s T) any {
	if s == "" {
		return nil
	}
	return string(s)
}

// list scans a JSON array of strings.
type list struct{ s *[]string }

func (l list) Scan(src any) error {
	v, ok := src.(string)
	if !ok {
		return fmt.Errorf("list is stored as %T", src)
	}
	return json.Unmarshal([]byte(v), l.s)
}

// array is a list of strings as it is stored.
func array(s []string) string {
	if len(s) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(s) // strings always marshal
	return string(b)
}

// process start times are unsigned and stored bit for bit.
type ticks struct{ n *uint64 }

func (t ticks) Scan(src any) error {
	v, ok := src.(int64)
	if !ok {
		return fmt.Errorf("start time is stored as %T", src)
	}
	*t.n = uint64(v)
	return nil
}

const terminalColumns = `t.id, t.pane, t.dir, t.argv, t.env, t.nonce, t.pid, t.start, t.boot, t.instance,
	t.gate_open, t.status, t.exit_status, t.exit_signal, t.created_at, t.ended_at, t.dispose_requested_at, t.shell`

// terminalRow is a terminal on its way out of the database.
type terminalRow struct {
	agent.Terminal
	status, signal sql.NullInt64
}

func (r *terminalRow) dest() []any {
	t := &r.Terminal
	return []any{
		&t.ID, &t.Pane, &t.Dir,
		list{&t.Argv},
		list{&t.Env},
		&t.Nonce, &t.Process.PID,
		ticks{&t.Process.Start},
		&t.Process.Boot, &t.Instance, &t.GateOpen, &t.Status, &r.status, &r.signal,
		into{&t.Created},
		into{&t.Ended},
		into{&t.DisposeRequested},
		textOf(&t.Shell),
	}
}

func (r *terminalRow) value() agent.Terminal {
	if r.status.Valid {
		r.Exit = &panes.Exit{Status: int(r.status.Int64), Signal: int(r.signal.Int64)}
	}
	return r.Terminal
}

const bindingColumns = `b.terminal_id, b.kind, b.home, b.session_id, b.prompted, b.first_failed, b.dir, b.flags, b.env,
	b.predecessor, b.started_at, b.last_event, b.last_event_at, b.ended_at, b.end_reason, b.unsure, b.owner, b.token,
	b.claimed_at, b.successor, b.attempts, b.first_death, b.next_attempt, b.dismissed_at, b.pinned_at IS NOT NULL, b.before_pin`

func bindingDest(b *agent.Binding) []any {
	return []any{
		&b.Terminal, &b.Kind, &b.Home, textOf(&b.Session), &b.Prompted, &b.FirstFailed, &b.Dir,
		list{&b.Flags},
		list{&b.Env},
		textOf(&b.Predecessor),
		into{&b.Started},
		textOf(&b.LastEvent),
		into{&b.LastEventAt},
		into{&b.Ended},
		textOf(&b.Reason), &b.Unsure, textOf(&b.Owner), textOf(&b.Token),
		into{&b.ClaimedAt},
		textOf(&b.Successor), &b.Attempts,
		into{&b.FirstDeath},
		into{&b.NextAttempt},
		into{&b.Dismissed},
		&b.Pinned,
		textOf(&b.BeforePin),
	}
}

// terminal reads one terminal; ErrNoTerminal if it is not there.
func terminal(ctx context.Context, q querier, id panes.TerminalID) (agent.Terminal, error) {
	var r terminalRow
	err := q.QueryRowContext(ctx, `SELECT `+terminalColumns+` FROM terminals t WHERE t.id = ?`, id).Scan(r.dest()...)
	if errors.Is(err, sql.ErrNoRows) {
		return agent.Terminal{}, ErrNoTerminal
	}
	return r.value(), err
}

// binding reads a terminal's binding, nil if it has none.
func binding(ctx context.Context, q querier, id panes.TerminalID) (*agent.Binding, error) {
	b := new(agent.Binding)
	err := q.QueryRowContext(ctx, `SELECT `+bindingColumns+` FROM bindings b WHERE b.terminal_id = ?`, id).Scan(bindingDest(b)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return b, err
}

// column reads one column of all rows.
func column[T any](ctx context.Context, q querier, query string, args ...any) ([]T, error) {
	return collect(ctx, q, func(s scanner) (v T, err error) {
		err = s.Scan(&v)
		return v, err
	}, query, args...)
}

// collect reads all rows.
func collect[T any](ctx context.Context, q querier, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if p, ok := q.(pool); ok {
		p.ground.heed(rows.Err())
	}
	return all, rows.Err()
}

// changed runs a statement and reports whether it changed a row.
func changed(ctx context.Context, q querier, query string, args ...any) (bool, error) {
	r, err := q.ExecContext(ctx, query, args...)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

func insertTerminal(ctx context.Context, q querier, t agent.Terminal) error {
	var status, signal any
	if t.Exit != nil {
		status, signal = t.Exit.Status, t.Exit.Signal
	}
	if t.Status == "" {
		t.Status = agent.TerminalActive
	}
	_, err := q.ExecContext(ctx, `INSERT INTO terminals (id, pane, dir, argv, env, nonce, pid, start, boot, instance, gate_open,
		status, exit_status, exit_signal, created_at, ended_at, dispose_requested_at, shell)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		t.ID, t.Pane, t.Dir, array(t.Argv), array(t.Env), t.Nonce, t.Process.PID, int64(t.Process.Start), t.Process.Boot,
		t.Instance, t.GateOpen, t.Status, status, signal, nanos(t.Created), nanos(t.Ended), nanos(t.DisposeRequested),
		null(t.Shell))
	return err
}

func insertBinding(ctx context.Context, q querier, b agent.Binding) error {
	_, err := q.ExecContext(ctx, `INSERT INTO bindings (terminal_id, kind, home, session_id, prompted, first_failed, dir, flags,
		env, predecessor, started_at, last_event, last_event_at, attempts, first_death, next_attempt)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		b.Terminal, b.Kind, b.Home, null(b.Session), b.Prompted, b.FirstFailed, b.Dir, array(b.Flags), array(b.Env),
		null(b.Predecessor), nanos(b.Started), null(b.LastEvent), nanos(b.LastEventAt), b.Attempts, nanos(b.FirstDeath),
		nanos(b.NextAttempt))
	return err
}
