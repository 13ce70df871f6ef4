package db

import (
	"context"
	"fmt"

	"reprise/agent"
	"reprise/agent/past"
)

// Standings tells of every session that a terminal of ours ever held what is known of
// it, one row for each (kind, home, session), in no order.
func (d *DB) Standings(ctx context.Context) ([]past.Standing, error) {
	// The row that counts comes last: see past.Standing.
	all, err := collect(ctx, d.r, func(s scanner) (p past.Standing, err error) {
		err = s.Scan(&p.Kind, &p.Home, textOf(&p.Session), &p.Dir, into{&p.Begun}, into{&p.Used}, &p.Prompted, &p.Unheard,
			textOf(&p.Reason), &p.Terminal, &p.Pane, textOf(&p.Workspace), &p.PID)
		return p, err
	}, `SELECT b.kind, b.home, b.session_id, b.dir, b.started_at, coalesce(b.last_event_at, b.ended_at, b.started_at), b.prompted,
			b.last_event IS NULL AND b.first_failed = 0, b.end_reason, b.terminal_id, t.pane, p.workspace, CASE WHEN b.end_reason IS NULL THEN t.pid ELSE 0 END
		FROM bindings b JOIN terminals t ON t.id = b.terminal_id LEFT JOIN panes p ON p.id = t.pane
		WHERE b.session_id IS NOT NULL
		ORDER BY b.end_reason IS NULL OR b.end_reason = 'resuming', b.started_at, b.terminal_id`)
	if err != nil {
		return nil, fmt.Errorf("look for sessions of our terminals: %w", err)
	}
	at := map[agent.Identity]int{}
	var one []past.Standing
	for _, p := range all {
		i, ok := at[p.Identity]
		if !ok {
			i = len(one)
			at[p.Identity], one = i, append(one, p)
			continue
		}
		was := one[i]
		p.Prompted, p.Unheard = p.Prompted || was.Prompted, p.Unheard || was.Unheard
		if was.Begun.Before(p.Begun) {
			p.Begun = was.Begun
		}
		if was.Used.After(p.Used) {
			p.Used = was.Used
		}
		one[i] = p
	}
	return one, nil
}
