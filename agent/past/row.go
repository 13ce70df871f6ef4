package past

import (
	"slices"
	"time"

	"reprise/agent"
	"reprise/panes"
)

// Standing is what our own terminals know of a session.
type Standing struct {
	agent.Identity
	Dir         string
	Begun, Used time.Time
	Prompted    bool // a message was sent in it
	// Unheard: no hook ever told of it, and it did not fail at its start: whether a message
	// was sent is not known.
	Unheard bool
	// Reason is that of the binding that counts: one that lives or is being resumed, else
	// the last one.
	Reason    agent.EndReason
	Terminal  panes.TerminalID
	Pane      panes.PaneID
	Workspace string
	PID       int // of the program that has it open; 0: none does
}

// Open reports whether a terminal of ours has the session open, or is about to.
func (s *Standing) Open() bool {
	return s != nil && (s.Reason == agent.Live || s.Reason == agent.Resuming)
}

// Row is one past session in a list. Its Identity is the one by which our terminals
// know it, if they do.
type Row struct {
	Conversation
	Standing *Standing // nil: it was never in a terminal of ours
	Forks    bool      // its agent can make a copy of it
}

// Merge makes one list, the last used first, of what the stores have and what our
// terminals know: also the sessions of kinds whose stores nobody here can read. empty
// tells of an unheard one that its agent has no conversation for it. Names of one and the
// same home are one, and so are kinds whose files lie there: sources tells which.
func Merge(stored []Conversation, standings []Standing, sources []Source, empty func(*Standing) bool) []Row {
	same := homesOf(sources)
	known := make(map[agent.Identity]*Standing, len(standings))
	for i := range standings {
		s := &standings[i]
		if was := known[same.of(s.Identity)]; was == nil || !was.Open() && (s.Open() || s.Used.After(was.Used)) {
			known[same.of(s.Identity)] = s
		}
	}
	rows := make([]Row, 0, len(stored))
	for _, s := range stored {
		id := same.of(s.Identity)
		row := Row{Conversation: s, Standing: known[id]}
		if row.Standing != nil {
			row.Identity = row.Standing.Identity
		}
		rows = append(rows, row)
		delete(known, id)
	}
	for i := range standings {
		s := &standings[i]
		if known[same.of(s.Identity)] == s && (s.Prompted || s.Unheard && !empty(s)) {
			rows = append(rows, Row{Conversation: Conversation{Identity: s.Identity, Dir: s.Dir, Begun: s.Begun, Used: s.Used}, Standing: s})
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return b.Used.Compare(a.Used) })
	return rows
}

// names are the first name of each home by its other ones, all without a session.
type names map[agent.Identity]agent.Identity

func homesOf(sources []Source) names {
	all := names{}
	for _, s := range sources {
		for _, name := range s.also {
			all[name] = agent.Identity{Kind: s.Store.Kind, Home: s.Home}
		}
	}
	return all
}

// of is a session by the first name of its home.
func (n names) of(id agent.Identity) agent.Identity {
	first, ok := n[agent.Identity{Kind: id.Kind, Home: id.Home}]
	if !ok {
		return id
	}
	first.Session = id.Session
	return first
}
