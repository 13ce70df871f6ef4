package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"reprise/panes"
)

// OpenRequest asks for a past session in a pane of its own: one that a person picked,
// whoever held it. It is no candidate's: what comes back by itself is Resume's.
type OpenRequest struct {
	Identity
	Dir string // where its agent's store says it was held; what our terminals know goes first
	// NewPane makes the pane, once nothing is known to stand in the way.
	NewPane func(context.Context) (panes.PaneID, error)
	// Override opens it although a foreign process holds the session.
	Override bool
}

// OpenResult is what became of it.
type OpenResult struct {
	Opened bool
	Pane   panes.PaneID // that was made; "": none was. It is the caller's to remove if nothing was opened
	// Held is the terminal of ours that has the session open, or is about to: the
	// person is led there. nil: none has.
	Held    *Holder
	Failure FailureKind
	Err     error // with Failure: what happened and what to do
}

// openTime bounds an opening: what is left of the session's former lives may have to
// be ended first.
const openTime = time.Minute

// OpenSession opens a past session: the same pre-flight as of a resume, then a launch
// behind the gate that is recorded only where no other binding of the session lives or
// is being resumed, in the same transaction, and one more look before the gate opens.
// Of several that pick one session, in whatever process, one opens it; the others are
// told who has it.
func (c *Coordinator) OpenSession(ctx context.Context, r OpenRequest) OpenResult {
	if !r.Session.Valid() {
		return OpenResult{Failure: FailUnsupported, Err: fmt.Errorf("%q is no session's id", string(r.Session))}
	}
	if err := c.admit(ctx); err != nil {
		return OpenResult{Failure: FailLaunch, Err: err}
	}
	defer c.underWay()()
	c.mu.Unlock()
	// A caller that gives up must not leave half a launch behind.
	ctx, cancel := context.WithTimeout(c.ctx, openTime)
	defer cancel()
	o := &opening{attempt: attempt{c: c, ctx: ctx, begun: c.cfg.Now(), req: ResumeRequest{ByPerson: true, Override: r.Override}}, ask: r}
	result := o.run()
	if result.Err != nil {
		c.Saved(result.Err)
		c.cfg.Log.Warn("past session not opened", "failure", string(result.Failure), "agent", r.Kind, "session", r.Session.Short(), "err", result.Err)
		c.note(Note{Session: r.Session, What: "refusal", Why: string(result.Failure) + ": " + result.Err.Error()})
	}
	return result
}

// opening is one OpenSession: an attempt whose candidate is made up of what is known.
type opening struct {
	attempt
	ask OpenRequest
}

// run takes the steps, and says who has the session where it was not opened.
func (o *opening) run() OpenResult {
	err := o.steps()
	result := OpenResult{Pane: o.req.Pane}
	var r *refusal
	switch {
	case err == nil:
		result.Opened = true
	case errors.Is(err, errNothing):
		if result.Held, err = o.holder(); err == nil && result.Held == nil {
			err = errors.New("its session was ended just now. Try again")
		}
		if err != nil {
			result.Failure, result.Err = FailStore, fmt.Errorf("could not open %s: %w", o.label(), err)
		}
	case errors.Is(err, errStopped):
		result.Failure, result.Err = FailLaunch, ErrStopping
	case errors.As(err, &r):
		result.Failure, result.Err = r.kind, r
	default:
		result.Failure, result.Err = FailStore, fmt.Errorf("could not open %s: %w", o.label(), err)
	}
	return result
}

func (o *opening) steps() error {
	if err := o.know(); err != nil {
		return err
	}
	if err := o.preflight(); err != nil {
		return err
	}
	pane, err := o.ask.NewPane(o.ctx)
	if err != nil {
		return o.cannotStart(err)
	}
	o.req.Pane = pane
	cmd, err := o.command()
	if err != nil {
		return err
	}
	if err := o.launch(cmd); err != nil {
		return err
	}
	return o.begin(cmd)
}

// know gathers what the candidate would be: how our terminals held the session last,
// else what its store says.
func (o *opening) know() error {
	o.cand.Kind = o.ask.Kind // words name it
	o.cand.Session, o.cand.Prompted = o.ask.Session, true
	held, err := o.holder()
	if err != nil {
		return err
	}
	if held != nil {
		return fmt.Errorf("%w: it lives in terminal %s", errNothing, held.Terminal.ID)
	}
	if o.cand.Origin, err = o.c.lastOrigin(o.ctx, o.ask.Identity, o.ask.Dir); err != nil {
		return err
	}
	if o.cand.Origin.Dir == "" {
		return o.refuse(FailDirectory, "its folder is not known", "Open it with the agent itself once", nil)
	}
	return nil
}

// lastOrigin is how our terminals held a session last; of one that they never held, what
// is known of it by dir, where its store says that it was held.
func (c *Coordinator) lastOrigin(ctx context.Context, id Identity, dir string) (Origin, error) {
	last, found, err := c.cfg.Store.Origin(ctx, id)
	if err != nil {
		return Origin{}, err
	}
	if !found {
		last = Origin{Kind: id.Kind, Home: id.Home, Dir: dir}
	}
	// A home that was only named by an environment must be the same after it.
	if k, ok := c.kind(id.Kind); ok && lookup(last.Env, k.Facts().HomeEnv) == "" {
		last.Env = append(slices.Clone(last.Env), k.Facts().HomeEntry(id.Home)...)
	}
	return last, nil
}

// ForkOf is the launch of a copy of a session, yet without its pane: where the session
// was held last, in its environment, with what a resume would repeat of its arguments.
// dir is where its agent's store says it was held. An error is a sentence for the person.
func (c *Coordinator) ForkOf(ctx context.Context, id Identity, dir string) (LaunchRequest, error) {
	k, ok := c.kind(id.Kind)
	if !ok {
		return LaunchRequest{}, fmt.Errorf("%s is no agent that Reprise knows", id.Kind)
	}
	f := k.Facts()
	args := f.ForkOf(id.Session)
	if args == nil {
		return LaunchRequest{}, fmt.Errorf("%s has no option that makes a copy of a session", f.Label)
	}
	from, err := c.lastOrigin(ctx, id, dir)
	if err != nil {
		return LaunchRequest{}, fmt.Errorf("look up the session to copy: %w", err)
	}
	if from.Dir == "" {
		return LaunchRequest{}, fmt.Errorf("the folder of this session of %s is not known: fork it with %s itself", f.Label, f.Label)
	}
	if forker, ok := k.(Forker); ok {
		args = forker.Fork(LaunchInput{Session: id.Session, Flags: from.Flags, Home: from.Home, Dir: from.Dir})
	}
	return LaunchRequest{Kind: id.Kind, Argv: args, Dir: from.Dir, Env: from.Env}, nil
}

// holder is the terminal that has the session open, or is about to; nil: none.
func (o *opening) holder() (*Holder, error) {
	all, err := o.c.cfg.Store.Holders(o.ctx, o.ask.Identity)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, Holder.has)
	if at < 0 {
		return nil, nil
	}
	return &all[at], nil
}

// begin records the launch if the session is still nobody's, looks once more and lets
// it run.
func (o *opening) begin(cmd Command) error {
	c := o.c
	l := o.life()
	b := Binding{Terminal: o.next.ID, Origin: o.cand.Origin, Session: cmd.Session, Prompted: true, Started: o.next.Created}
	err := o.at("begin")
	ok := false
	if err == nil {
		ctx, cancel := durable(o.ctx)
		defer cancel()
		ok, err = c.cfg.Store.BeginSole(ctx, o.next, b)
	}
	if err != nil { // it may be recorded all the same: then its end is, too
		l.begun, l.doubtful, l.first, l.turn, l.probation = true, 5, true, false, false
		c.bear(l)
		c.watch(o.term)
		c.shut(o.term)
		return o.refuse(FailStore, "its start cannot be written down", "See that the disk has room", err)
	}
	if !ok {
		o.abort()
		return fmt.Errorf("%w: another one has opened it", errNothing)
	}
	if err := o.lookAgain(); err != nil {
		o.undo()
		return err
	}
	c.bear(l)
	c.watch(o.term)
	if !c.cfg.Host.Point(o.req.Pane, o.next.ID) {
		// A person closed the pane that was just made: that ends it.
		c.shut(o.term)
		c.mu.Lock()
		l.begun, l.first, l.turn, l.probation = true, true, false, false
		c.placeOf(o.req.Pane).closed = true
		c.mu.Unlock()
		return o.refuse(FailLaunch, "its pane is closed", "Pick it again", nil)
	}
	c.mu.Lock()
	c.soilTwins(l, o.cand.Session)
	c.mu.Unlock()
	if err := c.openGate(o.term, l, "open."); err != nil {
		c.cfg.Log.Warn("past session opened, but it did not start", "terminal", l.id, "err", err) // its death follows
	}
	said := o.label() + " resumed in " + tilde(o.next.Dir)
	c.note(Note{Terminal: l.id, Session: o.cand.Session, What: "message", Why: said})
	c.cfg.Log.Info("past session opened", "terminal", l.id, "agent", l.kind, "session", o.cand.Session.Short(), "dir", o.next.Dir)
	if err := c.refresh(o.ctx, o.req.Pane); err != nil {
		c.cfg.Log.Warn("refresh", "pane", o.req.Pane, "err", err)
	}
	return nil
}

// bear takes a life in.
func (c *Coordinator) bear(l *life) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lives[l.id] = l
}

// lookAgain looks once more with the launch recorded [P10]: between pre-flight and
// record another server may have opened and lost the session, and its process may live.
func (o *opening) lookAgain() error {
	if err := o.at("openlook"); err != nil {
		return err
	}
	o.req.Terminal = o.next.ID // our own counts neither as a holder nor as what is left
	s, err := o.survey()
	if err != nil {
		return err
	}
	for _, t := range s.left {
		if t.ID != o.next.ID {
			return &refusal{kind: FailHeld, words: heldWords(o.label(), t.Process.PID, ""), err: errHeld}
		}
	}
	return o.foreign(s)
}

// undo ends a launch that was recorded and must not run. Its binding is no candidate:
// it never ran, and another may be.
func (o *opening) undo() {
	ctx, cancel := durable(o.ctx)
	defer cancel()
	_, err := o.c.cfg.Store.End(ctx, Ending{
		Terminal: o.next.ID, At: o.c.cfg.Now(), Asked: TerminalExited, FirstFailed: true, Why: "never ran: the session is open elsewhere",
	})
	if err != nil { // the loop records it
		l := o.life()
		l.begun, l.first, l.turn, l.probation = true, true, false, false
		o.c.bear(l)
		o.c.watch(o.term)
		o.c.shut(o.term)
		return
	}
	o.abort()
}

// Seat is the pane of this workspace that shows the session, alive or as a candidate;
// "": none does.
func (c *Coordinator) Seat(ctx context.Context, id Identity) (pane panes.PaneID, candidate panes.TerminalID, err error) {
	holders, err := c.cfg.Store.Holders(ctx, id)
	if err != nil || c.cfg.Panes == nil {
		return "", "", err
	}
	var saved panes.PaneID
	for _, p := range c.cfg.Panes() {
		rec, err := c.cfg.Store.Pane(ctx, p)
		if err != nil {
			return "", "", err
		}
		if rec.Terminal == nil || rec.Binding == nil {
			continue
		}
		if !slices.ContainsFunc(holders, func(h Holder) bool { return h.Terminal.ID == rec.Terminal.ID }) {
			continue
		}
		switch {
		case rec.Binding.Reason == Live || rec.Binding.Reason == Resuming:
			return p, "", nil
		case rec.Candidate && saved == "":
			saved, candidate = p, rec.Terminal.ID
		}
	}
	return saved, candidate, nil
}

// underWay holds back an upgrade, and our own end, until what it returns is called. mu
// is held.
func (c *Coordinator) underWay() (over func()) {
	c.work.Add(1)
	c.opens++
	return func() {
		c.mu.Lock()
		c.opens--
		c.mu.Unlock()
		c.work.Done()
	}
}
