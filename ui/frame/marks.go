package frame

import (
	"reprise/panes/vt"
	"reprise/ui/theme"
)

// Mark is what cells of a program are marked as (look.md §5, copy mode).
type Mark uint8

// Marks.
const (
	Selected Mark = iota
	Hit           // a match of a search
	Current       // the match at the cursor
	Label         // the key to press for what it stands on
)

// Paint gives cells the look of a mark. The program's colours stay where they can
// be read on it.
func (m Mark) Paint(cells []vt.Cell, p *theme.Palette) {
	if m == Current || m == Label {
		st := p.Style(theme.Attn, theme.OnPane)
		if m == Label {
			st = p.Style(theme.Accent, theme.OnPane)
		}
		for i := range cells {
			c := &cells[i]
			c.FG, c.BG, c.UL = st.FG, 0, 0
			c.Attr = c.Attr&vt.Wide | vt.Bold | vt.Reverse
		}
		return
	}
	on := theme.OnSel
	if m == Hit {
		on = theme.OnHit
	}
	st := p.Style(theme.Text, on)
	var was, fits vt.Color
	for i := range cells {
		c := &cells[i]
		if c.Attr&vt.Reverse != 0 {
			c.FG, c.Attr = c.BG, c.Attr&^vt.Reverse
		}
		if st.Attr&vt.Reverse != 0 {
			c.FG = 0
		} else {
			if i == 0 || c.FG != was {
				was, fits = c.FG, p.Readable(c.FG, on) // runs of a colour are long
			}
			c.FG = fits
		}
		c.BG = st.BG
		c.Attr |= st.Attr
	}
}
