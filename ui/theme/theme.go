// Package theme holds the colours of the chrome: nine tokens, the built-in
// themes that give them values, and the pure functions that fit a theme to the
// background and the colours that a terminal really has.
//
// A theme never touches what a pane's program drew; it paints no background but
// that of the bar, the selection and a search hit (look.md §7).
package theme

import (
	"reprise/panes/vt"
)

// Token names one role of a colour.
type Token uint8

// The tokens. Bar, Sel and Hit are backgrounds, all others are colours of text
// and lines.
const (
	Text   Token = iota
	Muted        // what is there but need not be read
	Accent       // where the keyboard is, and which key to press
	Attn         // a person is needed
	Err          // this failed
	Rule         // lines between panes
	Bar          // background of the status bar and of sheets
	Sel          // background of the selected row and of a pane's strip
	Hit          // background of a search match
	tokens
)

var tokenNames = [tokens]string{"text", "muted", "accent", "attn", "err", "rule", "bar", "sel", "hit"}

func (t Token) String() string { return tokenNames[t] }

// Default16 is the value of a token that has the terminal's own default colour
// where there are only 16 colours.
const Default16 = -1

// Value is one token's colour for each kind of terminal. The value for 256
// colours is chosen for its contrast, not by nearest distance.
type Value struct {
	RGB     RGB
	Palette uint8 // 16 to 255 of xterm's palette
	ANSI    int8  // 0 to 15, or Default16
}

// Theme gives every token its values.
type Theme struct {
	Name string
	// Background is what the contrasts are computed against: the terminal's real
	// one once it is known. It is never painted.
	Background RGB
	Tokens     [tokens]Value
	// Own are the tokens that a person chose: they stay as they are, whatever their
	// contrast.
	Own Tokens
}

// Tokens is a set of tokens.
type Tokens uint16

// Has reports whether a token is in the set.
func (s Tokens) Has(t Token) bool { return s>>t&1 != 0 }

// floors are the least contrasts (WCAG 2.2) of look.md §7: of text against the
// background, the bar and the selection, of lines against the background alone.
var floors = [tokens]float64{Text: 7, Muted: 4.5, Accent: 4.5, Attn: 4.5, Err: 4.5, Rule: 1.6}

// onTints tells which tokens are also read on the bar and the selection.
var onTints = [tokens]bool{Text: true, Muted: true, Accent: true, Attn: true, Err: true}

// hitFloor is the least contrast of text on a search hit.
const hitFloor = 4.5

// Floor is the least contrast of a token; 0 for the backgrounds. The theme
// "contrast" has a higher one for lines.
func (t Theme) Floor(tok Token) float64 {
	if tok == Rule && t.Name == "contrast" {
		return 6
	}
	return floors[tok]
}

// Dark reports whether the theme is made for a dark background.
func (t Theme) Dark() bool { return t.Background.Dark() }

func v(rgb RGB, palette uint8, ansi int8) Value { return Value{rgb, palette, ansi} }

const d16 = Default16

// Built-in themes, Ink first: it is the default.
var builtin = []Theme{
	{"ink", 0x13161b, [tokens]Value{
		Text: v(0xd8dce3, 253, d16), Muted: v(0x98a1ae, 248, d16), Accent: v(0x7db7f0, 111, 6),
		Attn: v(0xf2bd5c, 215, 3), Err: v(0xff8f85, 210, 1), Rule: v(0x424a56, 239, 8),
		Bar: v(0x1d2128, 235, d16), Sel: v(0x2a313c, 237, d16), Hit: v(0x4a3d1c, 58, d16),
	}, 0},
	{"paper", 0xfbfaf6, [tokens]Value{
		Text: v(0x24272c, 235, d16), Muted: v(0x5a616b, 241, d16), Accent: v(0x0a579f, 25, 4),
		Attn: v(0x8f5600, 94, 5), Err: v(0x86131d, 88, 1), Rule: v(0xbdbeba, 250, 7),
		Bar: v(0xf0eee8, 255, d16), Sel: v(0xe2e0d9, 254, d16), Hit: v(0xfbe3a6, 223, d16),
	}, 0},
	{"contrast", 0x000000, [tokens]Value{
		Text: v(0xffffff, 231, 15), Muted: v(0xd2d2d2, 252, 7), Accent: v(0x5fd7ff, 81, 14),
		Attn: v(0xffd75f, 221, 11), Err: v(0xffafaf, 217, 9), Rule: v(0x8c8c8c, 245, 7),
		Bar: v(0x1c1c1c, 234, d16), Sel: v(0x3a3a3a, 237, d16), Hit: v(0x5f4b00, 58, d16),
	}, 0},
	{"bakelite", 0x1b1714, [tokens]Value{
		Text: v(0xeae2d3, 254, d16), Muted: v(0xada291, 248, d16), Accent: v(0x86d0bf, 115, 6),
		Attn: v(0xf6b35a, 215, 3), Err: v(0xfb6a6a, 210, 1), Rule: v(0x514840, 239, 8),
		Bar: v(0x26211d, 235, d16), Sel: v(0x38302a, 237, d16), Hit: v(0x573c1b, 58, d16),
	}, 0},
}

// Names lists the built-in themes, the default first.
func Names() []string {
	var names []string
	for _, t := range builtin {
		names = append(names, t.Name)
	}
	return names
}

// ByName finds a built-in theme.
func ByName(name string) (Theme, bool) {
	for _, t := range builtin {
		if t.Name == name {
			return t, true
		}
	}
	return Theme{}, false
}

// Ink is the default theme.
func Ink() Theme { return builtin[0] }

// Depth is how many colours a terminal shows.
type Depth uint8

// Depths.
const (
	NoColor Depth = iota // weight and reversal alone (NO_COLOR)
	Colors16
	Colors256
	TrueColor
)

// Style is a look of text, in the terms of a cell.
type Style struct {
	FG, BG vt.Color
	Attr   vt.Attr
}

// Surface is what text stands on.
type Surface uint8

// Surfaces. OnSel is the selection, the current tab and the strip of a pane.
const (
	OnPane Surface = iota
	OnBar
	OnSel
	OnHit
	surfaces
)

var surfaceTokens = [surfaces]Token{OnBar: Bar, OnSel: Sel, OnHit: Hit}

// Palette is a theme resolved for one depth: ready styles, no computing while
// drawing.
type Palette struct {
	styles [surfaces][Rule + 1]Style
}

// Resolve makes the palette of a theme for a depth.
func Resolve(t Theme, d Depth) *Palette {
	p := new(Palette)
	for s := range p.styles {
		for tok := range p.styles[s] {
			p.styles[s][tok] = resolve(t, d, Surface(s), Token(tok))
		}
	}
	return p
}

// ResolvePlain makes a palette without tints: the selection is reversed, a search hit
// underlined and bold.
func ResolvePlain(t Theme, d Depth) *Palette {
	p := Resolve(t, d)
	for tok := range p.styles[OnPane] {
		plain := p.styles[OnPane][tok]
		hit := plain
		hit.Attr = (hit.Attr | vt.Bold).WithUnderline(vt.UnderlineSingle)
		p.styles[OnBar][tok], p.styles[OnSel][tok], p.styles[OnHit][tok] = plain, Style{Attr: vt.Reverse}, hit
	}
	return p
}

// Style is the look of a token on a surface.
func (p *Palette) Style(tok Token, on Surface) Style { return p.styles[on][tok] }

func resolve(t Theme, d Depth, on Surface, tok Token) Style {
	var st Style
	val := t.Tokens[tok]
	switch d {
	case TrueColor:
		st.FG = vt.ColorRGB | vt.Color(val.RGB)
	case Colors256:
		st.FG = vt.ColorIndexed | vt.Color(val.Palette)
	case Colors16:
		if val.ANSI != Default16 {
			st.FG = vt.ColorIndexed | vt.Color(val.ANSI)
		}
	case NoColor:
		if tok == Accent || tok == Attn || tok == Err {
			st.Attr |= vt.Bold
		}
	}
	if on == OnPane {
		return st
	}
	bg := t.Tokens[surfaceTokens[on]]
	switch {
	case d == TrueColor:
		st.BG = vt.ColorRGB | vt.Color(bg.RGB)
	case d == Colors256:
		st.BG = vt.ColorIndexed | vt.Color(bg.Palette)
	case on == OnSel:
		// A palette colour reversed would paint a bar of that colour: the strip
		// would shout. Default on reversed default is readable everywhere.
		st.FG = 0
		st.Attr |= vt.Reverse
	case on == OnHit:
		st.Attr |= vt.Bold
		st.Attr = st.Attr.WithUnderline(vt.UnderlineSingle)
	}
	return st
}
