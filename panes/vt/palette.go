package vt

import (
	"strconv"
	"strings"
)

// palette is the colours that a program is told and may set (OSC 4, 10, 11, 12
// and their resets). A cell keeps the index; what was set shows when it is copied
// into a Screen. What was not set is the client's matter.
type palette struct {
	outer   [3]uint32 // foreground, background, cursor
	special [3]uint32
	indexed [256]uint32

	set          bool // something in what follows is
	shownSpecial [3]Color
	shownIndexed [256]Color
}

// Places in special.
const (
	specialFG = iota
	specialBG
	specialCursor
)

// The colours of an outer terminal that has not told its own.
const (
	darkForeground = 0xD0D0D0
	darkBackground = 0x101010
)

func newPalette(fg, bg Color) palette {
	p := palette{}
	p.setOuter(fg, bg)
	return p
}

func (p *palette) setOuter(fg, bg Color) {
	p.outer = [3]uint32{rgbOf(fg, darkForeground), rgbOf(bg, darkBackground), rgbOf(fg, darkForeground)}
	for i, shown := range p.shownSpecial {
		if shown == 0 {
			p.special[i] = p.outer[i]
		}
	}
}

func (p *palette) setSpecial(i int, rgb uint32) {
	p.special[i], p.shownSpecial[i], p.set = rgb, ColorRGB|Color(rgb), true
}

func (p *palette) resetSpecial(i int) { p.special[i], p.shownSpecial[i] = p.outer[i], 0 }

func (p *palette) setIndexed(i int, rgb uint32) {
	p.indexed[i], p.shownIndexed[i], p.set = rgb, ColorRGB|Color(rgb), true
}

func (p *palette) resetIndexed(i int) { p.indexed[i], p.shownIndexed[i] = xtermColor(i), 0 }

// shown is what a colour looks like; def is the place of its default in special.
func (p *palette) shown(c Color, def int) Color {
	switch {
	case c == 0:
		return p.shownSpecial[def]
	case c&ColorIndexed != 0 && p.shownIndexed[c&0xFF] != 0:
		return p.shownIndexed[c&0xFF]
	}
	return c
}

func rgbOf(c Color, def uint32) uint32 {
	switch {
	case c&ColorRGB != 0:
		return uint32(c & 0xFFFFFF)
	case c&ColorIndexed != 0:
		return xtermColor(int(c & 0xFF))
	}
	return def
}

func (p *palette) reset() {
	for i := range p.special {
		p.resetSpecial(i)
	}
	for i := range p.indexed {
		p.resetIndexed(i)
	}
	p.set = false
}

// isLight tells a light background by its luma (ITU-R BT.601).
func (p *palette) isLight() bool {
	c := p.special[1]
	return 299*(c>>16)+587*(c>>8&255)+114*(c&255) > 128*1000
}

var xterm16 = [16]uint32{
	0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
	0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
}

// xtermColor is xterm's default palette: 16 named, a cube of 6×6×6, 24 greys.
func xtermColor(i int) uint32 {
	switch {
	case i < 16:
		return xterm16[i]
	case i < 232:
		i -= 16
		level := func(v int) uint32 {
			if v == 0 {
				return 0
			}
			return uint32(55 + 40*v)
		}
		return level(i/36)<<16 | level(i/6%6)<<8 | level(i%6)
	}
	v := uint32(8 + 10*(i-232))
	return v<<16 | v<<8 | v
}

// parseColor reads a colour as XParseColor does: #rgb to #rrrrggggbbbb, or
// rgb:r/g/b with one to four digits each.
func parseColor(s string) (uint32, bool) {
	var parts [3]string
	switch {
	case strings.HasPrefix(s, "#") && (len(s) == 4 || len(s) == 7 || len(s) == 10 || len(s) == 13):
		n := (len(s) - 1) / 3
		for i := range parts {
			parts[i] = s[1+i*n : 1+(i+1)*n]
		}
	case strings.HasPrefix(s, "rgb:"):
		f := strings.Split(s[4:], "/")
		if len(f) != 3 {
			return 0, false
		}
		copy(parts[:], f)
	default:
		return 0, false
	}
	var c uint32
	for _, p := range parts {
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return 0, false
		}
		top := uint64(1)<<(4*len(p)) - 1
		c = c<<8 | uint32((v*255+top/2)/top)
	}
	return c, true
}

// SetColors tells the outer terminal's colours, which programs that ask are told;
// those that asked to hear of changes (mode 2031) hear of this one.
func (e *Emulator) SetColors(fg, bg Color) {
	was := e.palette.isLight()
	e.palette.setOuter(fg, bg)
	if e.modes.colorReports && was != e.palette.isLight() {
		e.reportColors()
	}
}
