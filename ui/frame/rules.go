package frame

import (
	"strings"

	"reprise/panes"
	"reprise/ui/theme"
)

// Weights of a line.
const (
	light = 1
	heavy = 2
)

// Sides of a border cell.
const (
	up = iota
	down
	left
	right
)

// joint is one border cell: the weight of each of its arms (0: none) and its
// colour. Junctions come from the arms alone, so that no pair of panes needs a
// rule of its own.
type joint struct {
	arms  [4]uint8
	token theme.Token
}

// rules holds the border cells of a frame.
type rules struct {
	w, h  int
	cells []joint
}

func (r *rules) reset(w, h int) {
	if r.w != w || r.h != h {
		r.w, r.h, r.cells = w, h, make([]joint, w*h)
		return
	}
	clear(r.cells)
}

// loudness orders the colours that meet in one cell.
var loudness = map[theme.Token]int{theme.Rule: 0, theme.Accent: 1, theme.Attn: 2}

// arm adds an arm of a weight to a cell; the heavier one stays, and the louder
// colour.
func (r *rules) arm(x, y, side int, weight uint8, tok theme.Token) {
	if x < 0 || y < 0 || x >= r.w || y >= r.h {
		return
	}
	c := &r.cells[y*r.w+x]
	if c.arms == [4]uint8{} || loudness[tok] > loudness[c.token] {
		c.token = tok
	}
	c.arms[side] = max(c.arms[side], weight)
}

// pane draws a pane's title row and its two side columns: light in Rule, heavy in
// any other colour. bottom is the first row below the pane area.
func (r *rules) pane(title, grid panes.Rect, tok theme.Token, bottom int) {
	if title.H == 0 || title.W == 0 {
		return
	}
	weight := uint8(heavy)
	if tok == theme.Rule {
		weight = light
	}
	x0, x1, y := title.X, title.X+title.W-1, title.Y
	for x := x0; x <= x1; x++ {
		r.arm(x, y, left, weight, tok)
		r.arm(x, y, right, weight, tok)
	}
	end := grid.Y + grid.H - 1
	for _, column := range [...]struct{ side, x int }{{right, x0 - 1}, {left, x1 + 1}} {
		side, x := column.side, column.x
		if x < 0 || x >= r.w {
			continue
		}
		r.arm(x, y, side, weight, tok)
		for row := y; row <= end; row++ {
			r.arm(x, row, down, weight, tok)
			if row > y {
				r.arm(x, row, up, weight, tok)
			}
		}
		if end+1 < bottom {
			r.arm(x, end+1, up, weight, tok)
		}
	}
}

// cover takes away what lies in a row and below it, but the ends of the columns that
// come down on it.
func (r *rules) cover(y int) {
	for x := range r.w {
		above := r.at(x, y-1)
		for row := max(y, 0); row < r.h; row++ {
			r.set(x, row, joint{})
		}
		if above.arms[down] > 0 {
			r.arm(x, y, up, above.arms[down], above.token)
		}
	}
}

// boxes maps arms (up, down, left, right) to the characters of Unicode's block
// Box Drawing, in the order of the code points.
var boxes = func() map[[4]uint8]string {
	ranges := []struct {
		first rune
		arms  string
	}{
		{0x2500, "0011 0022 1100 2200"},
		{0x250c, "0101 0102 0201 0202 0110 0120 0210 0220 1001 1002 2001 2002 1010 1020 2010 2020 " +
			"1101 1102 2101 1201 2201 2102 1202 2202 1110 1120 2110 1210 2210 2120 1220 2220 " +
			"0111 0121 0112 0122 0211 0221 0212 0222 1011 1021 1012 1022 2011 2021 2012 2022 " +
			"1111 1121 1112 1122 2111 1211 2211 2121 2112 1221 1212 2122 1222 2221 2212 2222"},
		{0x2574, "0010 1000 0001 0100 0020 2000 0002 0200 0012 1200 0021 2100"},
	}
	m := map[[4]uint8]string{}
	for _, part := range ranges {
		for i, f := range strings.Fields(part.arms) {
			m[[4]uint8{f[0] - '0', f[1] - '0', f[2] - '0', f[3] - '0'}] = string(part.first + rune(i))
		}
	}
	return m
}()

func (j joint) glyph(ascii bool) string {
	if !ascii {
		return boxes[j.arms]
	}
	across, along := max(j.arms[left], j.arms[right]), max(j.arms[up], j.arms[down])
	switch {
	case across > 0 && along > 0:
		return "+"
	case across == heavy:
		return "="
	case across == light:
		return "-"
	}
	return "|"
}

func (r *rules) at(x, y int) joint {
	if x < 0 || y < 0 || x >= r.w || y >= r.h {
		return joint{}
	}
	return r.cells[y*r.w+x]
}

func (r *rules) set(x, y int, j joint) {
	if x >= 0 && y >= 0 && x < r.w && y < r.h {
		r.cells[y*r.w+x] = j
	}
}
