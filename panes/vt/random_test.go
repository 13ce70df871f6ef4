package vt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// check looks for what must hold after every write.
func (e *Emulator) check() error {
	if e.cur.x < 0 || e.cur.x >= e.cols || e.cur.y < 0 || e.cur.y >= e.rows {
		return fmt.Errorf("cursor %d,%d outside %dx%d", e.cur.x, e.cur.y, e.cols, e.rows)
	}
	m := e.margins
	if m.top < 0 || m.bottom >= e.rows || m.top > m.bottom || m.left < 0 || m.right >= e.cols || m.left > m.right {
		return fmt.Errorf("margins %+v in %dx%d", m, e.cols, e.rows)
	}
	for _, p := range []*page{e.main, e.alt} {
		if p == nil {
			continue
		}
		if p.cols != e.cols || len(p.rows) != e.rows {
			return fmt.Errorf("page is %dx%d, not %dx%d", p.cols, len(p.rows), e.cols, e.rows)
		}
		if err := e.checkRows(p); err != nil {
			return err
		}
		if g, ok := p.grid.(*vt10xGrid); ok && g.term != nil {
			g.flush()
			c := g.term.Cursor()
			if c.X != g.x || c.Y != g.y || (c.State&2 != 0) != g.pending {
				return fmt.Errorf("vt10x is at %d,%d,%d, not %d,%d,%v", c.X, c.Y, c.State, g.x, g.y, g.pending)
			}
		}
	}
	return nil
}

// settleAll brings the whole grid up to date.
func (p *page) settleAll() {
	p.catchUp()
	for y := range p.rows {
		p.settle(y)
	}
}

func (e *Emulator) checkRows(p *page) error {
	fromGrid := make([]glyph, p.cols)
	for y, r := range p.rows {
		if gen := p.gen(y); gen == 0 || gen > e.clock {
			return fmt.Errorf("row %d has generation %d of %d", y, gen, e.clock)
		}
		if r.wrapped && (r.end() < p.cols || y == p.bottom()) {
			return fmt.Errorf("row %d of %d cells goes on", y, r.used)
		}
		if c := p.cached[y]; !c.late.empty() && !c.stale.empty() {
			return fmt.Errorf("row %d is both stale %v and late %v", y, c.stale, c.late)
		}
		cells := p.row(y)
		if at := y + p.held; at < len(p.rows) {
			p.grid.read(0, at, fromGrid)
			late := p.cached[y].late
			copy(fromGrid[late.lo:late.hi], cells[late.lo:late.hi])
			if !slices.Equal(cells, fromGrid) {
				return fmt.Errorf("row %d is %x, cached %x", y, fromGrid, cells)
			}
		}
		for x, c := range cells {
			switch {
			case int(c.style) >= len(e.styles.list):
				return fmt.Errorf("cell %d,%d has style %d of %d", x, y, c.style, len(e.styles.list))
			case isCluster(c.r) && int(c.r-ClusterBase) >= len(e.clusters.list):
				return fmt.Errorf("cell %d,%d has an unknown cluster", x, y)
			case (c.r == filler || c.r == gapRune) && !r.wide:
				return fmt.Errorf("cell %d,%d is a filler in a row without wide cells", x, y)
			case c.r == filler && cells[max(x-1, 0)].style != c.style:
				return fmt.Errorf("cell %d,%d is of another style than its head", x, y)
			case c.r == filler && (x == 0 || cells[x-1].r == filler || cells[x-1].r == ' '):
				return fmt.Errorf("cell %d,%d is a filler without a head", x, y)
			case x >= r.end() && c != blankGlyph:
				return fmt.Errorf("cell %d,%d is %x beyond %d", x, y, c, r.used)
			case c.r < ' ' || c.r >= 0x7f && c.r < 0xa0:
				return fmt.Errorf("cell %d,%d holds a control", x, y)
			}
			wide := x+1 < len(cells) && cells[x+1].r == filler
			if c.r != filler {
				if w := clusterWidth(e.clusterText(nil, c.r)); w == 2 != wide && w != 0 {
					return fmt.Errorf("cell %d,%d: %q has width %d, is wide: %v", x, y, e.clusterText(nil, c.r), w, wide)
				}
			}
		}
	}
	return nil
}

// dump is everything that can be told apart about an emulator.
func (e *Emulator) dump() string {
	var b bytes.Buffer
	style := func(s style) string {
		link := e.links.list[s.link]
		s.link = 0
		return fmt.Sprintf("%+v %q", s, link)
	}
	fmt.Fprintf(&b, "%dx%d cursor %+v pen %s margins %+v alt %v\nmodes %+v\nsaved modes %v\nsets %+v tabs %v\n%+v %+v %+v\n",
		e.cols, e.rows, e.cur, style(e.pen.style), e.margins, e.onAlt(), e.modes, e.savedModes, e.sets, e.tabs, e.titles, e.told, e.notice)
	fmt.Fprintf(&b, "ISO %v extent %d pens %d colours %v %v\n", e.guardISO, e.extent, len(e.pens), e.palette.special, e.palette.shownIndexed)
	for _, p := range []*page{e.main, e.alt} {
		if p == nil {
			continue
		}
		for y, r := range p.rows {
			cells := p.row(y)
			fmt.Fprintf(&b, "%v %c %d ", r.wrapped, max(r.mark, '-'), r.used)
			e.dumpCells(&b, cells)
		}
		v := p.saved
		v.style.link = 0
		fmt.Fprintf(&b, "saved %+v %s kitty %v\n", v, style(p.saved.style), p.kitty)
	}
	for i := range e.history.len() {
		cells, r := e.unpack(nil, e.history.at(i))
		fmt.Fprintf(&b, "h %v %c ", r.wrapped, max(r.mark, '-'))
		e.dumpCells(&b, cells)
	}
	return b.String()
}

func (e *Emulator) dumpCells(b *bytes.Buffer, cells []glyph) {
	style := uint32(0)
	for _, c := range cells {
		if c.style != style {
			style = c.style
			s := e.styles.list[style]
			link := e.links.list[s.link]
			s.link = 0
			fmt.Fprintf(b, "{%v %s}", s, link)
		}
		if c.r == filler {
			b.WriteByte('_')
			continue
		}
		b.Write(e.clusterText(nil, c.r))
		b.WriteByte('|')
	}
	b.WriteByte('\n')
}

var pieces = []string{
	"hello", "the quick brown fox jumps over the lazy dog", " ", "a", "\r\n", "\r\n", "\n", "\r", "\b", "\t",
	"漢字", "かな", "🙂", "e\u0301", "\u0301", "\u200d", "\ufe0f", "❤", "❤\ufe0f", "👨‍👩‍👧", "🇩🇪", "🇩", "가", "ᄀ", "ᅡ", "क्षि", "\U0001f3fb",
	"\xff", "\xe2\x82", "\xf0\x9f", "\xc3", "\xed\xa0\x80", "\u0085", "\u009b1m", "\U00040001", "\U0010fffe", "\u00ad", "\u200b", "\u0600",
	"\x1b[H", "\x1b[%d;%dH", "\x1b[%dA", "\x1b[%dB", "\x1b[%dC", "\x1b[%dD", "\x1b[%dG", "\x1b[%dd", "\x1b[%dE", "\x1b[%dF",
	"\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[3J", "\x1b[%dX", "\x1b[%d@", "\x1b[%dP", "\x1b[%dL", "\x1b[%dM",
	"\x1b[%dS", "\x1b[%dT", "\x1b[%db", "\x1b[%d;%dr", "\x1b[r", "\x1b[%d;%ds", "\x1b[?69h", "\x1b[?69l", "\x1b[s", "\x1b[u", "\x1b7", "\x1b8",
	"\x1b[?6h", "\x1b[?6l", "\x1b[?7l", "\x1b[?7h", "\x1b[4h", "\x1b[4l", "\x1b[20h", "\x1b[20l", "\x1b[?45h", "\x1b[?45l", "\x1b[?1045h", "\x1b[?1045l",
	"\x1b[?1049h", "\x1b[?1049l", "\x1b[?47h", "\x1b[?47l", "\x1b[?1047h", "\x1b[?1047l", "\x1b[?5h", "\x1b[?5l",
	"\x1b[m", "\x1b[1;3%dm", "\x1b[4%dm", "\x1b[48;2;%d;%d;7m", "\x1b[38:5:%dm", "\x1b[4:3;58:2::1:2:3m", "\x1b[7m", "\x1b[27;22m",
	"\x1bD", "\x1bM", "\x1bE", "\x1bc", "\x1b#8", "\x1b[!p", "\x1bH", "\x1b[g", "\x1b[3g", "\x1b[%dI", "\x1b[%dZ", "\x1b(0", "\x1b(B", "\x1b)0", "\x0e", "\x0f", "\x1bN", "lqk",
	"\x1b[1\"q", "\x1b[0\"q", "\x1b[?J", "\x1b[?1K", "\x1b[%d'}", "\x1b[%d'~", "\x1b[%d @", "\x1b[%d A", "\x1b6", "\x1b9",
	"\x1b[65;%d;%d;9;9$x", "\x1b[%d;%d;9;9$z", "\x1b[%d;%d;7;9;1;2;3$v", "\x1b[%d;%d;9;9${",
	"\x1b]0;title ✳ \x1b\\", "\x1b]8;;http://a/%d\x1b\\", "\x1b]8;;\a", "\x1b]133;A\a", "\x1b]133;C\x1b\\", "\x1b]7;file:///tmp/%d\a", "\x1b[22t", "\x1b[23t",
	"\x1bV", "\x1bW", "\x1b[%d;%d;9;9;1;31$r", "\x1b[1;%d;%d;9;1;7$t", "\x1b[2*x", "\x1b[*x", "\x1b[#{", "\x1b[#}", "\x1b[?41h",
	"\x1bP$qm\x1b\\", "\x1b_Gi=1;AAAA\x1b\\", "\x1b^x\x1b\\", "\x1bXx\x1b\\", "\x1bPq#0;2;0;0;0\x18", "\x1b]unfinished", "\x1b[999999999;99999999999H", "\x1b[;;;;;;5m", "\x1b[-5@",
	"\x1b[>1u", "\x1b[<u", "\x1b[=5;1u", "\x1b[?u", "\x1b[>4;2m", "\x1b[?2026h", "\x1b[?2026l", "\x1b[?2048h", "\x1b[6n", "\x1b[c",
}

// randomStream is n random pieces of what programs print.
func randomStream(r *rand.Rand, n int) []byte {
	var b []byte
	for range n {
		s := pieces[r.IntN(len(pieces))]
		for {
			before, after, ok := bytes.Cut([]byte(s), []byte("%d"))
			if !ok {
				break
			}
			v := r.IntN(12)
			if r.IntN(10) == 0 {
				v = r.IntN(100)
			}
			s = fmt.Sprintf("%s%d%s", before, v, after)
		}
		b = append(b, s...)
	}
	return b
}

// TestRandom feeds random streams, cut at random, to an emulator on vt10x and to
// one on plain slices that gets them byte by byte: both must be alike.
func TestRandom(t *testing.T) {
	sessions := 200
	if testing.Short() {
		sessions = 50
	}
	for i := range sessions {
		seed := uint64(i)
		if err := randomSession(seed); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func randomSession(seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	o := Options{Cols: 1 + r.IntN(30), Rows: 1 + r.IntN(10), Scrollback: 20}
	var got, want bytes.Buffer
	o.Reply = func(b []byte) { got.Write(b) }
	e := New(o)
	o.Reply = func(b []byte) { want.Write(b) }
	oracle := newEmulator(o, newPlain)
	for range 40 {
		b := randomStream(r, 1+r.IntN(12))
		for _, c := range b {
			_, _ = oracle.Write([]byte{c})
		}
		for rest := b; len(rest) > 0; {
			n := 1 + r.IntN(len(rest))
			_, _ = e.Write(rest[:n])
			rest = rest[n:]
		}
		if r.IntN(8) == 0 {
			cols, rows := 1+r.IntN(30), 1+r.IntN(10)
			e.Resize(cols, rows)
			oracle.Resize(cols, rows)
		}
		if r.IntN(2) == 0 {
			e.page.settleAll()
		}
		if err := e.check(); err != nil {
			return fmt.Errorf("%w after %q", err, b)
		}
		if err := oracle.check(); err != nil {
			return fmt.Errorf("plain: %w after %q", err, b)
		}
		if a, o := e.dump(), oracle.dump(); a != o {
			return fmt.Errorf("after %q\n%s\nplain:\n%s", b, a, o)
		}
		if got.String() != want.String() {
			return fmt.Errorf("replies %q, plain %q", got.String(), want.String())
		}
	}
	return nil
}
