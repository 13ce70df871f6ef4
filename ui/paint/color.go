package paint

import (
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"reprise/panes/vt"
)

// cacheBits sizes the cache of colours that were fitted to a profile. Fitting one
// takes about a microsecond; a program may show millions of colours.
const cacheBits = 10

// fitted is a cache: each colour has one place, which the next one takes over.
type fitted [1 << cacheBits]struct{ from, to vt.Color }

// fit is c as the client's terminal can show it.
func (p *Painter) fit(c vt.Color) vt.Color {
	switch {
	case c == 0 || p.Profile == colorprofile.TrueColor:
		return c
	case p.Profile < colorprofile.ANSI:
		return 0
	case c&vt.ColorRGB == 0 && (p.Profile == colorprofile.ANSI256 || c&0xff < 16):
		return c
	}
	if p.fits == nil {
		p.fits = new(fitted)
	}
	slot := &p.fits[uint32(c)*2654435769>>(32-cacheBits)]
	if slot.from != c {
		slot.from, slot.to = c, degrade(c, p.Profile)
	}
	return slot.to
}

// degrade is the nearest colour of a palette. It does not ask the profile itself,
// whose cache of every colour ever seen has no bound.
func degrade(c vt.Color, profile colorprofile.Profile) vt.Color {
	from := outer(c)
	if profile == colorprofile.ANSI256 {
		return vt.ColorIndexed | vt.Color(ansi.Convert256(from))
	}
	return vt.ColorIndexed | vt.Color(ansi.Convert16(from))
}
