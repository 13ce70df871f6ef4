package theme

import "reprise/panes/vt"

// Readable is a program's colour if it has a contrast of 4.5 on a surface, else
// that of text. Where surfaces have no colour of their own every colour stays.
func (p *Palette) Readable(c vt.Color, on Surface) vt.Color {
	st := p.styles[on][Text]
	bg, ok := shown(st.BG)
	if !ok {
		return c
	}
	if fg, ok := shown(c); ok && Contrast(fg, bg) >= hitFloor {
		return c
	}
	return st.FG
}

// shown is how a terminal shows a colour; false: it cannot be known, as the
// default cannot.
func shown(c vt.Color) (RGB, bool) {
	switch {
	case c&vt.ColorRGB != 0:
		return RGB(c & 0xffffff), true
	case c&vt.ColorIndexed != 0 && c&0xff >= 16:
		return paletteRGB(uint8(c & 0xff)), true
	case c&vt.ColorIndexed != 0:
		return usual[c&0xf], true
	}
	return 0, false
}

// usual are the first 16 colours as xterm has them: near enough to most people's
// to tell whether one can be read.
var usual = [16]RGB{
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
}
