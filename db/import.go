package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"reprise/agent"
)

// Import is a workspace that another program had.
type Import struct {
	Name   string // taken if it is free, else NAME-2, NAME-3 …
	Dir    string
	Layout []byte
	// Lives are what ran in its panes, as it ended: commands, and agents with their
	// bindings. A pane without one opens a shell.
	Lives []ImportedLife
	At    time.Time
	From  string // for the ledger: tmux
}

// ImportedLife is what ran in one pane.
type ImportedLife struct {
	Terminal agent.Terminal
	Binding  *agent.Binding // nil: no agent
}

// Import makes workspaces that nobody has open, all of them or none, and returns their
// names in order. No workspace that is there is touched. A session of theirs is a
// candidate when its id is known; the process must be registered.
func (d *DB) Import(ctx context.Context, all ...Import) (names []string, err error) {
	err = d.write(ctx, func(tx *sql.Tx) error {
		for _, in := range all {
			name, err := d.importOne(ctx, tx, in)
			if err != nil {
				return fmt.Errorf("import session %s: %w", in.Name, err)
			}
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return names, nil
}

func (d *DB) importOne(ctx context.Context, tx *sql.Tx, in Import) (name string, err error) {
	base := clip(in.Name, MaxName-8)
	if !validName(base) {
		return "", ErrBadName
	}
	if name, err = d.freeName(ctx, tx, base, anyDir); err != nil {
		return "", err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO workspaces (name, dir, born, layout)
		VALUES (?, ?, (SELECT coalesce(max(born), 0) + 1 FROM workspaces), ?)`, name, realPath(in.Dir), in.Layout); err != nil {
		return "", err
	}
	for _, l := range in.Lives {
		if err := d.importLife(ctx, tx, name, in, l); err != nil {
			return "", err
		}
	}
	return name, nil
}

func (d *DB) importLife(ctx context.Context, tx *sql.Tx, workspace string, in Import, l ImportedLife) error {
	t := l.Terminal
	t.Instance, t.Created, t.Status = d.self, in.At, agent.TerminalActive
	if err := insertTerminal(ctx, tx, t); err != nil {
		return err
	}
	if l.Binding != nil {
		b := *l.Binding
		b.Terminal, b.Started = t.ID, in.At
		if err := d.noteStore(ctx, tx, b.Kind, b.Home); err != nil {
			return err
		}
		if err := insertBinding(ctx, tx, b); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO panes (id, terminal_id, workspace) VALUES (?, ?, ?)`, t.Pane, t.ID, workspace); err != nil {
		return err
	}
	if err := note(ctx, tx, agent.Note{At: in.At, Terminal: t.ID, What: "import", Why: "found in " + in.From}); err != nil {
		return err
	}
	if _, err := endTerminal(ctx, tx, t.ID, "", in.At, nil); err != nil {
		return err
	}
	return endBinding(ctx, tx, agent.Ending{Terminal: t.ID, At: in.At, Asked: agent.TerminalExited, Why: "taken over from " + in.From})
}
