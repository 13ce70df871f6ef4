package agent_test

import (
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
)

func TestDue(t *testing.T) {
	p, auto := agent.DefaultPolicy(), agent.DefaultSettings()
	with := func(change func(*agent.Settings)) agent.Settings {
		s := auto
		change(&s)
		return s
	}
	ago := func(d time.Duration) time.Time { return noon.Add(-d) }
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		b    agent.Binding
		s    agent.Settings
		want agent.PaneState
		at   time.Time
	}{
		"due":                         {b: agent.Binding{Ended: ago(time.Second)}, s: auto, want: agent.PaneDue},
		"dismissed":                   {b: agent.Binding{Ended: ago(1), Dismissed: ago(1)}, s: auto, want: agent.PaneDismissed},
		"dismissed though paused":     {b: agent.Binding{Ended: ago(1), Dismissed: ago(1), Attempts: 9}, s: auto, want: agent.PaneDismissed},
		"paused":                      {b: agent.Binding{Ended: ago(1), Attempts: 4}, s: auto, want: agent.PanePaused},
		"three deaths do not pause":   {b: agent.Binding{Ended: ago(1), Attempts: 3}, s: auto, want: agent.PaneDue},
		"paused though mode ask":      {b: agent.Binding{Ended: ago(1), Attempts: 4}, s: with(func(s *agent.Settings) { s.Mode = agent.ModeAsk }), want: agent.PanePaused},
		"waiting":                     {b: agent.Binding{Ended: ago(1), Attempts: 1, NextAttempt: noon.Add(1)}, s: auto, want: agent.PaneWaiting, at: noon.Add(1)},
		"waited":                      {b: agent.Binding{Ended: ago(1), Attempts: 1, NextAttempt: noon}, s: auto, want: agent.PaneDue},
		"mode ask":                    {b: agent.Binding{Ended: ago(1)}, s: with(func(s *agent.Settings) { s.Mode = agent.ModeAsk }), want: agent.PaneAsk},
		"mode off":                    {b: agent.Binding{Ended: ago(1)}, s: with(func(s *agent.Settings) { s.Mode = agent.ModeOff }), want: agent.PaneAsk},
		"old by its end":              {b: agent.Binding{Ended: ago(7*day + 1)}, s: auto, want: agent.PaneAsk},
		"old by its last event":       {b: agent.Binding{Ended: ago(1), LastEventAt: ago(8 * day)}, s: auto, want: agent.PaneAsk},
		"ended long ago, event after": {b: agent.Binding{Ended: ago(8 * day), LastEventAt: ago(day)}, s: auto, want: agent.PaneDue},
		"just not old":                {b: agent.Binding{Ended: ago(7 * day)}, s: auto, want: agent.PaneDue},
		"none is too old":             {b: agent.Binding{Ended: ago(700 * day)}, s: with(func(s *agent.Settings) { s.MaxAge = 0 }), want: agent.PaneDue},
	} {
		t.Run(name, func(t *testing.T) {
			got, at := p.Due(c.b, c.s, noon)
			if got != c.want || !at.Equal(c.at) {
				t.Errorf("got %v at %v, want %v at %v", got, at, c.want, c.at)
			}
		})
	}
}

func TestClassify(t *testing.T) {
	p := agent.DefaultPolicy()
	status := func(n int) *panes.Exit { return &panes.Exit{Status: n} }
	hup := &panes.Exit{Status: 129, Signal: 1}
	key := noon.Add(-time.Second)
	started := noon.Add(-2 * time.Second)
	resumed := agent.Death{GateOpen: true, Probation: true, Started: started, Turn: true}
	first := agent.Death{GateOpen: true, First: true, Started: started}
	spoken := first
	spoken.Turn = true
	died := func(d agent.Death, change func(*agent.Death)) agent.Death {
		change(&d)
		return d
	}
	exit := func(d agent.Death, e *panes.Exit) agent.Death {
		d.Exit = e
		return d
	}
	type want struct {
		reason   agent.EndReason
		unsure   bool
		failed   bool
		attempts int
		next     time.Duration // after the death; 0: none
		row      time.Duration // the row of deaths began this long before; only with attempts
	}
	exited := want{reason: agent.TerminalExited}
	left := want{reason: agent.Detached, unsure: true}
	early := func(n int, next time.Duration) want {
		return want{reason: agent.TerminalExited, attempts: n, next: next}
	}
	for name, c := range map[string]struct {
		d    agent.Death
		want want
	}{
		"clean quit":                           {exit(spoken, status(0)), left},
		"clean quit with a key":                {died(exit(spoken, status(0)), func(d *agent.Death) { d.LastKey = key }), left},
		"crash after a turn":                   {exit(spoken, status(1)), exited},
		"killed":                               {exit(spoken, &panes.Exit{Status: 137, Signal: 9}), exited},
		"killed before any turn":               {exit(first, hup), exited},
		"shell's word for a signal":            {exit(first, status(129)), exited},
		"exit not known":                       {exit(spoken, nil), exited},
		"first launch failed":                  {exit(first, status(1)), want{reason: agent.TerminalExited, failed: true}},
		"first launch failed with 128":         {exit(first, status(128)), want{reason: agent.TerminalExited, failed: true}},
		"first launch quits at once":           {exit(first, status(0)), left},
		"first launch that held, then crashed": {died(exit(first, status(1)), func(d *agent.Death) { d.Started = noon.Add(-5 * time.Minute) }), exited},
		"gate never opened, status 0":          {died(exit(spoken, status(0)), func(d *agent.Death) { d.GateOpen = false }), want{reason: agent.TerminalExited, failed: true}},
		"gate of a resume never opened":        {died(exit(resumed, status(0)), func(d *agent.Death) { d.GateOpen, d.LastKey = false, key }), early(1, time.Second)},
		"stopping, status 0":                   {died(exit(spoken, status(0)), func(d *agent.Death) { d.Stopping = true }), exited},
		"stopping in probation":                {died(exit(resumed, hup), func(d *agent.Death) { d.Stopping, d.Attempts, d.FirstDeath = true, 2, noon }), want{reason: agent.TerminalExited, attempts: 2}},
		"disposed in probation":                {died(exit(resumed, hup), func(d *agent.Death) { d.Disposed = true }), exited},
		"early death by crash":                 {exit(resumed, status(1)), early(1, time.Second)},
		"early death by signal":                {exit(resumed, hup), early(1, time.Second)},
		"early death with status 0":            {exit(resumed, status(0)), early(1, time.Second)},
		"quit in probation, key typed":         {died(exit(resumed, status(0)), func(d *agent.Death) { d.LastKey = key }), left},
		"crash in probation, key typed":        {died(exit(resumed, status(1)), func(d *agent.Death) { d.LastKey, d.FirstKey = key, key }), early(1, time.Second)},
		"second early death":                   {died(exit(resumed, status(1)), func(d *agent.Death) { d.Attempts, d.FirstDeath = 1, noon.Add(-time.Minute) }), want{agent.TerminalExited, false, false, 2, 5 * time.Second, time.Minute}},
		"third early death":                    {died(exit(resumed, status(1)), func(d *agent.Death) { d.Attempts, d.FirstDeath = 2, noon.Add(-time.Minute) }), want{agent.TerminalExited, false, false, 3, 30 * time.Second, time.Minute}},
		"fourth early death":                   {died(exit(resumed, status(1)), func(d *agent.Death) { d.Attempts, d.FirstDeath = 3, noon.Add(-10*time.Minute) }), want{agent.TerminalExited, false, false, 4, 30 * time.Second, 10 * time.Minute}},
		"fourth, but the row is old":           {died(exit(resumed, status(1)), func(d *agent.Death) { d.Attempts, d.FirstDeath = 3, noon.Add(-10*time.Minute-1) }), early(1, time.Second)},
		"paused stays paused":                  {died(exit(resumed, status(1)), func(d *agent.Death) { d.Attempts, d.FirstDeath = 4, noon.Add(-time.Hour) }), want{agent.TerminalExited, false, false, 5, 30 * time.Second, time.Hour}},
		"crash once proven by time":            {died(exit(resumed, status(1)), func(d *agent.Death) { d.Started, d.Attempts = noon.Add(-5*time.Minute), 3 }), exited},
		"crash once proven by a key":           {died(exit(resumed, status(1)), func(d *agent.Death) { d.Started, d.FirstKey = noon.Add(-2*time.Minute), noon.Add(-time.Minute) }), exited},
		"quit once proven":                     {died(exit(resumed, status(0)), func(d *agent.Death) { d.Started = noon.Add(-5 * time.Minute) }), left},
	} {
		t.Run(name, func(t *testing.T) {
			c.d.At = noon
			e := p.Classify(c.d)
			got := want{reason: e.Asked, unsure: e.Unsure, failed: e.FirstFailed, attempts: e.Attempts}
			if !e.NextAttempt.IsZero() {
				got.next = e.NextAttempt.Sub(noon)
			}
			if e.Attempts > 0 {
				got.row = noon.Sub(e.FirstDeath)
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v (%s)", got, c.want, e.Why)
			}
			if e.Why == "" {
				t.Error("no words for the ledger")
			}
		})
	}
}

func TestSettle(t *testing.T) {
	p := agent.DefaultPolicy()
	for name, c := range map[string]struct {
		key  time.Time
		want time.Duration
	}{
		"no key":          {want: 30 * time.Second},
		"key just before": {noon.Add(-10 * time.Second), 2 * time.Second},
		"key long before": {noon.Add(-10*time.Second - 1), 30 * time.Second},
	} {
		if got := p.Settle(c.key, noon); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
