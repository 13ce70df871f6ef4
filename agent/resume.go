package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"reprise/panes"
)

// attempt is one run of the steps of resume.md §4.
type attempt struct {
	c     *Coordinator
	ctx   context.Context // ends when the coordinator stops
	req   ResumeRequest
	begun time.Time
	words string // what the screen says of a failure

	rec    PaneRecord
	cand   Candidate
	kind   Kind
	told   string // what the kind says of the launch
	claim  ClaimRef
	fresh  bool
	term   *panes.Terminal
	next   Terminal        // the successor
	folder string          // for the files of its command
	sign   <-chan struct{} // its first hook; nil: it was not let run
	blank  string          // the last line of its screen before it ran
}

// errStopped ends an attempt because the process stops.
var errStopped = errors.New("stopping")

// errNothing ends an attempt without a failure: there is nothing to resume (any
// more).
var errNothing = errors.New("nothing to resume")

// refusal is a failure of a kind, with the screen's words.
type refusal struct {
	kind  FailureKind
	words string
	err   error
}

func (r *refusal) Error() string {
	if r.err == nil || strings.Contains(r.words, r.err.Error()) {
		return r.words
	}
	return r.words + " (" + r.err.Error() + ")"
}
func (r *refusal) Unwrap() error { return r.err }

func (a *attempt) label() string    { return a.c.label(a.kindName(), nil) }
func (a *attempt) kindName() string { return a.cand.Kind }

// run takes the steps. Whatever fails, the session's id stays where it was.
func (a *attempt) run() ResumeResult {
	a.begun = a.c.cfg.Now()
	err := a.steps()
	var r *refusal
	switch {
	case err == nil:
		return ResumeResult{Resumed: true, Successor: a.next.ID, Fresh: a.fresh}
	case errors.Is(err, errNothing), errors.Is(err, errStopped):
		a.c.cfg.Log.Info("not resumed", "terminal", a.req.Terminal, "agent", a.kindName(), "why", err)
		return ResumeResult{}
	case errors.As(err, &r):
		a.words = r.words
		return ResumeResult{Failure: r.kind, Err: err}
	}
	return ResumeResult{Failure: FailStore, Err: err}
}

func (a *attempt) steps() error {
	if err := a.find(); err != nil {
		return err
	}
	if err := a.preflight(); err != nil { // 1
		return err
	}
	if err := a.take(); err != nil { // 2
		return err
	}
	ok, err := a.consume() // 2 to 5, claim held
	if err != nil {
		a.c.giveBack(a.claim, err.Error())
		return err
	}
	if !ok {
		return fmt.Errorf("%w: a person ended it meanwhile", errNothing)
	}
	a.hand()
	return nil
}

// at is the place between two steps: it reports that the process stops, or that a
// failpoint broke in.
func (a *attempt) at(point string) error {
	if err := failpoint("resume." + point); err != nil {
		return err
	}
	if a.ctx.Err() != nil {
		return errStopped
	}
	return nil
}

// find reads the candidate and asks the policy.
func (a *attempt) find() error {
	rec, err := a.c.cfg.Store.Pane(a.ctx, a.req.Pane)
	if err != nil {
		return fmt.Errorf("read pane %s: %w", a.req.Pane, err)
	}
	if rec, err = a.takeBack(rec); err != nil {
		return err
	}
	t, b := rec.Terminal, rec.Binding
	if t == nil || b == nil || t.ID != a.req.Terminal {
		return fmt.Errorf("%w: the pane has moved on", errNothing)
	}
	a.rec, a.cand = rec, Candidate{Binding: *b, Record: *t}
	if !rec.Candidate {
		return fmt.Errorf("%w: it is no candidate", errNothing)
	}
	if a.req.ByPerson && !b.Dismissed.IsZero() {
		if err := a.c.cfg.Store.Dismiss(a.ctx, t.ID, time.Time{}); err != nil {
			return fmt.Errorf("take back the dismissal of %s: %w", t.ID, err)
		}
	}
	if state, _ := a.c.cfg.Policy.Due(*b, a.c.cfg.Settings, a.begun); !a.req.ByPerson && state != PaneDue {
		return fmt.Errorf("%w: it is not due", errNothing)
	}
	if !a.c.present()(a.req.Pane) && a.c.cfg.NewPane != nil {
		if p, made := a.c.cfg.NewPane(); made {
			a.req.Pane = p
		}
	}
	return nil
}

// takeBack lets a person resume what has just ended and is unsure: the goodbye
// was none.
func (a *attempt) takeBack(rec PaneRecord) (PaneRecord, error) {
	t, b := rec.Terminal, rec.Binding
	if !a.req.ByPerson || t == nil || b == nil || t.ID != a.req.Terminal || b.Reason != Detached || !b.Unsure || t.Instance != a.c.cfg.Instance {
		return rec, nil
	}
	err := a.c.cfg.Store.Sweep(a.ctx, SweepRequest{Terminal: t.ID, Instance: t.Instance, At: a.c.cfg.Now()})
	if err != nil {
		return rec, fmt.Errorf("take back the goodbye of %s: %w", t.ID, err)
	}
	a.c.mu.Lock()
	if l := a.c.lives[t.ID]; l != nil {
		l.settleAt = time.Time{}
	}
	a.c.mu.Unlock()
	return a.c.cfg.Store.Pane(a.ctx, a.req.Pane)
}

// take claims the candidate. After an error it is not known whether it did: then
// the claim is given back, which does nothing if there is none.
func (a *attempt) take() error {
	if err := a.at("claim"); err != nil {
		return err
	}
	a.claim = ClaimRef{Terminal: a.req.Terminal, Owner: a.c.cfg.Instance, Token: string(panes.NewTerminalID()), At: a.c.cfg.Now()}
	cand, ok, err := a.c.cfg.Store.Claim(a.ctx, a.claim)
	if err == nil {
		err = failpoint("resume.claimed")
	}
	if err != nil {
		a.c.giveBack(a.claim, err.Error())
		return err
	}
	if !ok {
		return fmt.Errorf("%w: another one claimed it", errNothing)
	}
	a.cand = cand
	return nil
}

// consume launches the successor behind its gate and confirms the claim. An error
// means that the claim is to be given back; false that a person's kill won.
func (a *attempt) consume() (ok bool, err error) {
	if err := a.lookAgain(); err != nil { // [P10]
		return false, err
	}
	cmd, err := a.command()
	if err != nil {
		return false, err
	}
	if err := a.launch(cmd); err != nil {
		return false, err
	}
	ok, err = a.confirm(cmd)
	switch {
	case err != nil || !ok:
		a.abort()
	case a.fresh:
		a.c.takenUp(a.cand.identity(), a.next.ID, cmd.Session)
	}
	return ok, err
}

// command is the successor's command line: the session's, or, if it never had a
// conversation, a new one's (step 3).
func (a *attempt) command() (Command, error) {
	b := a.cand.Binding
	in := LaunchInput{Session: b.Session, Flags: b.Flags, Home: b.Home, Dir: b.Origin.Dir, Hook: a.c.hook(), Env: a.c.environ(b.Origin.Env...)}
	a.next.Nonce, a.folder = in.Hook.Nonce, in.Hook.Folder
	if !b.Prompted {
		switch a.kind.Transcript(b.Home, b.Origin.Dir, b.Session) {
		case HasTranscript:
			a.cand.Prompted = true
		case NoTranscript:
			a.fresh = true
		case CannotTell: // rather an agent that says it has none than a lost conversation
		}
	}
	compose := a.kind.Resume
	if a.fresh {
		in.Session, in.Anew, compose = a.c.preset(a.kind), true, a.kind.Launch
	}
	cmd, err := compose(in)
	if err != nil {
		return Command{}, a.cannotStart(err)
	}
	a.told = cmd.Notice
	return cmd, nil
}

// launch starts the successor behind its gate (step 4).
func (a *attempt) launch(cmd Command) error {
	if err := a.at("launch"); err != nil {
		return err
	}
	b := a.cand.Binding
	env := joined(b.Origin.Env, cmd.Env)
	a.next = Terminal{
		ID: panes.NewTerminalID(), Pane: a.req.Pane, Dir: b.Origin.Dir, Argv: cmd.Argv, Env: env, Nonce: a.next.Nonce,
		Instance: a.c.cfg.Instance, Status: TerminalActive, Created: a.c.cfg.Now(),
	}
	t, err := a.c.cfg.Host.Start(a.ctx, panes.Spec{
		ID: a.next.ID, Pane: a.next.Pane, Argv: a.next.Argv, Dir: a.next.Dir, Env: env, Label: a.label(), Nonce: a.next.Nonce,
		Files: cmd.Files, Folder: a.folder,
		History: a.c.history(HistoryRequest{Pane: a.next.Pane, Old: a.cand.Record.Screen(), Kind: a.cand.Kind}),
	})
	if err != nil {
		return a.cannotStart(err)
	}
	a.term, a.next.Process = t, t.Process()
	if err := a.at("launched"); err != nil {
		a.abort()
		return err
	}
	return nil
}

// confirm consumes the claim (step 5). After an error the outcome is read back by
// the token before anything is decided.
func (a *attempt) confirm(cmd Command) (bool, error) {
	if err := a.at("confirm"); err != nil {
		return false, err
	}
	now := a.c.cfg.Now()
	b := a.cand.Binding
	next := Binding{
		Terminal: a.next.ID, Origin: b.Origin, Session: cmd.Session, Prompted: b.Prompted && !a.fresh,
		Predecessor: b.Terminal, Started: now, Attempts: b.Attempts, FirstDeath: b.FirstDeath,
	}
	ctx, cancel := durable(a.ctx)
	defer cancel()
	ok, err := a.c.cfg.Store.Confirm(ctx, Confirmation{Claim: a.claim, Successor: a.next, Binding: next})
	if err == nil {
		err = failpoint("resume.confirmed")
	}
	if err == nil {
		return ok, nil
	}
	switch out, asked := a.c.cfg.Store.Outcome(ctx, a.claim); {
	case asked != nil:
		// Not known even now: nothing runs, and the loop goes on asking.
		a.c.mu.Lock()
		a.c.limbo = append(a.c.limbo, limbo{claim: a.claim, life: a.life(), why: err.Error()})
		a.c.mu.Unlock()
		return false, err
	case out == ClaimConfirmed:
		return true, nil
	default: // held: it is given back; lost: giving back does nothing
		return false, err
	}
}

// abort ends a successor that must not run: the shim exits by itself, the agent
// was never started.
func (a *attempt) abort() {
	if err := a.term.CloseGate(); err != nil {
		a.c.cfg.Log.Warn("close gate", "terminal", a.next.ID, "err", err)
	}
	a.c.cfg.Host.Retire(a.next.ID)
}

// life is what this process keeps of the successor.
func (a *attempt) life() *life {
	return &life{
		id: a.next.ID, pane: a.req.Pane, nonce: a.next.Nonce, process: a.next.Process, kind: a.cand.Kind,
		turn: a.cand.Prompted && !a.fresh, probation: true, attempts: a.cand.Attempts, firstDeath: a.cand.FirstDeath,
		started: a.c.cfg.Now(), notice: a.told,
	}
}

// hand lets the confirmed successor run and gives it the pane (steps 6 to 8). The
// resume stands, whatever fails here.
func (a *attempt) hand() {
	c := a.c
	l := a.life()
	if a.fresh {
		l.freshUntil = c.cfg.Now().Add(c.cfg.Policy.FreshShown)
	}
	log := c.cfg.Log.With("terminal", l.id, "agent", l.kind, "session", a.cand.Session.Short(), "attempt", l.attempts)
	heard := make(chan struct{})
	a.sign, a.blank = heard, a.term.LastLine()
	c.mu.Lock()
	c.lives[l.id], c.starting[l.id] = l, heard
	c.mu.Unlock()
	c.watch(a.term)
	_ = failpoint("resume.gate")
	if err := c.openGate(a.term, l, "resume."); err != nil {
		log.Warn("resumed, but it did not start", "err", err) // its death follows
	}
	a.repoint()
	said := a.label() + " resumed in " + tilde(a.next.Dir)
	if a.fresh {
		said = freshWords(a.label())
	}
	c.note(Note{Terminal: l.id, Session: a.cand.Session, What: "message", Why: said})
	log.Info("resumed", "fresh", a.fresh, "dir", a.next.Dir)
}

// repoint lets the pane show the successor, durably and on the screen (step 7),
// and retires the old terminal (step 8).
func (a *attempt) repoint() {
	c := a.c
	_ = failpoint("resume.repoint")
	ctx, cancel := durable(a.ctx)
	defer cancel()
	moved, err := c.cfg.Store.Repoint(ctx, a.req.Pane, a.next.ID) // [P2]
	if err != nil {
		// The old pointer still leads here, along the chain of successors.
		c.cfg.Log.Warn("repoint", "pane", a.req.Pane, "terminal", a.next.ID, "err", err)
		moved = true
	}
	_ = failpoint("resume.repointed")
	c.mu.Lock()
	closed := c.placeOf(a.req.Pane).closed
	c.mu.Unlock()
	shown := moved && !closed && c.cfg.Host.Point(a.req.Pane, a.next.ID)
	_ = failpoint("resume.point")
	switch {
	case shown:
		c.forget(a.req.Terminal)
		if a.cand.Record.Shell != "" { // whose screen the pane showed
			c.clear(a.req.Pane, a.next.ID)
		}
	case closed:
		if _, err := c.dispose(ctx, a.next.ID); err != nil {
			c.cfg.Log.Error("dispose the successor of a closed pane", "terminal", a.next.ID, "err", err)
		}
	case moved:
		a.rehouse(ctx)
	default:
		c.note(Note{Terminal: a.next.ID, What: "message", Why: "pane " + string(a.req.Pane) + " shows something else; the session runs without a pane"})
		c.cfg.Log.Warn("pane moved elsewhere", "pane", a.req.Pane, "terminal", a.next.ID)
	}
	_ = failpoint("resume.retire")
}

// rehouse gives a successor whose pane is gone from the layout, though no person
// closed it here, a new pane.
func (a *attempt) rehouse(ctx context.Context) {
	c := a.c
	if c.cfg.NewPane != nil {
		if p, made := c.cfg.NewPane(); made && c.cfg.Host.Point(p, a.next.ID) {
			if _, err := c.cfg.Store.Repoint(ctx, p, a.next.ID); err != nil {
				c.cfg.Log.Warn("repoint", "pane", p, "terminal", a.next.ID, "err", err)
			}
			c.mu.Lock()
			if l := c.lives[a.next.ID]; l != nil {
				l.pane = p
			}
			c.placeOf(p).dirty = true
			c.mu.Unlock()
			return
		}
	}
	c.cfg.Log.Warn("no pane for a resumed session", "pane", a.req.Pane, "terminal", a.next.ID)
}

// refuse makes a failure with the screen's words.
func (a *attempt) refuse(kind FailureKind, why, todo string, err error) *refusal {
	return &refusal{kind: kind, words: couldNot(a.label(), why, todo), err: err}
}

func (a *attempt) cannotStart(err error) *refusal {
	r := a.refuse(FailLaunch, "it cannot be started", "Mend the cause", err)
	r.words = because(r.words, err)
	return r
}

// hook is how a new launch calls us; its nonce tells it from every other.
func (c *Coordinator) hook() HookCommand {
	var h HookCommand
	if c.cfg.Hook != nil {
		h = c.cfg.Hook()
	}
	h.Nonce = rand.Text()
	h.Folder = c.launchFolder(h.State, h.Nonce)
	return h
}

// launchFolder is where the files of one launch lie.
func (c *Coordinator) launchFolder(state, nonce string) string {
	return panes.FolderFor(filepath.Join(state, "launch"), nonce)
}

func joined(a, b []string) []string {
	out := make([]string, 0, len(a)+len(b))
	return append(append(out, a...), b...)
}
