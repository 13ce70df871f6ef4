package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/frame"
)

// view is what this client shows of the host's panes.
type view struct {
	size    panes.Size
	seq     uint64 // of layout; 0: none was asked for
	layout  panes.Layout
	*tab                // the one that is shown; never nil
	tabs    []*tab      // in their order
	before  panes.TabID // the tab that was shown before
	stands  standing    // what placed was made for
	panes   map[panes.PaneID]*pane
	all     []panes.PaneID // of all tabs, in reading order
	placed  []panes.Placed // those that are shown
	blurred bool           // the client's terminal lost the focus
	visible []panes.PaneID // the focused pane first
	look    agent.Look     // as last reported
	had     bool           // there was a pane once
	stale   bool           // panes out of sight are to be asked for, too
	news    uint64         // of the host, when they last were
	asks    bool           // a pane in sight has pane.asks
	worded  int            // changes with the words or the look of any pane
	sum     summary
	going   bool // another session is being entered
	cast    cast
	side    sidebar
}

// standing is all that the places of panes depend on.
type standing struct {
	seq   uint64
	size  panes.Size
	tab   panes.TabID
	alone panes.PaneID // shown zoomed
	open  panes.PaneID // the pane with the focus, where it opens a stack
	over  panes.PaneID // the floating pane, where it is shown
	left  int          // columns beside them
}

// pane is one pane as this client last saw it.
type pane struct {
	term     *panes.Terminal
	seq      uint64
	titleSeq uint64 // of term, when only its title was looked at
	screen   vt.Screen
	state    vt.State
	dead     bool // no program runs in it
	agent    agent.PaneView
	ready    bool // agent was asked for once
	size     panes.Size
	keyAt    time.Time // when the person last typed at it, keys that were swallowed too
	hold     hold
	copy     *copying         // nil: not in copy mode
	cwd      string           // its process's directory, if it does not tell; "" if not known
	asks     bool             // cwd may be another by now
	beside   *pane            // where it was opened, until its program runs
	said     panes.TerminalID // whose notice was said
	news     news

	// Words for the frame, made when what they tell changes.
	name, task, dir string
	title           string // for the client's terminal
	look            frame.State
	word            string
	strip           frame.Strip
	acts            []stripKey // what the strip's keys do
}

func newView(cfg Config) view {
	return view{size: cfg.Size, panes: map[panes.PaneID]*pane{}, tab: &tab{focus: cfg.Focus}}
}

// area is where panes stand: all but the status bar and the sidebar.
func (v *view) area() panes.Size {
	return panes.Size{Cols: max(1, v.size.Cols-v.sideCols()), Rows: max(1, v.size.Rows-1)}
}

// refused says that there is no room for a layout.
func (v *view) refused() bool { return v.size.Cols < frame.MinCols || v.size.Rows < frame.MinRows }

// zoomed says that only the focused pane is shown, by wish or for want of room.
func (v *view) zoomed() bool {
	area := v.area()
	return len(v.order) > 1 && (v.zoom || area.Cols < v.least.Cols || area.Rows < v.least.Rows)
}

// source names the terminal whose screen is held, for the frame.
func (p *pane) source() string {
	if p.hold.on() {
		return "" // the one before
	}
	return string(p.term.ID())
}

func (v *view) focused() *pane { return v.panes[v.focus] }

// sync asks the host and the coordinator for their state. It does no I/O. The
// commands it returns start the resumes of candidates that are now shown.
func (m *Model) sync() tea.Cmd {
	v := &m.view
	first := !v.had
	changed := m.takeLayout()
	if len(v.all) == 0 {
		if v.had {
			return m.followPane()
		}
		return nil
	}
	v.had = true
	if v.place() {
		m.resizePanes()
	}
	cmd := m.refreshAll(changed)
	if changed {
		m.retell()
		m.forget()
		cmd = both(cmd, m.recast())
		if !first { // whoever changed it: a crash must not bring the old one back
			cmd = both(cmd, m.save())
		}
	}
	m.report()
	m.reportSight()
	cmd = both(cmd, both(m.takeAlerts(), m.monitor()))
	return both(both(cmd, m.settle()), both(m.fire(), both(m.followBranch(), m.askCwd())))
}

// refreshAll takes in what changed of the panes. Of those out of sight nothing can have
// changed that this client shows, while there is only output.
func (m *Model) refreshAll(all bool) (cmd tea.Cmd) {
	v := &m.view
	news := m.cfg.Host.NewsSeq()
	if all || v.stale || news != v.news {
		v.stale, v.news = false, news
		for _, p := range v.all {
			cmd = both(cmd, m.refresh(p, v.panes[p]))
		}
		return cmd
	}
	for _, at := range v.placed {
		if p := v.panes[at.Pane]; p != nil {
			cmd = both(cmd, m.refresh(at.Pane, p))
		}
	}
	return cmd
}

// takeLayout takes on a new layout and reports whether there was one.
func (m *Model) takeLayout() bool {
	v := &m.view
	seq := m.cfg.Host.LayoutSeq()
	if seq == v.seq && v.had {
		return false
	}
	was := v.layout.Meta
	v.seq, v.layout = seq, m.cfg.Host.Layout()
	v.all = v.layout.Panes()
	for p := range v.panes {
		if !slices.Contains(v.all, p) {
			delete(v.panes, p)
			delete(m.acting, p)
		}
	}
	for _, p := range v.all {
		if v.panes[p] == nil {
			v.panes[p] = new(pane)
		}
	}
	m.takeTabs()
	for id, p := range v.panes {
		if p.ready && was[id].Name != v.layout.Meta[id].Name {
			m.word(p)
		}
	}
	return true
}

// place says where the panes that are shown stand, and whether that may have
// changed.
func (v *view) place() bool {
	at := standing{seq: v.seq, size: v.size, tab: v.tab.ID, left: v.sideCols()}
	switch {
	case v.zoomed():
		at.alone = v.base()
	case v.Stacked():
		at.open = v.base()
	}
	if v.floats() {
		at.over = v.Floating
	}
	if at == v.stands {
		return false
	}
	v.stands = at
	shown := v.tab.Tab
	if at.alone != "" {
		shown = panes.Tab{Root: &panes.Node{Pane: at.alone}}
	}
	v.placed = shown.Arrange(v.area(), v.front()...)
	if at.over != "" {
		v.placed = append(v.placed, v.PlaceFloating(v.area()))
	}
	v.placed = v.beside(v.placed)
	return true
}

// beside makes places in the area places on the terminal.
func (v *view) beside(placed []panes.Placed) []panes.Placed {
	for i := range placed {
		placed[i].Title.X += v.sideCols()
		placed[i].Grid.X += v.sideCols()
	}
	return placed
}

// resizePanes tells the host the sizes in which panes are shown, and which are not
// any more: those that others show are theirs. A terminal too small for a layout
// leaves them as they are: they run on. One who only looks on sees them as they are.
func (m *Model) resizePanes() {
	if m.view.refused() || m.cfg.ReadOnly {
		return
	}
	for _, at := range m.view.placed {
		p := m.view.panes[at.Pane]
		if s := (panes.Size{Cols: at.Grid.W, Rows: at.Grid.H}); p != nil && s != p.size && s.Cols > 0 && s.Rows > 0 {
			p.size = s
			m.cfg.Host.SetSize(m.cfg.Client, at.Pane, s)
		}
	}
	for id, p := range m.view.panes {
		if p.size != (panes.Size{}) && !m.shown(id) {
			p.size = panes.Size{}
			m.cfg.Host.Hide(m.cfg.Client, id)
		}
	}
}

// refresh takes in what changed of a pane. Screens are copied only if they are
// shown.
func (m *Model) refresh(id panes.PaneID, p *pane) (cmd tea.Cmd) {
	term := m.cfg.Host.Shown(id)
	told := m.cfg.Resumer.View(id)
	same := p.ready && told == p.agent && term == p.term
	if term != p.term {
		cmd = m.succeed(p, term, &told)
	}
	dead := term == nil
	if term != nil {
		_, _, dead = term.Exit()
	}
	same = same && dead == p.dead
	cmd = both(cmd, m.leftWords(p, told.Left))
	p.agent, p.ready, p.dead = told, true, dead
	if st, changed := m.see(id, p); changed {
		same = same && sameWords(&st, &p.state)
		p.state = st
	}
	if p.hold.over(p) {
		p.release()
		same = false
	}
	if !same {
		m.word(p)
	}
	cmd = both(cmd, m.refreshCopy(id, p))
	return both(cmd, m.notice(p))
}

// see takes in what changed of a pane that is in sight: its screen and what its program
// says of itself, of one whose title alone is shown the latter.
func (m *Model) see(id panes.PaneID, p *pane) (st vt.State, changed bool) {
	at, ok := m.titled(id)
	if !ok || p.term == nil {
		return st, false
	}
	if seq := p.term.Seq(); closed(at) {
		changed, p.titleSeq = seq != p.titleSeq, seq
	} else if changed = seq != p.seq; changed {
		p.snapshot()
	}
	if !changed {
		return st, false
	}
	st = p.term.State()
	p.asks = st.Dir == "" && p.agent.Kind == "" && !p.dead
	m.view.asks = m.view.asks || p.asks
	return st, true
}

// shown reports whether a pane's screen is shown, titled whether at least its title is.
func (m *Model) shown(id panes.PaneID) bool {
	at, ok := m.titled(id)
	return ok && !closed(at)
}

func (m *Model) titled(id panes.PaneID) (panes.Placed, bool) {
	i := slices.IndexFunc(m.view.placed, func(at panes.Placed) bool { return at.Pane == id })
	if i < 0 {
		return panes.Placed{}, false
	}
	return m.view.placed[i], true
}

// closed reports whether of a pane only the title is shown: it stands in a stack.
func closed(at panes.Placed) bool { return at.Title.H > 0 && at.Grid.H == 0 }

// retell makes the words of panes anew that name a tab: it may have another number.
func (m *Model) retell() {
	for _, p := range m.view.panes {
		if p.agent.Other != "" {
			m.word(p)
		}
	}
}

// forget drops what was remembered of candidates that no pane has any more.
func (m *Model) forget() {
	for t := range m.fired {
		known := false
		for _, p := range m.view.panes {
			known = known || p.agent.Candidate == t
		}
		if !known {
			delete(m.fired, t)
		}
	}
	m.status.notices.log.Forget(func(p panes.PaneID) bool { return m.view.panes[p] != nil })
}

// report tells the coordinator what this client shows, when that changes.
func (m *Model) report() {
	v := &m.view
	v.visible = append(v.visible[:0], v.focus)
	for _, at := range v.placed {
		if at.Pane != v.focus && !closed(at) {
			v.visible = append(v.visible, at.Pane)
		}
	}
	if v.focus == v.look.Focused && slices.Equal(v.visible, v.look.Visible) {
		return
	}
	v.look = agent.Look{Client: string(m.cfg.Client), Focused: v.focus, Visible: slices.Clone(v.visible)}
	m.cfg.Resumer.Look(v.look)
}

// resize takes on a size of the client's terminal. It may be the same: it was another
// in between, and what the terminal has made of its rows and its scroll region nobody knows.
func (m *Model) resize(s panes.Size) (cmd tea.Cmd) {
	first := !m.draws.sized
	m.draws.sized = true
	if first && s == m.view.size {
		return nil // the Program says it at its start: a frame now would hold the first prompt back
	}
	m.draws.painter.Invalidate()
	m.draws.dirty = true
	if s == m.view.size {
		return nil
	}
	m.view.size = s
	if _, on := m.mode.(*sideKeys); on && !m.view.sideShown() {
		m.enter(passThrough{}, 0)
	}
	if m.view.refused() {
		cmd = m.unseen()
	}
	return cmd
}
