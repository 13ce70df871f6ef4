package paint

import (
	"strconv"

	"reprise/panes/vt"
)

// pen is what new text looks like. Attr is without vt.Wide.
type pen struct {
	fg, bg, ul vt.Color
	attr       vt.Attr
	link       uint16
}

// sgr pairs attributes with the SGR parameters that turn them on and off (ECMA-48;
// 53 and 55 from its later editions). Bold and dim share theirs for off.
var sgr = [...]struct {
	attr    vt.Attr
	on, off string
}{
	{vt.Bold, "1;", "22;"},
	{vt.Dim, "2;", "22;"},
	{vt.Italic, "3;", "23;"},
	{vt.Blink, "5;", "25;"},
	{vt.Reverse, "7;", "27;"},
	{vt.Conceal, "8;", "28;"},
	{vt.Strike, "9;", "29;"},
	{vt.Overline, "53;", "55;"},
}

// underlines are the SGR parameters of the underline kinds. Those with a colon
// (kitty, "Colored and styled underlines") go only to terminals that know them.
var underlines = [8]string{"24;", "4;", "4:2;", "4:3;", "4:4;", "4:5;", "4;", "4;"}

// decimals are the numbers that colours are made of, with their separator.
var decimals = func() (d [256]string) {
	for i := range d {
		d[i] = strconv.Itoa(i) + ";"
	}
	return d
}()

// appendSGR appends what turns the pen from into to.
func appendSGR(b []byte, from, to pen) []byte {
	from.link = to.link // links are not SGR
	if from == to {
		return b
	}
	b = append(b, 0x1b, '[')
	off := from.attr &^ to.attr
	if off != 0 && to.fg == 0 && to.bg == 0 && to.ul == 0 || to == (pen{link: to.link}) {
		// With no colours to set again, starting anew is shortest.
		from = pen{link: to.link}
		if from == to {
			return append(b, 'm')
		}
		b = append(b, '0', ';')
		off = 0
	}
	if off&(vt.Bold|vt.Dim) != 0 {
		b = append(b, "22;"...)
		from.attr &^= vt.Bold | vt.Dim
	}
	if changed := from.attr ^ to.attr; changed != 0 {
		for i := range sgr {
			switch a := &sgr[i]; {
			case changed&a.attr == 0:
			case to.attr&a.attr != 0:
				b = append(b, a.on...)
			default:
				b = append(b, a.off...)
			}
		}
		if changed&vt.UnderlineMask != 0 {
			b = append(b, underlines[to.attr.Underline()]...)
		}
	}
	if from.fg != to.fg {
		b = appendColor(b, '3', to.fg)
	}
	if from.bg != to.bg {
		b = appendColor(b, '4', to.bg)
	}
	if from.ul != to.ul {
		b = appendUnderlineColor(b, to.ul)
	}
	b[len(b)-1] = 'm'
	return b
}

// appendColor appends a colour's parameters; base is '3' for text, '4' for the
// background.
func appendColor(b []byte, base byte, c vt.Color) []byte {
	switch {
	case c&vt.ColorRGB != 0:
		b = append(b, base, '8', ';', '2', ';')
		b = append(b, decimals[c>>16&0xff]...)
		b = append(b, decimals[c>>8&0xff]...)
		return append(b, decimals[c&0xff]...)
	case c&vt.ColorIndexed == 0:
		return append(b, base, '9', ';')
	}
	i := c & 0xff
	switch {
	case i < 8:
		return append(b, base, '0'+byte(i), ';')
	case i < 16 && base == '3':
		return append(b, '9', '0'+byte(i-8), ';')
	case i < 16:
		return append(b, '1', '0', '0'+byte(i-8), ';')
	}
	return append(append(b, base, '8', ';', '5', ';'), decimals[i]...)
}

// appendUnderlineColor appends SGR 58, whose colons keep terminals that do not
// know it from reading its numbers as attributes.
func appendUnderlineColor(b []byte, c vt.Color) []byte {
	switch {
	case c&vt.ColorRGB != 0:
		b = append(b, "58:2::"...)
		for _, part := range [...]vt.Color{c >> 16, c >> 8, c} {
			d := decimals[part&0xff]
			b = append(append(b, d[:len(d)-1]...), ':')
		}
		b[len(b)-1] = ';'
		return b
	case c&vt.ColorIndexed != 0:
		return append(append(b, "58:5:"...), decimals[c&0xff]...)
	}
	return append(b, "59;"...)
}
