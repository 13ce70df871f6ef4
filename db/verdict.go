package db

import (
	"context"
	"database/sql"
	"strings"

	"reprise/agent"
	"reprise/panes"
)

// writer writes what one hook event does to one binding.
type writer struct {
	ctx     context.Context // of the transaction, which ends with the call
	tx      *sql.Tx
	event   agent.HookEvent
	id      panes.TerminalID
	changed bool
}

// update changes the binding where a condition holds.
func (w *writer) update(set, where string, args ...sql.NamedArg) (bool, error) {
	all := []any{sql.Named("t", w.id)}
	for _, a := range args {
		all = append(all, a)
	}
	ok, err := changed(w.ctx, w.tx, `UPDATE bindings AS b SET `+set+` WHERE b.terminal_id = :t AND `+where, all...)
	w.changed = w.changed || ok
	return ok, err
}

// change is one part of a verdict: what it sets, of which rows, and what the
// ledger says if it did. refused is said if it did not, and ends the event.
type change struct {
	asked         bool
	set, where    string
	args          []sql.NamedArg
	done, refused string
}

// verdict writes all parts of a verdict, each guarded in its statement. It returns
// what the ledger is to say, "" for a mere sign of life.
func (w *writer) verdict(v agent.Verdict) (string, error) {
	fired := sql.Named("fired", w.event.FiredAt.UnixNano())
	session := sql.Named("session", v.Rebind)
	parts := []change{
		{
			asked: v.Reopen,
			set:   `end_reason = NULL, unsure = 0, ended_at = NULL, first_failed = 0`,
			where: `b.end_reason IN ('detached', 'terminal-exited')
				AND b.ended_at < :fired
				AND EXISTS (SELECT 1 FROM terminals a WHERE a.id = b.terminal_id AND a.status = 'active'
					AND a.nonce = :nonce AND a.dispose_requested_at IS NULL)`, // [P3] [P4]
			args: []sql.NamedArg{fired, sql.Named("nonce", w.event.Nonce)},
			done: "alive again", refused: "too late to reopen what has ended",
		},
		{
			// A hook that was held up, by the spool for example, does not take back
			// what a later one said.
			asked: v.Rebind != "", set: `session_id = :session, session_at = :fired, pinned_at = NULL, before_pin = NULL`,
			where: isLive + ` AND b.session_id IS NOT :session AND coalesce(b.session_at, 0) <= :fired`,
			args:  []sql.NamedArg{session, fired}, done: "session is " + string(v.Rebind),
		},
		{asked: v.Unprompt, set: `prompted = 0`, where: isLive + ` AND b.prompted = 1`, done: "no message sent in it yet"},
		{
			asked: v.Prompted, set: `prompted = 1, ` + proven,
			where: isLive + ` AND (b.prompted = 0 OR b.attempts > 0)`, done: "a message was sent",
		},
		{
			asked: true, set: `last_event = :event, last_event_at = max(:fired, coalesce(b.last_event_at, :fired))`,
			where: isLive, args: []sql.NamedArg{fired, sql.Named("event", w.event.What)},
		},
	}
	var told []string
	for _, c := range parts {
		if !c.asked {
			continue
		}
		ok, err := w.update(c.set, c.where, c.args...)
		switch {
		case err != nil:
			return "", err
		case ok && c.done != "":
			told = append(told, c.done)
		case !ok && c.refused != "":
			return c.refused, nil
		}
	}
	if v.Goodbye {
		said, err := w.goodbye()
		if err != nil {
			return "", err
		}
		told = append(told, said)
	}
	if !w.changed {
		told = append(told, "a straggler: the terminal has ended")
	}
	return strings.Join(told, ", "), nil
}

// goodbye is a certain one: sure at once.
func (w *writer) goodbye() (string, error) {
	moved, twins, err := askSure.apply(w.ctx, w.tx, w.id, w.event.FiredAt)
	if err != nil || !moved {
		return "refused: it had ended otherwise", err
	}
	w.changed = true
	return "ended for good", notes(w.ctx, w.tx, w.event.FiredAt, "goodbye", "twin of "+string(w.id), twins)
}
