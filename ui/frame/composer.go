package frame

import (
	"fmt"
	"slices"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/paint"
	"reprise/ui/theme"
)

// Composer turns scenes into a grid. It keeps the grid between frames: while
// only programs write, it copies nothing but the rows that changed and allocates
// nothing.
type Composer struct {
	grid  *paint.Grid
	last  Scene
	drawn []drawn
	rules rules
	ascii bool
	heard bool // for a person who hears the screen: no marks
	mark  string
	top   int       // first row that a sheet covers
	caret vt.Cursor // visible: it stands in what is typed into the bar
	tabs  []tabSpan // where the tabs stand in the status bar
}

// drawn is what of a pane's screen the grid holds.
type drawn struct {
	cols, rows int
	left, top  int // the first cell of the screen that the pane shows
	gens       []uint64
	visible    int // rows of the pane that neither its strip nor a sheet covers
}

// Frame composes a scene. The grid belongs to the composer and holds until the
// next call.
func (c *Composer) Frame(s *Scene) (*paint.Grid, vt.Cursor) {
	if !c.same(s) {
		c.all(s)
	} else if !small(s) && s.History == nil {
		for i := range s.Panes {
			c.screen(&s.Panes[i], &c.drawn[i], false)
		}
	}
	return c.grid, c.cursor(s)
}

// Invalidate makes the next frame start from nothing.
func (c *Composer) Invalidate() { c.grid = nil }

// Recycle is Invalidate, and lets go of the grid's memory.
func (c *Composer) Recycle() {
	if c.grid != nil {
		c.grid.Recycle()
		c.grid = nil
	}
}

func small(s *Scene) bool { return s.Size.Cols < MinCols || s.Size.Rows < MinRows }

func (c *Composer) same(s *Scene) bool {
	l := &c.last
	if c.grid == nil || l.Size != s.Size || l.Bar != s.Bar || l.Side != s.Side || l.Sheet != s.Sheet || l.History != s.History || l.Reader != s.Reader || l.ASCII != s.ASCII || l.Palette != s.Palette || !slices.Equal(l.Panes, s.Panes) || !slices.Equal(l.Tabs, s.Tabs) {
		return false
	}
	if small(s) { // words alone: no screen was drawn
		return true
	}
	for i := range s.Panes {
		if s.History != nil {
			break
		}
		if sc := s.Panes[i].Screen; sc != nil && (sc.Cols != c.drawn[i].cols || sc.Rows != c.drawn[i].rows) {
			return false
		}
	}
	return true
}

// all composes a whole frame and remembers its scene.
func (c *Composer) all(s *Scene) {
	w, h := max(1, s.Size.Cols), max(1, s.Size.Rows)
	if c.grid == nil || c.grid.W != w || c.grid.H != h {
		c.grid = paint.NewGrid(w, h)
	}
	c.ascii, c.heard, c.mark = s.ASCII, s.Reader.On, cutMark
	if s.ASCII {
		c.mark = cutASCII
	}
	c.caret = vt.Cursor{}
	kept, tabs := append(c.last.Panes[:0], s.Panes...), append(c.last.Tabs[:0], s.Tabs...)
	c.last = *s
	c.last.Panes, c.last.Tabs = kept, tabs
	c.tabs = c.tabs[:0]
	for y := range h {
		c.fill(0, y, w, theme.OnPane)
	}
	if small(s) {
		c.refuse(s)
		return
	}
	c.drawn = slices.Grow(c.drawn[:0], len(s.Panes))[:len(s.Panes)]
	c.rules.reset(w, h)
	if s.History != nil {
		c.top = h - 1
		c.history(s)
		c.bar(s)
		return
	}
	c.top = min(c.sheetTop(s), h-max(1, len(c.readerRows(s))))
	cover := c.coverTop(s)
	for i := range s.Panes {
		p := &s.Panes[i]
		top := cover
		if p.Over {
			c.rules.cover(cover)
			top = c.top
		}
		c.rules.pane(p.Title, p.Grid, p.border(s.away()), h-1)
		d := &c.drawn[i]
		d.visible = max(0, min(p.Grid.H-stripRows(p, c.ascii), top-p.Grid.Y))
		c.screen(p, d, true)
		c.edge(p, d)
	}
	c.sideRules(s)
	c.sheetRule(s)
	for i := range s.Panes {
		if p := &s.Panes[i]; p.Over || p.Grid.Y+p.Grid.H <= cover || cover == c.top {
			c.strip(p)
		}
	}
	c.joints()
	for i := range s.Panes {
		p := s.Panes[i]
		p.Focus = p.Focus && !s.away()
		if p.Over || p.Title.Y < cover {
			c.title(&p)
		}
	}
	c.side(s)
	c.sheet(s)
	c.bar(s)
}

// screen copies the rows of a pane's screen that changed, or all. A screen that is
// larger than the pane is shown around its cursor.
func (c *Composer) screen(p *Pane, d *drawn, all bool) {
	sc := p.Screen
	if sc == nil {
		d.cols, d.rows = 0, 0
		return
	}
	if all {
		d.cols, d.rows = sc.Cols, sc.Rows
		d.gens = slices.Grow(d.gens[:0], sc.Rows)[:sc.Rows]
	}
	left, top := panes.Fit(sc, panes.Size{Cols: p.Grid.W, Rows: p.Grid.H})
	all = all || left != d.left || top != d.top
	d.left, d.top = left, top
	n := min(p.Grid.W, sc.Cols)
	for y := range min(d.visible, sc.Rows) {
		from, gen := y+top, uint64(0)
		if from < len(sc.Gen) {
			gen = sc.Gen[from]
		}
		if !all && d.gens[from] == gen {
			continue
		}
		d.gens[from] = gen
		c.grid.Blit(sc, from, left, p.Grid.X, p.Grid.Y+y, n)
	}
}

// edge marks where a screen ends that is smaller than its pane. What lies beyond
// belongs to no program and stays blank.
func (c *Composer) edge(p *Pane, d *drawn) {
	if p.Screen == nil || c.last.Reader.On {
		return
	}
	dot := run{text: edgeMark, token: theme.Rule}
	if c.ascii {
		dot.text = edgeASCII
	}
	runs := []run{dot}
	cols, rows := min(d.cols, p.Grid.W), min(d.rows, d.visible)
	if cols < p.Grid.W {
		for y := range rows {
			c.runs(p.Grid.X+cols, p.Grid.Y+y, 1, runs)
		}
	}
	if rows < d.visible {
		for x := range min(cols+1, p.Grid.W) {
			c.runs(p.Grid.X+x, p.Grid.Y+rows, 1, runs)
		}
	}
}

// coverTop is the first row that a pane over the others, or a sheet, covers.
func (c *Composer) coverTop(s *Scene) int {
	if n := len(s.Panes); n > 0 && s.Panes[n-1].Over {
		return min(c.top, s.Panes[n-1].Title.Y)
	}
	return c.top
}

// away reports whether the keyboard is at no pane.
func (s *Scene) away() bool { return s.Sheet.Title != "" || s.Side.Focus }

// border is the colour of a pane's border, if the keyboard is at some pane.
func (p *Pane) border(away bool) theme.Token {
	switch {
	case away:
		return theme.Rule
	case p.Typed:
		return theme.Attn
	case p.Focus:
		return theme.Accent
	}
	return theme.Rule
}

func (c *Composer) joints() {
	if c.last.Reader.On {
		return
	}
	for i, j := range c.rules.cells {
		if j.arms == [4]uint8{} {
			continue
		}
		on := theme.OnPane
		if i/c.rules.w >= c.top {
			on = theme.OnBar // the rule of a sheet
		}
		c.runs(i%c.rules.w, i/c.rules.w, 1, []run{{text: j.glyph(c.ascii), token: j.token, on: on}})
	}
}

// cursor is where the hardware cursor stands: in the focused pane, if its program
// lives and shows it.
func (c *Composer) cursor(s *Scene) vt.Cursor {
	switch {
	case small(s):
		return vt.Cursor{}
	case s.Reader.On:
		if cur := c.readerCursor(s); cur.Visible {
			return cur
		}
	case s.History != nil:
		return c.historyCursor(s)
	case s.Sheet.Title != "":
		return c.inputCursor(s)
	case s.Side.Focus:
		return vt.Cursor{}
	}
	if c.caret.Visible {
		return c.caret
	}
	for i := range s.Panes {
		p := &s.Panes[i]
		if !p.Focus || p.Screen == nil {
			continue
		}
		cur := p.Screen.Cursor
		d := &c.drawn[i]
		x, y := cur.X-d.left, cur.Y-d.top
		show := cur.Visible && !p.Dead && x >= 0 && y >= 0 && y < d.visible && p.Grid.W > 0
		return vt.Cursor{X: p.Grid.X + min(x, p.Grid.W-1), Y: p.Grid.Y + y, Visible: show, Shape: cur.Shape}
	}
	return vt.Cursor{}
}

// refuse says that there is no room, in words instead of a layout.
func (c *Composer) refuse(s *Scene) {
	lines := []run{
		{text: "Too small", bold: true},
		{text: fmt.Sprintf("%dx%d, needs %dx%d", s.Size.Cols, s.Size.Rows, MinCols, MinRows), token: theme.Muted},
		{},
		{text: "Your panes run on."},
	}
	y := max(0, s.Size.Rows/2-2)
	for i, l := range lines {
		c.runs(max(0, (s.Size.Cols-width(l.text))/2), y+i, s.Size.Cols, []run{l})
	}
}

// fill blanks n cells of a row on a surface.
func (c *Composer) fill(x, y, n int, on theme.Surface) {
	cell := vt.Blank
	if on != theme.OnPane {
		st := c.style(run{on: on})
		cell.FG, cell.BG, cell.Attr = st.FG, st.BG, st.Attr
	}
	c.grid.Fill(x, y, n, 1, cell)
}

// runs writes pieces of text at a place, in at most n cells, and reports how
// many it took.
func (c *Composer) runs(x, y, n int, runs []run) int {
	if y < 0 || y >= c.grid.H {
		return 0
	}
	used := 0
	for _, r := range runs {
		if used >= n {
			break
		}
		used += c.grid.Text(x+used, y, n-used, r.text, c.style(r))
	}
	return used
}

func (c *Composer) style(r run) paint.Style {
	st := c.last.Palette.Style(r.token, r.on)
	out := paint.Style{FG: st.FG, BG: st.BG, Attr: st.Attr}
	if r.bold {
		out.Attr |= vt.Bold
	}
	return out
}
