package ui

import (
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui/frame"
	"reprise/ui/paint"
)

// drawing is what turns the view into bytes for the client's terminal.
type drawing struct {
	sized    bool // the Program has told the size once
	scene    frame.Scene
	composer frame.Composer
	painter  paint.Painter
	due      time.Time // of the next frame, if all were frameTime apart
	dirty    bool      // something may have changed since
	out      []byte
	clips    map[panes.PaneID]clipped

	// The commands of the steady state are made once: drawing allocates
	// nothing. There is never more than one of each under way.
	wait    tea.Cmd         // until something may have changed: a wakeMsg
	done    <-chan struct{} // closed when it is for another session
	waiting bool
	pace    tea.Cmd // until rest is over: a frameMsg
	pacing  bool
	write   tea.Cmd     // out, to the terminal: a writtenMsg
	writing bool        // out belongs to write
	timer   *time.Timer // for pace
	rest    time.Duration
	echo    echo // what need not wait for pace
	ear     ear
	reader  reader
	driver  driver
}

func newDrawing(cfg Config) drawing {
	d := drawing{painter: paint.Painter{Profile: cfg.Profile}, timer: time.NewTimer(time.Hour), clips: map[panes.PaneID]clipped{}}
	d.timer.Stop()
	equip(&d.painter, cfg.Env)
	return d
}

// recycle lets go of what was drawn: the next client can have its memory.
func (m *Model) recycle() {
	m.draws.painter.Recycle()
	m.draws.composer.Recycle()
	for _, p := range m.view.panes {
		p.screen.Recycle()
		p.hold.next.Recycle()
		p.seq = 0
	}
}

// draw composes a frame and puts out what differs from the last one; false: it is
// the same.
func (m *Model) draw() bool {
	d := &m.draws
	m.compose()
	grid, cur := d.composer.Frame(&d.scene)
	body := d.painter.Frame(grid, cur)
	m.clip()
	d.out = m.outer.follow(d.out[:0], m.wants(cur))
	d.out = append(d.out, body...)
	return len(d.out) > 0
}

// compose fills the scene from the view.
func (m *Model) compose() {
	v, s := &m.view, &m.draws.scene
	s.Size, s.ASCII, s.Palette = v.size, m.outer.ascii || m.outer.reader, m.outer.palette
	s.Panes = s.Panes[:0]
	numbered := m.mode.numbers()
	casts := m.casts(v.focus) // else its keys go to it alone
	for i, at := range v.placed {
		p := v.panes[at.Pane]
		if p == nil {
			continue
		}
		fp := frame.Pane{
			Title: at.Title, Grid: at.Grid, Name: p.name, Task: p.task, Dir: p.dir,
			State: p.look, Word: p.word, Focus: at.Pane == v.focus, Dead: p.dead || p.hold.on(), Strip: p.strip,
			Prompts: p.agent.Prompts, Barred: p.agent.Barred != "",
		}
		fp.Over = at.Pane == v.Floating
		if numbered && !fp.Over {
			fp.Number = i + 1
		}
		if fp.Typed = casts && m.casts(at.Pane); v.cast.marks(at.Pane) {
			fp.Dir = markedWords
		}
		if p.term != nil && p.screen.Cols > 0 {
			fp.Screen, fp.Source = &p.screen, p.source()
		}
		if c := p.copy; c != nil {
			fp.Screen, fp.Source, fp.Where = &c.screen, c.source, c.where
			fp.Dead, fp.Strip = false, frame.Strip{}
		}
		if m.outer.reader {
			fp = plainPane(fp)
		}
		if h, on := m.mode.(*hinting); on && h.pane == at.Pane {
			h.show(&fp)
		}
		s.Panes = append(s.Panes, fp)
	}
	s.Tabs = append(s.Tabs[:0], v.summed(m.cfg.Alerts.Off).tabs...)
	s.Side = m.sideScene()
	s.Sheet = m.mode.sheet()
	if _, on := m.mode.(*history); !on {
		s.History = nil
	}
	s.Bar = m.bar()
	m.hear()
}

// bar fills the status bar.
func (m *Model) bar() frame.Bar {
	v := &m.view
	b := frame.Bar{Chip: m.mode.chip(), Session: m.cfg.Workspace.Name(), Branch: m.status.branch, Clock: m.status.clock, Clients: len(m.peers)}
	if b.Mode = m.modeBar(); b.Chip == "" && b.Mode != (frame.ModeBar{}) {
		b.Chip = copyChip
	}
	if b.Chip == "" && m.cfg.ReadOnly {
		b.Chip = readOnlyChip
	}
	b.Message, b.Failure = m.status.text, m.status.failure
	b.Layout, b.Host, b.Load = m.cfg.Bar, m.status.host, m.status.load
	if v.zoomed() {
		b.Zoomed, b.Hidden = true, len(v.order)-1
	}
	of := v.summed(m.cfg.Alerts.Off)
	b.Failed, b.Resuming, b.Waits, b.Working, b.Agents = of.failed, of.resuming, of.waits, of.working, of.agents
	if !m.keys.seen {
		b.Prefix, b.Hint = m.keys.prefix, m.keys.firstHint
	}
	m.loud(&b)
	return b
}

// word makes a pane's words for the frame anew.
func (m *Model) word(p *pane) {
	m.view.worded++
	name, dir, look, word := p.name, p.dir, p.look, p.word
	m.words(p, m.view.layout.Meta[p.agent.Pane])
	if name != p.name || dir != p.dir || look != p.look || word != p.word {
		m.view.side.worded++
	}
}

// words are who runs in a pane, where, and its strip. What its person calls it stands
// for what its program works on.
func (m *Model) words(p *pane, meta panes.PaneMeta) {
	p.name = clean(p.agent.Label)
	if p.name == "" && p.term != nil {
		p.name = clean(programName(p.term.Spec()))
	}
	p.dir = tilde(clean(p.workDir()), m.cfg.Home)
	p.task = task(m.titleOf(p))
	if p.task == p.name || p.dead && p.agent.Kind == "" && p.agent.State != agent.PaneNotStarted {
		p.task = ""
	}
	if meta.Name != "" {
		p.task = meta.Name
	}
	p.title = p.task
	if p.title == "" {
		p.title = p.name
	}
	if p.title != "" {
		p.title += " - "
	}
	p.title += clean(m.cfg.Workspace.Name())
	p.strip, p.acts = frame.Strip{}, nil
	p.look, p.word = frame.Normal, ""
	state := p.agent.State
	if p.hold.on() && state == agent.PaneNormal {
		state = agent.PaneResuming // not done before there is something to see
	}
	row, ok := strips[state]
	p.news.look = m.alertLook(p.news.unseen)
	if p.look = row.look; p.look == frame.Normal {
		p.look = p.doing()
	}
	if !ok {
		return
	}
	if row.exit {
		p.word = exitWord(p.agent.Exit)
	}
	if row.words == nil {
		return
	}
	f := stripFacts{now: time.Now()}
	if t := m.view.holder(p.agent.Other); t != nil {
		f.here = true
		if t != m.view.holder(p.agent.Pane) {
			f.tab = m.view.number(t)
		}
	}
	p.acts = row.keys
	if row.choose != nil {
		p.acts = row.choose(&p.agent, f)
	}
	if m.cfg.ReadOnly {
		p.acts = nil
	}
	p.strip = frame.Strip{State: row.glyph, Words: clean(row.words(&p.agent, f)), Keys: hintsOf(p.acts)}
}

func programName(s panes.Spec) string {
	if s.Label != "" {
		return s.Label
	}
	if len(s.Argv) > 0 {
		return strings.TrimPrefix(filepath.Base(s.Argv[0]), "-")
	}
	return ""
}
