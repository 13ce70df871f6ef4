package agent

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"reprise/panes"
	"reprise/panes/disk"
)

// preflight looks, before the claim, whether a resume can succeed, and ends what
// is left of the session's former lives (step 1).
func (a *attempt) preflight() error {
	if err := a.at("preflight"); err != nil {
		return err
	}
	k, ok := a.c.kind(a.cand.Kind)
	if !ok {
		why := "no agent of this name is configured"
		return &refusal{kind: FailUnsupported, words: unsupportedWords(a.cand.Kind, why)}
	}
	a.kind = k
	f := k.Facts()
	if f.NoResume != "" {
		return &refusal{kind: FailUnsupported, words: unsupportedWords(f.Label, f.NoResume)}
	}
	if err := a.checkPlaces(f); err != nil {
		return err
	}
	s, err := a.survey()
	if err != nil {
		return err
	}
	if s.live != nil {
		return fmt.Errorf("%w: it lives in terminal %s", errNothing, s.live.Terminal.ID)
	}
	for _, t := range s.left { // [P9]
		if err := a.c.cfg.Processes.End(a.ctx, t.Process, t.Nonce, a.c.cfg.Policy.TermGrace); err != nil {
			if a.ctx.Err() != nil {
				return errStopped
			}
			return &refusal{kind: FailHeld, words: heldWords(a.label(), t.Process.PID, ""), err: err}
		}
	}
	return a.foreign(s)
}

// checkPlaces: folder, program and home must be there.
func (a *attempt) checkPlaces(f Facts) error {
	dir, home := a.cand.Origin.Dir, a.cand.Home
	if st, err := disk.Stat(dir, disk.Must); err != nil || !st.IsDir() {
		return a.refuse(FailDirectory, "its folder "+tilde(dir)+missing(err), "Bring it back", err)
	}
	if _, err := panes.LookPath(f.Program, dir, lookup(a.c.environ(a.cand.Origin.Env...), "PATH")); err != nil {
		why, todo := f.Program+" is not in PATH", "Install it or fix PATH"
		if filepath.Base(f.Program) != f.Program {
			why, todo = tilde(f.Program)+" is gone or cannot be run", "Bring it back"
		}
		return a.refuse(FailBinary, why, todo, err)
	}
	if home == "" {
		return nil
	}
	if st, err := disk.Stat(home, disk.Must); err != nil || !st.IsDir() {
		return a.refuse(FailHome, "its home "+tilde(home)+missing(err), "Bring it back", err)
	}
	return nil
}

// missing says how a folder is not there.
func missing(err error) string {
	if errors.Is(err, disk.ErrSilent) {
		return " is on a disk that does not answer"
	}
	return " is gone"
}

// survey is who has a session open.
type survey struct {
	live  *Holder     // lives, or is being resumed, in another terminal
	left  []Terminal  // ended terminals whose processes still run
	alien *panes.Proc // a process that is not ours
}

// survey looks at every terminal that ever held the session, and at the processes
// of the kind that no terminal of ours accounts for.
func (a *attempt) survey() (survey, error) {
	var s survey
	// Before the holders: whatever one of our servers has started by now is in the
	// store by then, as a claim or as a terminal, and is not taken for a stranger.
	var all []panes.Proc
	if !a.req.Override {
		var err error
		if all, err = a.c.cfg.Processes.List(); err != nil {
			return s, fmt.Errorf("list processes: %w", err)
		}
	}
	id := a.cand.identity()
	holders, err := a.c.cfg.Store.Holders(a.ctx, id)
	if err != nil {
		return s, fmt.Errorf("list who holds session %s: %w", id.Session.Short(), err)
	}
	ours := map[panes.ProcessID]bool{}
	nonces := map[string]bool{}
	for i, h := range holders {
		// Also one that ended since the processes were listed.
		ours[h.Terminal.Process] = true
		ended := h.Reason != Live && h.Reason != Resuming || h.Terminal.ID == a.req.Terminal
		if !ended {
			s.live = &holders[i]
			nonces[h.Terminal.Nonce] = true
			continue
		}
		if a.c.cfg.Processes.Alive(h.Terminal.Process, h.Terminal.Nonce) {
			s.left = append(s.left, h.Terminal)
		}
	}
	s.alien = a.alien(all, ours, nonces)
	return s, nil
}

// alien finds, among all processes, one that holds the session and belongs to none
// of our terminals; nil if there is none, or if none was listed.
func (a *attempt) alien(all []panes.Proc, ours map[panes.ProcessID]bool, nonces map[string]bool) *panes.Proc {
	parent := make(map[int]int, len(all))
	led := map[int]bool{}
	for _, p := range all {
		parent[p.ID.PID] = p.Parent
		led[p.ID.PID] = led[p.ID.PID] || ours[p.ID]
	}
	belongs := func(pid int) bool {
		for range 64 { // a table read while processes come and go may hold a loop
			if led[pid] {
				return true
			}
			if pid = parent[pid]; pid <= 1 {
				return false
			}
		}
		return false
	}
	users := a.users()
	for i, p := range all {
		if p.ID.PID == os.Getpid() || p.Nonce != "" && nonces[p.Nonce] || belongs(p.ID.PID) {
			continue
		}
		if slices.ContainsFunc(users, func(u user) bool { return a.holds(p, u, all) }) {
			return &all[i]
		}
	}
	return nil
}

// user is a kind whose program may have a session open.
type user struct {
	facts   Facts
	home    string
	witness Witness // nil: the program does not tell
}

// holds reports whether a process has the session open: it runs a kind's program, and says
// so by its argv or by a file. Editors and searches that merely look at a session's file
// are no holders.
func (a *attempt) holds(p panes.Proc, u user, all []panes.Proc) bool {
	id := a.cand.Session
	return runs(p, u.facts) && (opens(p, id, a.c.cfg.Processes.OpenFiles) ||
		u.witness != nil && u.witness.Holds(u.home, p.ID, id) ||
		names(p, id) && !a.hasLeft(p, u.facts, all))
}

// hasLeft reports whether a process whose argv names the session is an agent of ours that
// has gone on with another one since, as its hooks told. What runs below that agent is
// not: what another one was told to do says nothing of it.
func (a *attempt) hasLeft(p panes.Proc, f Facts, all []panes.Proc) bool {
	leader, now, err := a.c.cfg.Store.Told(a.ctx, p.Nonce)
	if err != nil || now == "" || now == a.cand.Session {
		return false
	}
	agents := 0
	for range all {
		if slices.ContainsFunc(a.c.cfg.Registry.All(), func(k Kind) bool { return runs(p, k.Facts()) }) {
			agents++
		}
		if p.ID == leader {
			return agents <= f.OwnProcesses
		}
		above := slices.IndexFunc(all, func(q panes.Proc) bool { return q.ID.PID == p.Parent })
		if above < 0 {
			break
		}
		p = all[above]
	}
	return false
}

// users are those of the session: its own kind, and those that have the same store.
func (a *attempt) users() (all []user) {
	r, id := a.c.cfg.Registry, a.cand.identity()
	add := func(k Kind, home string) {
		w, _ := k.(Witness)
		all = append(all, user{k.Facts(), home, w})
	}
	add(a.kind, id.Home)
	store := StoreOf(r, id.Kind, id.Home)
	for _, k := range r.All() {
		name := k.Facts().Name
		for _, home := range slices.Compact([]string{"", id.Home}) {
			if store != "" && name != id.Kind && StoreOf(r, name, home) == store {
				add(k, home)
			}
		}
	}
	return all
}

// foreign refuses a session that a process which is not ours has open. The person
// may override.
func (a *attempt) foreign(s survey) error {
	if s.alien == nil {
		return nil
	}
	return &refusal{kind: FailHeld, words: heldWords(a.label(), s.alien.ID.PID, s.alien.TTY), err: errHeld}
}

var errHeld = errors.New("two processes on one session lose what is said")

// lookAgain looks once more with the claim held: between pre-flight and claim
// another server may have resumed and lost the session, and its process may live.
func (a *attempt) lookAgain() error {
	if err := a.at("lookagain"); err != nil {
		return err
	}
	s, err := a.survey()
	switch {
	case err != nil:
		return err
	case s.live != nil:
		return fmt.Errorf("%w: it lives in terminal %s", errNothing, s.live.Terminal.ID)
	}
	for _, t := range s.left {
		if t.ID != a.req.Terminal && t.Created.After(a.cand.Record.Created) {
			return fmt.Errorf("%w: its successor %s still runs", errNothing, t.ID)
		}
	}
	if len(s.left) > 0 {
		return &refusal{kind: FailHeld, words: heldWords(a.label(), s.left[0].Process.PID, ""), err: errHeld}
	}
	return a.foreign(s)
}
