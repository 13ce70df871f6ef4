package theme

// TokenNames lists the tokens as a theme's file names them, text first.
func TokenNames() []string { return tokenNames[:] }

// TokenOf finds a token by its name.
func TokenOf(name string) (Token, bool) {
	for t, n := range tokenNames {
		if n == name {
			return Token(t), true
		}
	}
	return 0, false
}

// Choose gives a token a person's own value: it stays as it is on every background.
func (t *Theme) Choose(tok Token, v Value) {
	t.Tokens[tok] = v
	t.Own |= 1 << tok
}

// Pale is a token that can hardly be read.
type Pale struct {
	Token    Token
	On       Surface
	Contrast float64 // on that surface, from 1 to 21
	Floor    float64 // from where it is readable
}

// Pale lists the tokens that a person chose and that are under their floor, each with
// the first surface where it is. All others hold: On sees to it.
func (t Theme) Pale() (all []Pale) {
	for tok := Text; tok <= Rule; tok++ {
		if !t.Own.Has(tok) {
			continue
		}
		for _, on := range []Surface{OnPane, OnBar, OnSel} {
			surface := t.Background
			if on != OnPane {
				surface = t.Tokens[surfaceTokens[on]].RGB
			}
			if c := Contrast(t.Tokens[tok].RGB, surface); c < t.Floor(tok) && (on == OnPane || onTints[tok]) {
				all = append(all, Pale{tok, on, c, t.Floor(tok)})
				break
			}
		}
	}
	return all
}

// Choice is a theme for a dark background and one for a light one. The zero value is
// ink and paper.
type Choice struct{ Dark, Light Theme }

// Always is a theme for every background.
func Always(t Theme) Choice { return Choice{t, t} }

// Unknown is the theme where the background is not known: the one for a dark one, as
// it is.
func (c Choice) Unknown() Theme {
	if c.Dark.Name == "" {
		return Ink()
	}
	return c.Dark
}

// On is the theme for a background, fitted to it.
func (c Choice) On(background RGB) Theme {
	t := c.Light
	switch {
	case background.Dark():
		t = c.Unknown()
	case t.Name == "":
		t, _ = ByName("paper")
	}
	return t.On(background)
}
