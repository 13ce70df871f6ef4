package vt

import "strconv"

// attrOn and attrOff are the SGR parameters that set and reset attributes.
var attrOn = [76]Attr{1: Bold, 2: Dim, 3: Italic, 5: Blink, 6: Blink, 7: Reverse, 8: Conceal, 9: Strike, 53: Overline, 73: Superscript, 74: Subscript}

var attrOff = [76]Attr{
	22: Bold | Dim, 23: Italic, 24: UnderlineMask, 25: Blink, 27: Reverse, 28: Conceal, 29: Strike, 55: Overline,
	73: Subscript, 74: Superscript, 75: Superscript | Subscript,
}

// sgr changes the pen (ECMA-48 SGR; 4:n and 58 by kitty; 38, 48 and 58 with
// semicolons as xterm has them, or with colons as ITU T.416 does).
func (e *Emulator) sgr() {
	p := &e.parser
	s := e.pen.style
	if p.n == 0 {
		s = s.plain()
	}
	s.applyAll(p, 0)
	if s != e.pen.style {
		e.setPen(s)
	}
}

// applyAll takes the parameters from number i on.
func (s *style) applyAll(p *parser, i int) {
	for i < p.n {
		end := i + 1 // of the parameters joined by colons
		for end < p.n && p.sub>>end&1 != 0 {
			end++
		}
		i += s.apply(p.params[i:p.n], end-i)
	}
}

// plain is the style that SGR 0 leaves: links and protection are not its matter.
func (s style) plain() style { return style{attr: s.attr & isProtected, link: s.link} }

// apply takes the parameter v[0], which is joined with the n-1 behind it, and
// tells how many it has used.
func (s *style) apply(v []int32, n int) int {
	c := int(max(v[0], 0))
	switch {
	case c == 0:
		*s = s.plain()
	case c == 4:
		kind := UnderlineSingle
		if n > 1 {
			kind = min(int(max(v[1], 0)), UnderlineDashed)
		}
		s.attr = s.attr.WithUnderline(kind)
	case c == 21:
		s.attr = s.attr.WithUnderline(UnderlineDouble)
	case c >= 30 && c <= 37:
		s.fg = ColorIndexed | Color(c-30)
	case c >= 90 && c <= 97:
		s.fg = ColorIndexed | Color(c-90+8)
	case c >= 40 && c <= 47:
		s.bg = ColorIndexed | Color(c-40)
	case c >= 100 && c <= 107:
		s.bg = ColorIndexed | Color(c-100+8)
	case c == 38:
		return extendedColor(v, n, &s.fg)
	case c == 48:
		return extendedColor(v, n, &s.bg)
	case c == 58:
		return extendedColor(v, n, &s.ul)
	case c == 39:
		s.fg = 0
	case c == 49:
		s.bg = 0
	case c == 59:
		s.ul = 0
	case c < len(attrOn):
		s.attr = s.attr&^attrOff[c] | attrOn[c]
	}
	return n
}

// extendedColor reads 38, 48 or 58: an index (5) or a true colour (2), which with
// colons may name a colour space first. A colour out of range changes nothing.
func extendedColor(v []int32, n int, to *Color) int {
	if n > 1 {
		v = v[1:n]
		if v[0] == 2 && len(v) >= 5 {
			v = v[1:] // the colour space
			v[0] = 2
		}
		setColor(v, to)
		return n
	}
	if len(v) < 2 {
		return len(v)
	}
	used := len(v)
	switch v[1] {
	case 5:
		used = min(used, 3)
	case 2:
		used = min(used, 5)
	}
	setColor(v[1:used], to)
	return used
}

func setColor(v []int32, to *Color) {
	byteAt := func(i int) Color { return Color(max(v[i], 0)) }
	switch {
	case v[0] == 5 && len(v) >= 2 && byteAt(1) <= 255:
		*to = ColorIndexed | byteAt(1)
	case v[0] == 2 && len(v) >= 4 && byteAt(1) <= 255 && byteAt(2) <= 255 && byteAt(3) <= 255:
		*to = ColorRGB | byteAt(1)<<16 | byteAt(2)<<8 | byteAt(3)
	}
}

// appendSGR writes the parameters that make s out of the default style, without
// the leading 0, each behind a semicolon.
func (s style) appendSGR(b []byte) []byte {
	for _, a := range attrOrder {
		if s.attr&a.attr != 0 {
			b = append(b, ';')
			b = strconv.AppendInt(b, int64(a.param), 10)
		}
	}
	switch u := s.attr.Underline(); u {
	case UnderlineNone:
	case UnderlineSingle:
		b = append(b, ";4"...)
	default:
		b = append(b, ";4:"...)
		b = strconv.AppendInt(b, int64(u), 10)
	}
	b = appendColor(b, s.fg, 38)
	b = appendColor(b, s.bg, 48)
	return appendColor(b, s.ul, 58)
}

var attrOrder = []struct {
	attr  Attr
	param int
}{{Bold, 1}, {Dim, 2}, {Italic, 3}, {Blink, 5}, {Reverse, 7}, {Conceal, 8}, {Strike, 9}, {Overline, 53}, {Superscript, 73}, {Subscript, 74}}

// appendColor writes c for 38, 48 or 58.
func appendColor(b []byte, c Color, param int) []byte {
	if c == 0 {
		return b
	}
	b = append(b, ';')
	v := int(c & 0xFFFFFF)
	switch {
	case c&ColorRGB != 0:
		b = strconv.AppendInt(b, int64(param), 10)
		for _, part := range [...]int{2, v >> 16, v >> 8 & 255, v & 255} {
			b = append(b, ':')
			b = strconv.AppendInt(b, int64(part), 10)
		}
	case v < 16 && param < 58:
		base := param - 8 // 30, 40
		if v >= 8 {
			base += 60 - 8
		}
		b = strconv.AppendInt(b, int64(base+v), 10)
	default:
		b = strconv.AppendInt(b, int64(param), 10)
		b = append(b, ":5:"...)
		b = strconv.AppendInt(b, int64(v), 10)
	}
	return b
}

// AppendSGR appends the sequence that makes the rendition of c out of any other.
func AppendSGR(b []byte, c Cell) []byte {
	b = append(b, "\x1b[0"...)
	b = style{fg: c.FG, bg: c.BG, ul: c.UL, attr: c.Attr}.appendSGR(b)
	return append(b, 'm')
}
