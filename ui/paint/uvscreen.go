package paint

import (
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"reprise/panes/vt"
)

// A Grid is a uv.Screen, so that lipgloss layers and the strings of bubbles are
// drawn into the frame like everything else.
var _ uv.Screen = (*Grid)(nil)

// Bounds is the grid's rectangle.
func (g *Grid) Bounds() uv.Rectangle { return uv.Rect(0, 0, g.W, g.H) }

// WidthMethod measures whole grapheme clusters, by the table that the emulator
// uses.
func (g *Grid) WidthMethod() uv.WidthMethod { return ansi.GraphemeWidth }

// attrs pairs ultraviolet's attributes with the cells'.
var attrs = [...]struct {
	uv   uint8
	cell vt.Attr
}{
	{uv.AttrBold, vt.Bold},
	{uv.AttrFaint, vt.Dim},
	{uv.AttrItalic, vt.Italic},
	{uv.AttrBlink, vt.Blink},
	{uv.AttrRapidBlink, vt.Blink},
	{uv.AttrReverse, vt.Reverse},
	{uv.AttrConceal, vt.Conceal},
	{uv.AttrStrikethrough, vt.Strike},
}

// CellAt is a copy of a cell; nil outside the grid.
func (g *Grid) CellAt(x, y int) *uv.Cell {
	if x < 0 || y < 0 || x >= g.W || y >= g.H {
		return nil
	}
	c := g.Row(y)[x]
	if c.Rune == 0 {
		return &uv.Cell{}
	}
	out := &uv.Cell{
		Content: string(g.AppendText(nil, c)),
		Width:   1,
		Link:    uv.Link{URL: g.Target(c.Link)},
		Style: uv.Style{
			Fg: outer(c.FG), Bg: outer(c.BG), UnderlineColor: outer(c.UL),
			Underline: uv.Underline(c.Attr.Underline()),
		},
	}
	if c.Attr&vt.Wide != 0 {
		out.Width = 2
	}
	for _, a := range attrs {
		if a.uv != uv.AttrRapidBlink && c.Attr&a.cell != 0 {
			out.Style.Attrs |= a.uv
		}
	}
	return out
}

// SetCell puts a cell; nil is a blank. Escape sequences that a widget left in the
// text are dropped.
func (g *Grid) SetCell(x, y int, c *uv.Cell) {
	if c == nil {
		g.Put(x, y, vt.Blank)
		return
	}
	if c.Width <= 0 {
		return // the second half of a wide cell, which Put made
	}
	st := Style{FG: inner(c.Style.Fg), BG: inner(c.Style.Bg), UL: inner(c.Style.UnderlineColor)}
	for _, a := range attrs {
		if c.Style.Attrs&a.uv != 0 {
			st.Attr |= a.cell
		}
	}
	st.Attr = st.Attr.WithUnderline(int(c.Style.Underline))
	text := c.Content
	if !harmless(text, maxCluster) {
		text = ansi.Strip(text)
	}
	if c.Link.URL != "" {
		st.Link = g.Link(c.Link.URL)
	}
	cell := st.Cell(g.Intern(text))
	if c.Width > 1 {
		cell.Attr |= vt.Wide
	}
	g.Put(x, y, cell)
}

func outer(c vt.Color) color.Color {
	switch {
	case c&vt.ColorRGB != 0:
		return ansi.RGBColor{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c)}
	case c&vt.ColorIndexed != 0:
		return ansi.IndexedColor(uint8(c))
	}
	return nil
}

func inner(c color.Color) vt.Color {
	switch c := c.(type) {
	case nil:
		return 0
	case ansi.BasicColor:
		return vt.ColorIndexed | vt.Color(c)
	case ansi.IndexedColor:
		return vt.ColorIndexed | vt.Color(c)
	}
	r, g, b, a := c.RGBA()
	if a == 0 {
		return 0
	}
	return vt.ColorRGB | vt.Color(r>>8)<<16 | vt.Color(g>>8)<<8 | vt.Color(b>>8)
}
