package ui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/ui/alert"
	"reprise/ui/frame"
)

func init() {
	actions = append(actions, action{"waiting", "waiting agent", "Go to the agent that waits longest for you", own, showWaiting})
	bindings = append(bindings, binding{"g", "waiting"})
}

// doings are what an agent does as a title shows it; guess if only the screen tells it.
var doings = map[agent.Doing]struct{ sure, guess frame.State }{
	agent.Working:        {frame.Working, frame.WorkingGuess},
	agent.AsksPermission: {frame.Permission, frame.PermissionGuess},
	agent.AsksAnswer:     {frame.Question, frame.QuestionGuess},
	agent.TurnDone:       {frame.Done, frame.Done},
	agent.TurnFailed:     {frame.Failed, frame.Failed},
	agent.Idle:           {frame.Idle, frame.IdleGuess},
}

// doing is what the title shows of a pane whose program runs: what its agent does, or
// news, where that calls for nobody.
func (p *pane) doing() frame.State {
	s := p.agent.Status.Seen(!p.news.unseen.Has(alert.Done))
	look := doings[s.Doing].sure
	if s.Guess() {
		look = doings[s.Doing].guess
	}
	if calm := s.Doing == agent.Working || s.Doing == agent.Idle; p.news.look != frame.Normal && (calm || look == frame.Normal) {
		return p.news.look
	}
	return look
}

// waiters are the cards of the agents that wait for a person, the longest first; those
// that only look like it last.
func waiters(cards []card) (all []card) {
	for _, c := range cards {
		if c.status.Doing.Waits() {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b card) int {
		if a.status.Guess() != b.status.Guess() {
			if b.status.Guess() {
				return -1
			}
			return 1
		}
		return a.status.Since.Compare(b.status.Since)
	})
	return all
}

// showWaiting goes to the agent that waits longest: of this session if one does, and not
// where the person is already.
func showWaiting(m *Model) tea.Cmd {
	all := append(waiters(m.cardsOf(m.own(), nil)), waiters(m.cards())...)
	for _, c := range all {
		if c.pane != m.view.focus {
			return m.goTo(c.place())
		}
	}
	if len(all) > 0 {
		return m.say("No other agent waits for you.", false)
	}
	return m.say("No agent waits for you.", false)
}

// waitWords say how many agents surely wait, and how long the first of them has.
func waitWords(cards []card, now time.Time) []string {
	all := waiters(cards)
	n := slices.IndexFunc(all, func(c card) bool { return c.status.Guess() })
	if n < 0 {
		n = len(all)
	}
	if n == 0 {
		return nil
	}
	words, since := "1 waits", now.Sub(all[0].status.Since)
	if n > 1 {
		words = fmt.Sprint(n, " wait")
	}
	switch {
	case since < time.Minute: // chrome is drawn anew each minute
	case n > 1:
		words += ", longest " + short(since)
	default:
		words += ", " + short(since)
	}
	return []string{words}
}

// short is a time of a minute or more in one unit.
func short(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d d", d/(24*time.Hour))
	case d >= time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dm", d/time.Minute)
}
