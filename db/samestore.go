package db

import (
	"context"
	"database/sql"

	"reprise/agent"
)

// inOneStore says that o and b, each with a kind and a home, have one store: what one of
// them has as a session is that session for the other, too. It is a part of the
// candidate predicate, and of whatever else asks who has a session.
const inOneStore = `(o.kind = b.kind AND o.home = b.home
	OR (SELECT s.store FROM stores s WHERE s.kind = o.kind AND s.home = o.home) = (SELECT s.store FROM stores s WHERE s.kind = b.kind AND s.home = b.home))`

// isSession says that a binding b has the session that identity says.
const isSession = `b.session_id = :session AND EXISTS (SELECT 1 FROM (SELECT :kind AS kind, :home AS home) o WHERE ` + inOneStore + `)`

// identity are isSession's arguments.
func identity(id agent.Identity) []any {
	return []any{sql.Named("kind", id.Kind), sql.Named("home", id.Home), sql.Named("session", id.Session)}
}

// noteStore writes down where the conversations of a kind in a home lie. Whoever records
// a binding has done it in the same transaction; of a kind that is not known what was
// known of it stays.
func (d *DB) noteStore(ctx context.Context, tx *sql.Tx, kind, home string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO stores (kind, home, store) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET store = excluded.store WHERE excluded.store IS NOT NULL AND store IS NOT excluded.store`,
		kind, home, null(agent.StoreOf(d.opt.Kinds, kind, home)))
	return err
}

// noteStores does so for all that are written down, as those of each binding are whoever
// records it (migrations/006): the config may be another one now.
func (d *DB) noteStores(ctx context.Context, tx *sql.Tx) error {
	all, err := collect(ctx, tx, func(s scanner) (o agent.Origin, err error) {
		err = s.Scan(&o.Kind, &o.Home)
		return o, err
	}, `SELECT kind, home FROM stores`)
	for i := 0; err == nil && i < len(all); i++ {
		err = d.noteStore(ctx, tx, all[i].Kind, all[i].Home)
	}
	return err
}
