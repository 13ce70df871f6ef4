package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"reprise/agent"
)

// applyBatch is how many hook events one transaction applies.
const applyBatch = 200

// pending are the hook events that an instance :owner has to take in: those of its
// own terminals, late ones of instances that are long swept, and those of no
// terminal at all.
const pending = ` FROM hook_events e LEFT JOIN terminals t ON t.nonce = e.nonce AND t.nonce <> ''
	WHERE t.id IS NULL OR t.instance = :owner OR t.instance IN (SELECT id FROM instances WHERE swept = 1)`

// ApplyHooks takes in hook events: see agent.Panes. It is the way to take in what
// a dead owner left, too, before its sweep. It returns the events that changed a
// binding, if only its last sign of life, in the order in which they were applied;
// all others are in the ledger.
func (d *DB) ApplyHooks(ctx context.Context, owner agent.InstanceID) ([]agent.Applied, error) {
	var all []agent.Applied
	spoolErr := d.takeSpool(ctx)
	for {
		// Asked first without the write lock: most of the time there is nothing.
		var some bool
		err := d.r.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1`+pending+`)`, sql.Named("owner", owner)).Scan(&some)
		if err != nil {
			return all, fmt.Errorf("look for hook events: %w", err)
		}
		if !some {
			break
		}
		var batch []agent.Applied
		err = d.write(ctx, func(tx *sql.Tx) (err error) {
			batch, err = d.applyBatch(ctx, tx, owner)
			return err
		})
		if err != nil {
			return all, fmt.Errorf("apply hook events: %w", err)
		}
		all = append(all, batch...)
	}
	if spoolErr != nil {
		return all, fmt.Errorf("take in the hook spool: %w", unsaved(spoolErr))
	}
	return all, nil
}

func (d *DB) applyBatch(ctx context.Context, tx *sql.Tx, owner agent.InstanceID) ([]agent.Applied, error) {
	events, err := collect(ctx, tx, func(s scanner) (e agent.HookEvent, err error) {
		err = s.Scan(&e.ID, &e.Nonce, &e.Kind, &e.What, &e.Session, &e.Reason, &e.Certain, into{&e.FiredAt}, &e.Depth)
		return e, err
	}, `SELECT e.id, e.nonce, e.kind, e.event, e.session, e.reason, e.certain, e.fired_at, e.depth`+pending+`
		ORDER BY e.fired_at, e.id LIMIT :limit`, sql.Named("owner", owner), sql.Named("limit", applyBatch))
	if err != nil {
		return nil, err
	}
	var applied []agent.Applied
	for _, e := range events {
		v, ok, err := d.applyOne(ctx, tx, e)
		if err != nil {
			return nil, fmt.Errorf("event %s of %s: %w", e.What, e.Kind, err)
		}
		if ok {
			applied = append(applied, agent.Applied{Event: e, Verdict: v})
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM hook_events WHERE id = ?`, e.ID); err != nil {
			return nil, err
		}
	}
	return applied, nil
}

// applyOne judges one event and writes the verdict. ok: the binding changed.
func (d *DB) applyOne(ctx context.Context, tx *sql.Tx, e agent.HookEvent) (v agent.Verdict, ok bool, err error) {
	n := agent.Note{At: e.FiredAt, Session: e.Session, What: "hook"}
	t, b, err := byNonce(ctx, tx, e.Nonce)
	switch {
	case err != nil:
		return v, false, err
	case b == nil:
		n.Terminal, n.Why = t.ID, describe(e, "no launch of an agent has its nonce")
		return v, false, note(ctx, tx, n)
	}
	n.Terminal = t.ID
	v = d.opt.Judge(e, t, *b, d.ownProcesses(b.Kind))
	if v.Rebind != "" && !v.Rebind.Valid() {
		v = agent.Verdict{Ignore: true, Why: "its session id is not one"}
	}
	if v.Ignore {
		n.Why = describe(e, v.Why)
		return v, false, note(ctx, tx, n)
	}
	w := &writer{ctx: ctx, tx: tx, event: e, id: t.ID}
	told, err := w.verdict(v)
	if err != nil {
		return v, false, err
	}
	if told != "" {
		if v.Why != "" {
			told += " (" + v.Why + ")"
		}
		n.Why = describe(e, told)
		err = note(ctx, tx, n)
	}
	return v, w.changed, err
}

func byNonce(ctx context.Context, q querier, nonce string) (t agent.Terminal, b *agent.Binding, err error) {
	var r terminalRow
	err = q.QueryRowContext(ctx, `SELECT `+terminalColumns+` FROM terminals t WHERE t.nonce = ? AND t.nonce <> ''`, nonce).Scan(r.dest()...)
	if errors.Is(err, sql.ErrNoRows) {
		return t, nil, nil
	}
	if err != nil {
		return t, nil, err
	}
	b, err = binding(ctx, q, r.ID)
	return r.value(), b, err
}

func (d *DB) ownProcesses(kind string) int {
	if d.opt.Kinds != nil {
		if k, ok := d.opt.Kinds.Kind(kind); ok {
			return k.Facts().OwnProcesses
		}
	}
	return 1
}

// describe is an event in the ledger's words.
func describe(e agent.HookEvent, why string) string {
	s := fmt.Sprintf("%s %s", e.Kind, e.What)
	if e.Reason != "" {
		s += " (" + e.Reason + ")"
	}
	return s + ": " + why
}
