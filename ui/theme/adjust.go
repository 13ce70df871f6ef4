package theme

// step is how far lightness moves at a time, in OKLab.
const step = 0.02

// Shares of text (for a hit: of attn) in the tints of a real background.
const (
	barShare = 0.05
	selShare = 0.11
	hitShare = 0.20
)

// On fits the theme to the background that a terminal really has (look.md §7):
// the tints become that background with a little text in it, and every token
// that is under its floor there moves toward white or black until it holds, or
// until there is nothing left to move: on a middle grey no colour has a contrast
// of 7. The values for 16 colours are the person's own palette and stay.
func (t Theme) On(background RGB) Theme {
	out := t
	out.Background = background
	limit := RGB(0)
	if background.Dark() {
		limit = 0xffffff
	}
	// The tints are made of text and text must hold on the tints, so both are
	// found together: text only ever moves one way, and the loop ends.
	for {
		out.tint(background)
		moved, ok := out.toward(Text, limit)
		if !ok {
			break
		}
		out.Tokens[Text].RGB = moved
	}
	for tok := Muted; tok <= Rule; tok++ {
		for {
			moved, ok := out.toward(tok, limit)
			if !ok {
				break
			}
			out.Tokens[tok].RGB = moved
		}
	}
	out.tint(background)
	out.fitHit()
	out.fitPalette(limit)
	return out
}

func (t *Theme) tint(background RGB) {
	t.surface(Bar, mix(background, t.Tokens[Text].RGB, barShare))
	t.surface(Sel, mix(background, t.Tokens[Text].RGB, selShare))
	t.surface(Hit, mix(background, t.Tokens[Attn].RGB, hitShare))
}

// surface gives a token another colour, if the person chose none.
func (t *Theme) surface(tok Token, c RGB) {
	if !t.Own.Has(tok) {
		t.Tokens[tok].RGB = c
	}
}

// toward is the token's colour one step nearer to the limit; false if it holds
// its floor already or has reached the limit.
func (t *Theme) toward(tok Token, limit RGB) (RGB, bool) {
	c := t.Tokens[tok].RGB
	if c == limit || t.Own.Has(tok) || t.holds(tok, c, rgbOf) {
		return c, false
	}
	l := toLab(c.linear())
	if limit == 0 {
		l[0] -= step
	} else {
		l[0] += step
	}
	if l[0] <= 0 || l[0] >= 1 {
		return limit, true
	}
	n := l.rgb()
	if n == c { // rounding to bytes ate the step
		return limit, true
	}
	return n, true
}

func rgbOf(v Value) RGB     { return v.RGB }
func paletteOf(v Value) RGB { return paletteRGB(v.Palette) }

// holds reports whether colour c of a token has its floor on every surface that
// it is read on; of reads a surface's colour.
func (t *Theme) holds(tok Token, c RGB, of func(Value) RGB) bool {
	floor := t.Floor(tok)
	if Contrast(c, t.Background) < floor {
		return false
	}
	if !onTints[tok] {
		return true
	}
	return Contrast(c, of(t.Tokens[Bar])) >= floor && Contrast(c, of(t.Tokens[Sel])) >= floor
}

// fitHit takes the hit back toward the background until text is readable on it.
func (t *Theme) fitHit() {
	if t.Own.Has(Hit) {
		return
	}
	for share := hitShare; share > 0; share -= step {
		t.Tokens[Hit].RGB = mix(t.Background, t.Tokens[Attn].RGB, share)
		if Contrast(t.Tokens[Text].RGB, t.Tokens[Hit].RGB) >= hitFloor {
			return
		}
	}
	t.Tokens[Hit].RGB = t.Background
}

// fitPalette replaces entries of the 256 palette that do not hold on this
// background by the nearest ones to the moved colours that do.
func (t *Theme) fitPalette(limit RGB) {
	ok := true
	for tok := Text; tok <= Rule; tok++ {
		ok = ok && (t.Own.Has(tok) || t.holds(tok, paletteOf(t.Tokens[tok]), paletteOf))
	}
	if ok && Contrast(paletteOf(t.Tokens[Bar]), t.Background) < 1.6 {
		return
	}
	for _, tok := range []Token{Bar, Sel, Hit} {
		if !t.Own.Has(tok) {
			t.Tokens[tok].Palette = Nearest(t.Tokens[tok].RGB)
		}
	}
	for tok := Text; tok <= Rule; tok++ {
		if t.Own.Has(tok) {
			continue
		}
		t.Tokens[tok].Palette = nearest(t.Tokens[tok].RGB, func(c RGB) bool { return t.holds(tok, c, paletteOf) })
		if !t.holds(tok, paletteOf(t.Tokens[tok]), paletteOf) {
			t.Tokens[tok].Palette = Nearest(limit)
		}
	}
}

// Nearest is the entry of xterm's palette, from 16 on, that is nearest to a colour in
// OKLab.
func Nearest(c RGB) uint8 { return nearest(c, func(RGB) bool { return true }) }

// nearest is the palette entry nearest to c, in OKLab, of those that will do; of
// all if none does.
func nearest(c RGB, will func(RGB) bool) uint8 {
	want := toLab(c.linear())
	best, least, found := uint8(16), 0.0, false
	for _, must := range []bool{true, false} {
		for i := 16; i <= 255; i++ {
			p := paletteRGB(uint8(i))
			if must && !will(p) {
				continue
			}
			if d := toLab(p.linear()).distance(want); !found || d < least {
				best, least, found = uint8(i), d, true
			}
		}
		if found {
			return best
		}
	}
	return best
}
