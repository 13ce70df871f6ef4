package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/panes"
)

// firing is what became of the one call of Resume for a candidate.
type firing uint8

const (
	fired firing = iota + 1
	// lost: another process had the claim, and the pane still says that the
	// candidate is due because it was not looked at since.
	lost
	// again: it was lost, and the pane said something else since. If it is due
	// once more the other process gave it back: that is a new decision.
	again
)

// fire starts the resumes of the candidates that are shown and due: one command
// for each candidate. Focus changes, frames and other clients do not start
// another; the coordinator decides about retries.
func (m *Model) fire() tea.Cmd {
	var cmds []tea.Cmd
	for _, id := range m.view.look.Visible {
		p := m.view.panes[id]
		if p == nil || p.agent.Candidate == "" {
			continue
		}
		t := p.agent.Candidate
		switch was := m.fired[t]; {
		case p.agent.State != agent.PaneDue:
			if was == lost {
				m.fired[t] = again
			}
		case was == 0 || was == again:
			m.fired[t] = fired
			cmds = append(cmds, m.resume(agent.ResumeRequest{Terminal: t, Pane: id}))
		}
	}
	if len(cmds) == 0 {
		return nil // tea.Batch would allocate
	}
	return tea.Batch(cmds...)
}

// resumeMsg is the outcome of one call of Resume.
type resumeMsg struct {
	req agent.ResumeRequest
	res agent.ResumeResult
}

func (r resumeMsg) apply(m *Model) tea.Cmd {
	delete(m.acting, r.req.Pane)
	m.draws.dirty = true
	if m.fired[r.req.Terminal] == fired && !r.res.Resumed && r.res.Failure == agent.FailNone && r.res.Err == nil {
		m.fired[r.req.Terminal] = lost
	}
	if r.res.Err != nil && r.req.ByPerson && m.cfg.Resumer.View(r.req.Pane).State != agent.PaneFailed {
		return m.say(r.res.Err.Error(), true)
	}
	return nil
}

func (m *Model) resume(r agent.ResumeRequest) tea.Cmd {
	resumer := m.cfg.Resumer
	return m.run(func(ctx context.Context) tea.Msg {
		return resumeMsg{r, resumer.Resume(ctx, r)}
	})
}

func resumes(override bool) stripAct {
	return func(m *Model, id panes.PaneID) tea.Cmd {
		return m.resumeByPerson(id, override)
	}
}

// resumeByPerson resumes what the pane holds: caps, ages and dismissals do not
// count.
func (m *Model) resumeByPerson(id panes.PaneID, override bool) tea.Cmd {
	p := m.view.panes[id]
	if p != nil && p.agent.Left.Session != "" {
		return m.resumeLeft(&p.agent.Left)
	}
	if p == nil || p.agent.Candidate == "" || !p.dead {
		return m.say("This pane has no saved session to resume.", false)
	}
	if m.acting[id] {
		return nil
	}
	m.acting[id] = true
	m.fired[p.agent.Candidate] = fired
	return m.resume(agent.ResumeRequest{Terminal: p.agent.Candidate, Pane: id, ByPerson: true, Override: override})
}

// resumeLeft resumes beside a living shell what has died alone in it.
func (m *Model) resumeLeft(left *agent.Left) tea.Cmd {
	from, ok := m.cfg.Sessions.(Past)
	if !ok {
		return m.say("This pane has no saved session to resume.", false)
	}
	host, beside, area := m.cfg.Host, m.view.focus, m.view.area()
	m.view.zoom = false
	r := past.Row{Conversation: past.Conversation{Identity: left.Identity, Dir: left.Dir}}
	return m.opensIn(from, r, PastHow{}, func() (panes.PaneID, error) { return host.Split(beside, panes.Down, area) })
}

// leftWords say once that an agent has died alone in a pane's shell.
func (m *Model) leftWords(p *pane, now agent.Left) tea.Cmd {
	if !p.ready || now.Session == "" || now == p.agent.Left {
		return nil
	}
	return m.sayFor(noticeTime, now.Label+" ended in its shell; its session is kept. The key that resumes it"+m.keyIn("resume")+" brings it back beside the shell.", false)
}

// actedMsg is the outcome of a person's act on a dead pane.
type actedMsg struct {
	pane panes.PaneID
	err  error
}

func (a actedMsg) apply(m *Model) tea.Cmd {
	delete(m.acting, a.pane)
	m.draws.dirty = true
	if a.err != nil {
		return m.say(a.err.Error(), true)
	}
	return nil
}

func does(act agent.Act) stripAct {
	return func(m *Model, id panes.PaneID) tea.Cmd {
		if m.acting[id] {
			return nil
		}
		m.acting[id] = true
		l := m.cfg.Launcher
		return m.run(func(ctx context.Context) tea.Msg { return actedMsg{id, l.Do(ctx, id, act)} })
	}
}

func goOther(m *Model, id panes.PaneID) tea.Cmd {
	if p := m.view.panes[id]; p != nil {
		m.setFocus(p.agent.Other)
	}
	return nil
}

func closeDead(m *Model, id panes.PaneID) tea.Cmd { return m.shut(id) }
