package paint

import (
	"strconv"

	"reprise/panes/vt"
)

const (
	// probes is how many rows are looked for at other places.
	probes = 4
	// scrollCost is about what scrolling costs beside a byte a row, in cells that
	// need not be written; setCost is that of a new region.
	scrollCost = 8
	setCost    = 12
	// tearCost is what a cell counts for that stays but would move on the way: more than
	// there are in a frame.
	tearCost = 1 << 24
	// stillAtMost is how many cells of a column change where nothing scrolls.
	stillAtMost = 2
)

// gain is how many cells of a row change, and how many fewer need be written if its
// content moves here, or if it is blank since others have moved.
type gain struct {
	changed, moved, blank int
	torn                  bool // cells move here that stay where they are
}

// shift is a scroll: the rows of a region move up by n, or down by -n.
type shift struct {
	region
	n, gain int
	torn    bool
}

// scroll scrolls the terminal if that saves writing what it shows already, where rows
// differ, and returns where they do now. torn reports whether something is out of
// place until the frame is whole. Where that could be seen it does not: what is beside
// a pane stays where it is.
func (p *Painter) scroll(b []byte, g *Grid, rows region) (out []byte, left region, torn bool) {
	left = rows
	for range 2 { // panes one above the other
		s := p.shifted(g, rows)
		if s.n == 0 {
			break
		}
		b, torn = p.shift(b, g, s), torn || s.torn
		left = region{min(left.top, s.top), max(left.bottom, s.bottom)}
	}
	return b, left, torn
}

// shifted finds the scroll that saves most; n is 0 if none does.
func (p *Painter) shifted(g *Grid, rows region) (best shift) {
	counted, tried := false, 0
	for i := range probes {
		n := p.moved(g, rows.top+(2*i+1)*(rows.bottom-rows.top+1)/(2*probes))
		if n == 0 || n == tried {
			continue
		}
		tried = n
		if !counted {
			counted = true
			p.count(g)
		}
		if s := p.weigh(g, n); s.gain > best.gain {
			best = s
		}
	}
	return best
}

// moved is by how many rows row y has moved up, as far as it looks; 0 if it did not,
// or has no text to tell.
func (p *Painter) moved(g *Grid, y int) int {
	row := g.Row(y)
	if len(row) < 2 || same(row[1:], row[:len(row)-1]) || same(row, p.oldRow(y)) {
		return 0
	}
	for d := 1; d < g.H; d++ {
		if y+d < g.H && same(row, p.oldRow(y+d)) {
			return d
		}
		if y-d >= 0 && same(row, p.oldRow(y-d)) {
			return -d
		}
	}
	return 0
}

// weigh finds the region that saves most when it moves up by n rows. Of two that
// save the same it takes the larger one, and the one that is set already if another
// saves little more: that mostly is the pane's.
func (p *Painter) weigh(g *Grid, n int) shift {
	for y := range p.gains {
		p.weighRow(g, y, n)
	}
	best := p.widest(n)
	if best.gain <= 0 {
		return shift{}
	}
	best.torn = p.sum(&best)
	if best.region != p.region {
		best.gain -= setCost
		if s := (shift{region: p.region, n: n}); s.bottom-s.top >= max(n, -n) {
			if s.torn = p.sum(&s); s.gain >= best.gain {
				best = s
			}
		}
	}
	if best.gain <= scrollCost+max(n, -n) {
		return shift{}
	}
	return best
}

// widest is the region of the largest sum: of rows that move, and behind them of |n|
// that come in.
func (p *Painter) widest(n int) (best shift) {
	h, d := len(p.gains), max(n, -n)
	at := func(i int) int { return i }
	if n < 0 { // from below
		at = func(i int) int { return h - 1 - i }
	}
	from, moved, blank := 0, 0, 0
	for i := range d {
		blank += p.gains[at(i)].blank
	}
	for i := range h - d {
		if moved < 0 {
			from, moved = i, 0
		}
		moved += p.gains[at(i)].moved
		blank += p.gains[at(i+d)].blank - p.gains[at(i)].blank
		if sum := moved + blank; sum >= best.gain {
			a, z := at(from), at(i+d)
			best = shift{region: region{min(a, z), max(a, z)}, n: n, gain: sum}
		}
	}
	return best
}

// sum makes a shift's gain and reports whether something is torn.
func (p *Painter) sum(s *shift) (torn bool) {
	s.gain = 0
	for y := s.top; y <= s.bottom; y++ {
		if from := y + s.n; from < s.top || from > s.bottom {
			s.gain += p.gains[y].blank
			continue
		}
		s.gain += p.gains[y].moved
		torn = torn || p.gains[y].torn
	}
	return torn
}

// count counts the cells that change in each row and column, and what a row saves
// if it was blank.
func (p *Painter) count(g *Grid) {
	if cap(p.gains) < g.H || cap(p.columns) < g.W {
		p.gains, p.columns = make([]gain, g.H), make([]int, g.W)
	}
	p.gains, p.columns = p.gains[:g.H], p.columns[:g.W]
	clear(p.columns)
	for y := range p.gains {
		row, old := g.Row(y), p.oldRow(y)
		changed, text := 0, 0
		for x := range row {
			if row[x] != vt.Blank {
				text++
			}
		}
		if !same(row, old) {
			for x := range row {
				if row[x] != old[x] {
					changed++
					p.columns[x]++
				}
			}
		}
		p.gains[y] = gain{changed: changed, blank: changed - text}
	}
}

// weighRow weighs row y for a move up by n. A cell is torn that is to be what it was,
// in a column that stands still, and would be something else meanwhile.
func (p *Painter) weighRow(g *Grid, y, n int) {
	to := &p.gains[y]
	to.moved, to.torn = to.changed, false
	if y+n < 0 || y+n >= g.H {
		return
	}
	row, old, from := g.Row(y), p.oldRow(y), p.oldRow(y+n)
	if same(row, from) {
		return
	}
	for x := range row {
		if row[x] == from[x] {
			continue
		}
		to.moved--
		if p.columns[x] <= stillAtMost && row[x] == old[x] {
			to.torn = true
			if !p.Sync {
				to.moved -= tearCost
			}
		}
	}
}

// shift scrolls a region. What changes in rows that move is written where it was
// before, as a program does that prints a line and then goes on to the next.
func (p *Painter) shift(b []byte, g *Grid, s shift) []byte {
	p.seen.known = false
	if s.region != p.region {
		b = strconv.AppendInt(append(b, 0x1b, '['), int64(s.top+1), 10)
		b = strconv.AppendInt(append(b, ';'), int64(s.bottom+1), 10)
		b = append(b, 'r') // sets the cursor, too
		p.region, p.x, p.y, p.after = s.region, 0, 0, false
	}
	for y := max(s.top, s.top-s.n); y <= min(s.bottom, s.bottom-s.n); y++ {
		if row, old := g.Row(y), p.oldRow(y+s.n); !same(row, old) {
			b = p.row(b, g, y+s.n, row, old)
			copy(old, row)
		}
	}
	// Some terminals fill the new rows with the background in use, some do not.
	b = p.use(b, g, pen{})
	lines := p.old[s.top*p.w : (s.bottom+1)*p.w]
	if gone := s.n * p.w; gone > 0 {
		b = p.toRow(b, s.bottom)
		for range s.n {
			b = append(b, '\n')
		}
		blank(lines[copy(lines, lines[gone:]):])
	} else {
		b = p.toRow(b, s.top)
		for range -s.n {
			b = append(b, 0x1b, 'M')
		}
		copy(lines[-gone:], lines)
		blank(lines[:-gone])
	}
	return b
}

// toRow moves to row y, in whatever column.
func (p *Painter) toRow(b []byte, y int) []byte {
	if p.y >= 0 && p.region.zone(p.y) == p.region.zone(y) && max(y-p.y, p.y-y) <= steps {
		b = p.along(b, y)
		p.y, p.after = y, false
		return b
	}
	return p.move(b, 0, y)
}
