package theme_test

import (
	"math"
	"testing"

	"reprise/panes/vt"
	"reprise/ui/theme"
)

func themes(t *testing.T) []theme.Theme {
	t.Helper()
	var out []theme.Theme
	for _, n := range theme.Names() {
		th, ok := theme.ByName(n)
		if !ok {
			t.Fatalf("theme %s is listed but not found", n)
		}
		out = append(out, th)
	}
	return out
}

var readable = []theme.Token{theme.Text, theme.Muted, theme.Accent, theme.Attn, theme.Err}

func TestBuiltinThemesHoldTheirFloors(t *testing.T) {
	for _, th := range themes(t) {
		surfaces := map[string]theme.RGB{
			"background": th.Background, "bar": th.Tokens[theme.Bar].RGB, "sel": th.Tokens[theme.Sel].RGB,
		}
		for _, tok := range readable {
			for name, on := range surfaces {
				if c := theme.Contrast(th.Tokens[tok].RGB, on); c < th.Floor(tok) {
					t.Errorf("%s: %s has %.2f on %s, needs %.1f", th.Name, tok, c, name, th.Floor(tok))
				}
			}
		}
		if c := theme.Contrast(th.Tokens[theme.Rule].RGB, th.Background); c < th.Floor(theme.Rule) {
			t.Errorf("%s: rule has %.2f, needs %.1f", th.Name, c, th.Floor(theme.Rule))
		}
		if c := theme.Contrast(th.Tokens[theme.Text].RGB, th.Tokens[theme.Hit].RGB); c < 4.5 {
			t.Errorf("%s: text on hit has %.2f", th.Name, c)
		}
	}
}

// The figures are those of look.md §7, so that the table there and the one here
// cannot part.
func TestContrastIsThatOfTheSpecification(t *testing.T) {
	ink, _ := theme.ByName("ink")
	paper, _ := theme.ByName("paper")
	for _, c := range []struct {
		th   theme.Theme
		tok  theme.Token
		want float64
	}{{ink, theme.Text, 13.2}, {ink, theme.Muted, 6.9}, {ink, theme.Accent, 8.6}, {ink, theme.Rule, 2.0}, {paper, theme.Text, 14.3}, {paper, theme.Attn, 5.7}} {
		if got := theme.Contrast(c.th.Tokens[c.tok].RGB, c.th.Background); math.Abs(got-c.want) > 0.06 {
			t.Errorf("%s %s: contrast %.2f, the specification says %.1f", c.th.Name, c.tok, got, c.want)
		}
	}
}

// blindness has the matrices of Machado, Oliveira and Fernandes 2009, severity 1,
// on linear light.
var blindness = map[string][9]float64{
	"normal":       {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039},
}

func TestColoursThatSpeakStayApart(t *testing.T) {
	least := map[string]float64{"ink": 8.4, "paper": 10.7, "contrast": 7.6, "bakelite": 11.5}
	for _, th := range themes(t) {
		got := math.Inf(1)
		a, n, e := th.Tokens[theme.Accent].RGB, th.Tokens[theme.Attn].RGB, th.Tokens[theme.Err].RGB
		for _, m := range blindness {
			for _, pair := range [][2]theme.RGB{{a, n}, {a, e}, {n, e}} {
				got = min(got, 100*theme.Distance(pair[0], pair[1], m))
			}
		}
		if got < 7 || math.Abs(got-least[th.Name]) > 0.06 {
			t.Errorf("%s: least distance %.2f, the specification says %.1f", th.Name, got, least[th.Name])
		}
	}
}

func TestOnHoldsOnEveryBackgroundThatLetsIt(t *testing.T) {
	for _, th := range themes(t) {
		for bg := theme.RGB(0); bg <= 0xffffff; bg += 0x070d1f {
			got := th.On(bg)
			best := max(theme.Contrast(bg, 0), theme.Contrast(bg, 0xffffff))
			for _, tok := range readable {
				floor := th.Floor(tok)
				for _, on := range []theme.RGB{bg, got.Tokens[theme.Bar].RGB, got.Tokens[theme.Sel].RGB} {
					c := theme.Contrast(got.Tokens[tok].RGB, on)
					limit := got.Tokens[tok].RGB == 0 || got.Tokens[tok].RGB == 0xffffff
					if c < floor && !limit {
						t.Fatalf("%s on %06x: %s has %.2f and could move on (best %.1f)", th.Name, bg, tok, c, best)
					}
				}
			}
			if c := theme.Contrast(got.Tokens[theme.Text].RGB, got.Tokens[theme.Hit].RGB); c < 4.4 {
				t.Fatalf("%s on %06x: text on hit has %.2f", th.Name, bg, c)
			}
		}
	}
}

func TestOnLeavesWhatHolds(t *testing.T) {
	ink := theme.Ink()
	got := ink.On(0x000000)
	for tok := theme.Text; tok <= theme.Rule; tok++ {
		if got.Tokens[tok].RGB != ink.Tokens[tok].RGB {
			t.Errorf("%s moved to %06x on black, where it holds", tok, got.Tokens[tok].RGB)
		}
		if got.Tokens[tok].Palette != ink.Tokens[tok].Palette {
			t.Errorf("%s took palette entry %d on black", tok, got.Tokens[tok].Palette)
		}
	}
	if got.Tokens[theme.Bar].RGB != 0x0b0b0b {
		t.Errorf("bar is %06x, want black with 5%% of text", got.Tokens[theme.Bar].RGB)
	}
}

// A person who set theme = "ink" by name on a white terminal can still read it.
func TestOnTurnsADarkThemeForALightTerminal(t *testing.T) {
	got := theme.Ink().On(0xffffff)
	if c := theme.Contrast(got.Tokens[theme.Text].RGB, 0xffffff); c < 7 {
		t.Errorf("text has %.2f on white", c)
	}
	for _, tok := range readable {
		pal := theme.PaletteRGB(got.Tokens[tok].Palette)
		if c := theme.Contrast(pal, 0xffffff); c < 4.5 {
			t.Errorf("%s has %.2f on white with 256 colours", tok, c)
		}
	}
}

func TestAuto(t *testing.T) {
	for bg, want := range map[theme.RGB]string{0x000000: "ink", 0x1e1e2e: "ink", 0x002b36: "ink", 0xffffff: "paper", 0xfdf6e3: "paper", 0xc0c0c0: "paper"} {
		if got := (theme.Choice{}).On(bg).Name; got != want {
			t.Errorf("background %06x: %s, want %s", bg, got, want)
		}
	}
}

func paperTheme() theme.Theme {
	t, _ := theme.ByName("paper")
	return t
}

func TestResolve(t *testing.T) {
	ink, paper := theme.Ink(), paperTheme()
	idx := func(n int) vt.Color { return vt.ColorIndexed | vt.Color(n) }
	for _, c := range []struct {
		name string
		th   theme.Theme
		d    theme.Depth
		tok  theme.Token
		on   theme.Surface
		want theme.Style
	}{
		{"truecolor", ink, theme.TrueColor, theme.Accent, theme.OnPane, theme.Style{FG: vt.ColorRGB | 0x7db7f0}},
		{"truecolor on the bar", ink, theme.TrueColor, theme.Muted, theme.OnBar, theme.Style{FG: vt.ColorRGB | 0x98a1ae, BG: vt.ColorRGB | 0x1d2128}},
		{"256", ink, theme.Colors256, theme.Attn, theme.OnSel, theme.Style{FG: idx(215), BG: idx(237)}},
		{"16: muted is the default, never 8", ink, theme.Colors16, theme.Muted, theme.OnPane, theme.Style{}},
		{"16: never blue on dark", ink, theme.Colors16, theme.Accent, theme.OnPane, theme.Style{FG: idx(6)}},
		{"16: never yellow on light", paper, theme.Colors16, theme.Attn, theme.OnPane, theme.Style{FG: idx(5)}},
		{"16: strip reversed", ink, theme.Colors16, theme.Err, theme.OnSel, theme.Style{Attr: vt.Reverse}},
		{"none: weight", ink, theme.NoColor, theme.Accent, theme.OnPane, theme.Style{Attr: vt.Bold}},
		{"none: strip reversed", ink, theme.NoColor, theme.Muted, theme.OnSel, theme.Style{Attr: vt.Reverse}},
		{"none: bar has no tint", ink, theme.NoColor, theme.Text, theme.OnBar, theme.Style{}},
		{"none: hit", ink, theme.NoColor, theme.Text, theme.OnHit, theme.Style{Attr: vt.Bold.WithUnderline(1)}},
	} {
		if got := theme.Resolve(c.th, c.d).Style(c.tok, c.on); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// The values for 256 colours hold the floors, too, on the theme's own background and on
// its tints as they are shown there.
func TestBuiltinThemesHoldTheirFloorsIn256Colours(t *testing.T) {
	for _, th := range themes(t) {
		surfaces := map[string]theme.RGB{
			"background": th.Background, "bar": theme.PaletteRGB(th.Tokens[theme.Bar].Palette), "sel": theme.PaletteRGB(th.Tokens[theme.Sel].Palette),
		}
		for _, tok := range readable {
			for name, on := range surfaces {
				if c := theme.Contrast(theme.PaletteRGB(th.Tokens[tok].Palette), on); c < th.Floor(tok) {
					t.Errorf("%s: %s has %.2f on %s, needs %.1f", th.Name, tok, c, name, th.Floor(tok))
				}
			}
		}
		if c := theme.Contrast(theme.PaletteRGB(th.Tokens[theme.Text].Palette), theme.PaletteRGB(th.Tokens[theme.Hit].Palette)); c < 4.5 {
			t.Errorf("%s: text on hit has %.2f", th.Name, c)
		}
	}
}

// A person's own colours stay on every background, and those that are pale are named.
func TestOnesOwnColoursStay(t *testing.T) {
	th := theme.Ink()
	th.Choose(theme.Muted, theme.Value{RGB: 0x555555, Palette: 240, ANSI: 8})
	th.Choose(theme.Sel, theme.Value{RGB: 0x303030, Palette: 236, ANSI: theme.Default16})
	for _, bg := range []theme.RGB{0x000000, 0x555555, 0xffffff} {
		got := th.On(bg)
		for _, tok := range []theme.Token{theme.Muted, theme.Sel} {
			if got.Tokens[tok] != th.Tokens[tok] {
				t.Errorf("on %06x %s became %+v", bg, tok, got.Tokens[tok])
			}
		}
	}
	if got := th.On(0xffffff).Tokens[theme.Text].RGB; got == th.Tokens[theme.Text].RGB {
		t.Error("a colour that was not chosen is not fitted to the background")
	}
	pale := th.On(0x000000).Pale()
	if len(pale) != 1 || pale[0].Token != theme.Muted || pale[0].On != theme.OnPane || math.Abs(pale[0].Contrast-2.8) > 0.1 || pale[0].Floor != 4.5 {
		t.Errorf("on black: %+v", pale)
	}
	th.Choose(theme.Muted, theme.Value{RGB: 0x808080})
	if pale := th.On(0x000000).Pale(); len(pale) != 1 || pale[0].On != theme.OnSel {
		t.Errorf("pale on its own selection: %+v", pale)
	}
	if pale := theme.Ink().On(0x777777).Pale(); pale != nil {
		t.Errorf("nobody chose a colour: %+v", pale)
	}
}
