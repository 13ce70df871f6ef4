package agent

import "time"

// Doing is what an agent does. It is told by its word in lists and in JSON.
type Doing string

// What agents do.
const (
	DoingUnknown   Doing = "" // nothing has told
	Working        Doing = "working"
	AsksPermission Doing = "permission" // it waits for one
	AsksAnswer     Doing = "answer"     // it waits for one, to a question of its own
	TurnDone       Doing = "done"       // its turn ended; once that was seen it is idle
	TurnFailed     Doing = "failed"     // its turn ended by an error of the model's service
	Idle           Doing = "idle"       // it waits for a message
	Gone           Doing = "exited"     // it does not run

	// Quiet is evidence alone: it does not work, but rests or waits for a person.
	Quiet Doing = "quiet"
)

// Waits reports whether it waits for a person, who must answer it.
func (d Doing) Waits() bool { return d == AsksPermission || d == AsksAnswer }

// Rests reports whether it has nothing to do: a message would begin a turn.
func (d Doing) Rests() bool { return d == Idle || d == TurnDone || d == TurnFailed }

// Source is where evidence of what an agent does comes from.
type Source uint8

// Sources, the best first.
const (
	ByHook     Source = iota + 1 // the agent called our hook command
	ByProtocol                   // it told its terminal, in the Program Status Protocol (OSC 7501)
	ByRecord                     // it wrote it down, in a file of its own
	ByTitle                      // it gave its terminal a title
	ByScreen                     // its screen looks like it: a guess
	numSources
)

// String is the source's word in lists and in JSON.
func (s Source) String() string {
	if s >= numSources {
		return ""
	}
	return [numSources]string{"", "hook", "protocol", "record", "title", "screen"}[s]
}

// Evidence is what one source says that an agent does.
type Evidence struct {
	Doing Doing     `json:"doing,omitempty"` // "": it says nothing
	Since time.Time `json:"since"`           // when it began to say so
	Last  time.Time `json:"last"`            // when it said so last
}

// Evidences are by source. That at 0 is not used.
type Evidences [numSources]Evidence

// Status is what an agent does, and what told it.
type Status struct {
	Doing Doing
	Since time.Time // when it began, zero if that is not known
	By    Source
}

// Guess reports whether only the screen tells it.
func (s Status) Guess() bool { return s.By == ByScreen }

// Seen is the status after a person has seen the pane.
func (s Status) Seen(seen bool) Status {
	if seen && s.Doing == TurnDone {
		s.Doing = Idle
	}
	return s
}

// tellTime is how long what is told in another way must stand against a hook that says
// otherwise: one change comes in by both, the one a moment after the other.
const tellTime = 2 * time.Second

// screenTime is how long a screen must look as if a turn were over that a hook says goes
// on: an agent may look like that between two of its steps.
const screenTime = 5 * time.Second

// StatusOf says what an agent does. A hook decides, then what it tells otherwise, then
// the looks of the screen. Hooks miss some ends (a turn that was interrupted, a
// permission that was refused): what is told since the last one, and still after
// tellTime, is newer than it. Where nothing tells, a screen that no longer looks like
// work ends a turn, as a guess.
func StatusOf(all Evidences, now time.Time) Status {
	hook, told := all[ByHook].Doing, all.told()
	by := ByHook
	switch {
	case hook == "" && told == 0:
		by = ByScreen
	case told == 0 && all.looksOver() && !now.Before(all.overAt()):
		by = ByScreen
	case hook == "" || told != 0 && all.outdated(told) && !now.Before(all[told].Since.Add(tellTime)):
		by = told
	}
	s := Status{Doing: all[by].Doing, Since: all[by].Since, By: by}
	switch s.Doing {
	case "":
		return Status{}
	case Quiet: // it most often is
		s.Doing = Idle
	}
	return s
}

// told is the best of what tells, beside hooks and the screen; 0: nothing.
func (all *Evidences) told() Source {
	for s := ByProtocol; s <= ByTitle; s++ {
		if all[s].Doing != "" {
			return s
		}
	}
	return 0
}

// outdated reports whether a source has begun after the hook to say something that
// does not go together with it.
func (all *Evidences) outdated(by Source) bool {
	hook, told := all[ByHook], all[by]
	same := hook.Doing == told.Doing || hook.Doing.Waits() && told.Doing.Waits() || hook.Doing.Rests() && told.Doing.Rests() ||
		hook.Doing != Working && told.Doing == Quiet
	return !same && told.Since.After(hook.Last)
}

// looksOver reports whether a turn that a hook says goes on looks as if it were over.
func (all *Evidences) looksOver() bool {
	return all[ByHook].Doing == Working && all[ByScreen].Doing == Quiet
}

// overAt is when that has stood for long enough.
func (all *Evidences) overAt() time.Time {
	since := all[ByScreen].Since
	if last := all[ByHook].Last; last.After(since) {
		since = last
	}
	return since.Add(screenTime)
}

// due is when StatusOf may come to another result without new evidence; zero: never.
func (all *Evidences) due() time.Time {
	by := all.told()
	if by == 0 && all.looksOver() {
		return all.overAt()
	}
	if by == 0 || all[ByHook].Doing == "" || !all.outdated(by) {
		return time.Time{}
	}
	return all[by].Since.Add(tellTime)
}

// hookDoings are what hooks tell that an agent does from then on.
var hookDoings = map[HookWhat]Doing{
	HookStart: Idle, HookPrompt: Working, HookWork: Working, HookAsk: AsksPermission, HookAnswer: AsksAnswer,
	HookStop: TurnDone, HookRest: TurnDone, HookFail: TurnFailed, HookGoodbye: DoingUnknown,
}

// hooked takes in what a hook tells that the agent does.
func (all *Evidences) hooked(e HookEvent, now time.Time) {
	doing, tells := hookDoings[e.What]
	if !tells || e.What == HookStart && e.Reason == "compact" { // in the midst of a turn
		return
	}
	at := e.FiredAt
	if at.After(now) {
		at = now
	}
	switch was := all[ByHook].Doing; {
	case e.What == HookRest && was == DoingUnknown: // of no turn
		doing = Idle
	case e.What == HookRest && was.Rests():
		doing = was
	case e.What == HookStop && was == TurnFailed: // of the same turn
		doing = TurnFailed
	}
	if all[ByHook].Doing != doing || e.What == HookPrompt {
		all[ByHook] = Evidence{Doing: doing, Since: at}
	}
	all[ByHook].Last = at
}

// statusOf is what the agent of a life does. mu is held.
func (c *Coordinator) statusOf(l *life) Status { return StatusOf(l.evidence, c.cfg.Now()) }
