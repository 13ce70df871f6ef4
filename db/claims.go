package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"reprise/agent"
	"reprise/panes"
)

// Claim takes a candidate: see agent.Claims.
func (d *DB) Claim(ctx context.Context, c agent.ClaimRef) (agent.Candidate, bool, error) {
	var cand agent.Candidate
	ok := false
	err := d.write(ctx, func(tx *sql.Tx) error {
		var err error
		ok, err = changed(ctx, tx, `UPDATE bindings AS b SET end_reason = 'resuming', owner = :owner, token = :token, claimed_at = :at
			WHERE b.terminal_id = :t AND `+candidate,
			sql.Named("t", c.Terminal), sql.Named("owner", c.Owner), sql.Named("token", c.Token), sql.Named("at", nanos(c.At)))
		if err != nil {
			return err
		}
		if !ok {
			return note(ctx, tx, agent.Note{At: c.At, Terminal: c.Terminal, What: "lost", Why: "not a candidate (any more)"})
		}
		if cand, err = candidateOf(ctx, tx, c.Terminal); err != nil {
			return err
		}
		return note(ctx, tx, agent.Note{At: c.At, Terminal: c.Terminal, What: "claim", Why: "by " + string(c.Owner)})
	})
	if err != nil {
		return agent.Candidate{}, false, fmt.Errorf("claim %s: %w", c.Terminal, err)
	}
	return cand, ok, nil
}

func candidateOf(ctx context.Context, q querier, t panes.TerminalID) (agent.Candidate, error) {
	record, err := terminal(ctx, q, t)
	if err != nil {
		return agent.Candidate{}, err
	}
	b, err := binding(ctx, q, t)
	if err != nil {
		return agent.Candidate{}, err
	}
	return agent.Candidate{Binding: *b, Record: record}, nil
}

// Confirm consumes a claim and records the successor: see agent.Claims. A
// successor that was launched for another pane than its predecessor's gets that
// pane's pointer as well, through the chain, so that Repoint finds it.
func (d *DB) Confirm(ctx context.Context, c agent.Confirmation) (bool, error) {
	ok := false
	err := d.write(ctx, func(tx *sql.Tx) error {
		err := d.noteStore(ctx, tx, c.Binding.Kind, c.Binding.Home)
		if err != nil {
			return err
		}
		// Owner and token stay: Outcome reads the claim back by them.
		ok, err = changed(ctx, tx, `UPDATE bindings AS b SET end_reason = 'resumed', successor = :next
			WHERE b.terminal_id = :t AND `+isResuming+` AND b.token = :token`,
			sql.Named("t", c.Claim.Terminal), sql.Named("next", c.Successor.ID), sql.Named("token", c.Claim.Token))
		if err != nil {
			return err
		}
		if !ok {
			return note(ctx, tx, agent.Note{At: c.Claim.At, Terminal: c.Claim.Terminal, What: "lost", Why: "the claim is gone: ended by a person, or given back"})
		}
		return succeed(ctx, tx, c)
	})
	if err != nil {
		return false, fmt.Errorf("confirm %s: %w", c.Claim.Terminal, err)
	}
	return ok, nil
}

func succeed(ctx context.Context, tx *sql.Tx, c agent.Confirmation) error {
	if err := insertTerminal(ctx, tx, c.Successor); err != nil {
		return err
	}
	b := c.Binding
	b.Terminal, b.Predecessor = c.Successor.ID, c.Claim.Terminal
	if b.Started.IsZero() {
		b.Started = c.Successor.Created
	}
	if err := insertBinding(ctx, tx, b); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO panes (id, terminal_id, workspace)
		SELECT ?1, t.id, (SELECT p.workspace FROM panes p WHERE p.id = t.pane) FROM terminals t WHERE t.id = ?2 AND t.pane <> ?1
		ON CONFLICT DO NOTHING`, c.Successor.Pane, c.Claim.Terminal); err != nil {
		return err
	}
	return note(ctx, tx, agent.Note{At: c.Claim.At, Terminal: c.Claim.Terminal, What: "confirm", Why: "successor " + string(c.Successor.ID)})
}

// Unclaim gives a claim back: see agent.Claims.
func (d *DB) Unclaim(ctx context.Context, c agent.ClaimRef, why string) error {
	err := d.write(ctx, func(tx *sql.Tx) error {
		ok, err := changed(ctx, tx, `UPDATE bindings AS b SET end_reason = 'terminal-exited', owner = NULL, token = NULL, claimed_at = NULL
			WHERE b.terminal_id = :t AND `+isResuming+` AND b.token = :token`,
			sql.Named("t", c.Terminal), sql.Named("token", c.Token))
		if err != nil || !ok {
			return err
		}
		return note(ctx, tx, agent.Note{At: c.At, Terminal: c.Terminal, What: "unclaim", Why: why})
	})
	if err != nil {
		return fmt.Errorf("unclaim %s: %w", c.Terminal, err)
	}
	return nil
}

// Outcome reads a claim back by its token.
func (d *DB) Outcome(ctx context.Context, c agent.ClaimRef) (agent.ClaimOutcome, error) {
	var r agent.EndReason
	// Through the writer's connection, after whatever the writer still has under way.
	err := d.w.QueryRowContext(ctx, `SELECT end_reason FROM bindings WHERE terminal_id = ? AND token = ?`, c.Terminal, c.Token).Scan(textOf(&r))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return agent.ClaimLost, nil
	case err != nil:
		return agent.ClaimLost, fmt.Errorf("read back the claim of %s: %w", c.Terminal, err)
	}
	return map[agent.EndReason]agent.ClaimOutcome{
		agent.Resuming: agent.ClaimHeld, agent.Resumed: agent.ClaimConfirmed,
	}[r], nil // any other reason: the zero outcome, ClaimLost
}

// Holders lists every terminal whose binding has this session, newest first.
func (d *DB) Holders(ctx context.Context, id agent.Identity) ([]agent.Holder, error) {
	all, err := holders(ctx, d.r, isSession, identity(id)...)
	if err != nil {
		return nil, fmt.Errorf("list holders of session %s: %w", id.Session.Short(), err)
	}
	return all, nil
}

func holders(ctx context.Context, q querier, where string, args ...any) ([]agent.Holder, error) {
	return collect(ctx, q, func(s scanner) (h agent.Holder, err error) {
		var r terminalRow
		err = s.Scan(append(r.dest(), textOf(&h.Reason), &h.Kept, &h.Dismissed, textOf(&h.Workspace))...)
		h.Terminal = r.value()
		return h, err
	}, `SELECT `+terminalColumns+`, b.end_reason, `+candidate+` OR `+isUnsure+`, b.dismissed_at IS NOT NULL, p.workspace
		FROM bindings b JOIN terminals t ON t.id = b.terminal_id LEFT JOIN panes p ON p.id = t.pane
		WHERE `+where+` ORDER BY t.created_at DESC, t.id DESC`, args...)
}

// Candidates lists the bindings that may be resumed, the last used first.
func (d *DB) Candidates(ctx context.Context) ([]agent.Candidate, error) {
	all, err := collect(ctx, d.r, func(s scanner) (c agent.Candidate, err error) {
		var r terminalRow
		err = s.Scan(append(r.dest(), bindingDest(&c.Binding)...)...)
		c.Record = r.value()
		return c, err
	}, `SELECT `+terminalColumns+`, `+bindingColumns+` FROM bindings b JOIN terminals t ON t.id = b.terminal_id
		WHERE `+candidate+` ORDER BY coalesce(b.last_event_at, b.ended_at) DESC, t.id DESC`)
	if err != nil {
		return nil, fmt.Errorf("list candidates: %w", err)
	}
	return all, nil
}
