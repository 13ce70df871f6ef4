package stores

import (
	"context"
	"database/sql"

	"reprise/agent"
)

// SupersetWorkspace is a workspace of Superset: a directory, and what ran in it.
type SupersetWorkspace struct {
	Name, Dir string
	Terminals []SupersetTerminal // the oldest first
}

// SupersetTerminal is one of its terminals.
type SupersetTerminal struct {
	Agent   string          // as Superset calls it; "": none was seen in it
	Session agent.SessionID // the agent's; "": not known
}

// Bounds of what is read of Superset.
const (
	maxWorkspaces = 200
	maxTerminals  = 16 // of one workspace
	maxName       = 256
)

// Superset reads the database of Superset's host service: host.db in a folder for each
// organisation. Its form is that of the source of 2026 (commit 0606ed97). Not read are
// workspaces that were archived, terminals that were to be closed, and agents that said
// goodbye.
func Superset(path string) (all []SupersetWorkspace, err error) {
	err = read(path, func(ctx context.Context, tx *sql.Tx) error {
		ids := []string{}
		err := each(ctx, tx, func(scan func(...any) error) error {
			var w SupersetWorkspace
			var id string
			if err := scan(&id, &w.Name, &w.Dir); err != nil {
				return err
			}
			ids, all = append(ids, id), append(all, w)
			return nil
		}, `SELECT id, CASE WHEN name = '' THEN branch ELSE name END, worktree_path FROM workspaces
			WHERE archived_at IS NULL AND octet_length(id) <= ?1 AND octet_length(name) + octet_length(branch) <= ?2 AND octet_length(worktree_path) <= ?3
			ORDER BY created_at, id LIMIT ?4`, maxID, maxName, maxDir, maxWorkspaces)
		if err != nil {
			return err
		}
		for i := range all {
			err := each(ctx, tx, func(scan func(...any) error) error {
				var t SupersetTerminal
				var id string
				if err := scan(&t.Agent, &id); err != nil {
					return err
				}
				if s := agent.SessionID(id); s.Valid() {
					t.Session = s
				}
				all[i].Terminals = append(all[i].Terminals, t)
				return nil
			}, `SELECT agent, session FROM (
					SELECT coalesce(b.agent_id, '') AS agent, coalesce(b.agent_session_id, '') AS session, t.created_at AS at, t.id AS id
					FROM terminal_sessions t LEFT JOIN terminal_agent_bindings b ON b.terminal_id = t.id
						AND octet_length(b.agent_id) <= ?2 AND coalesce(octet_length(b.agent_session_id), 0) <= ?2
					WHERE t.origin_workspace_id = ?1 AND t.dispose_requested_at IS NULL
						AND (t.status = 'active' OR b.end_reason = 'terminal-exited') AND coalesce(b.end_reason, '') <> 'detached'
					ORDER BY t.created_at DESC, t.id DESC LIMIT ?3
				) ORDER BY at, id`, ids[i], maxID, maxTerminals)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// each lets see scan each row of an answer.
func each(ctx context.Context, tx *sql.Tx, see func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := see(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// OldSuperset reads the database of a Superset that had no host service yet: local.db.
// Its form is that of the source (commit 0018e0a6). It tells directories alone.
func OldSuperset(path string) (all []SupersetWorkspace, err error) {
	err = read(path, func(ctx context.Context, tx *sql.Tx) error {
		return each(ctx, tx, func(scan func(...any) error) error {
			var w SupersetWorkspace
			err := scan(&w.Name, &w.Dir)
			all = append(all, w)
			return err
		}, `SELECT w.name, coalesce(t.path, p.main_repo_path) AS dir
			FROM workspaces w JOIN projects p ON p.id = w.project_id LEFT JOIN worktrees t ON t.id = w.worktree_id
			WHERE w.deleting_at IS NULL AND octet_length(w.name) <= ? AND octet_length(coalesce(t.path, p.main_repo_path)) <= ?
			ORDER BY w.created_at, w.id LIMIT ?`, maxName, maxDir, maxWorkspaces)
	})
	return all, err
}
