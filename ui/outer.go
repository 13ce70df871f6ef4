package ui

import (
	"fmt"
	"image/color"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"reprise/panes/vt"
	"reprise/ui/theme"
)

// outer is the client's terminal: what it can do, what it was told, and the
// colours that follow from its background.
type outer struct {
	ascii   bool
	noASCII bool
	reader  bool // nothing is drawn but text
	theme   theme.Choice
	depth   theme.Depth
	palette *theme.Palette
	fg, bg  vt.Color // its own colours; 0: not known
	kitty   bool     // it speaks the kitty keyboard protocol
	probing bool     // the width of a box line was asked for
	told    wants    // what it was last told
	pending string   // sequences for the next write
}

// wants is what the focused pane wants of the client's terminal.
type wants struct {
	title string
	shape uint8  // DECSCUSR
	mouse uint16 // 0, 1000, 1002, 1003
	kitty int    // flags of the kitty keyboard protocol
}

// untold is what a terminal has after Enter.
var untold = wants{kitty: kittyBase}

func newOuter(cfg Config) outer {
	o := outer{noASCII: cfg.NoASCII, theme: cfg.Theme, depth: depthOf(cfg.Profile)}
	o.ascii = cfg.ASCII || !cfg.NoASCII && plainTerminal(cfg.Env)
	o.told, o.reader = untold, cfg.Reader
	o.retheme()
	return o
}

func depthOf(p colorprofile.Profile) theme.Depth {
	switch p {
	case colorprofile.TrueColor:
		return theme.TrueColor
	case colorprofile.ANSI256:
		return theme.Colors256
	case colorprofile.ANSI:
		return theme.Colors16
	}
	return theme.NoColor
}

// retheme resolves the theme for what is known of the terminal.
func (o *outer) retheme() {
	t := o.theme.Unknown()
	if o.bg != 0 {
		t = o.theme.On(theme.RGB(o.bg & 0xffffff))
	}
	o.palette = theme.Resolve(t, o.depth)
	if o.reader {
		o.palette = theme.ResolvePlain(t, o.depth)
	}
}

// kittyBase is what is asked of every terminal that speaks the kitty keyboard
// protocol: keys that can be told apart. Releases (2) are added while the focused
// program asks for them; alternate keys (4) never: the decoder gets them wrong.
const (
	kittyBase     = ansi.KittyDisambiguateEscapeCodes
	kittyReleases = ansi.KittyReportEventTypes
)

// probeRow is where the width of a box line is tried: not in the first row,
// where the answer looks like the key F3.
const probeRow = 2

// Enter prepares the client's terminal and asks what it can do. The last question
// is one that every terminal answers.
func (m *Model) Enter() string {
	var b strings.Builder
	b.WriteString("\x1b[22;0t") // XTWINOPS: keep the title
	b.WriteString(ansi.SetModeAltScreenSaveCursor + ansi.HideCursor + plainModes + "\x1b[2J")
	b.WriteString(ansi.SetModeBracketedPaste + ansi.SetModeFocusEvent + ansi.SetModeLightDark)
	b.WriteString(ansi.SetModifyOtherKeys2 + ansi.PushKittyKeyboard(kittyBase))
	b.WriteString(ansi.RequestKittyKeyboard + ansi.RequestModeSynchronizedOutput)
	b.WriteString(ansi.RequestForegroundColor + ansi.RequestBackgroundColor)
	if m.view.size.Rows >= probeRow && !m.outer.ascii && !m.outer.noASCII && !m.outer.reader {
		m.outer.probing = true
		fmt.Fprintf(&b, "\x1b[%d;1H─%s\x1b[%d;1H\x1b[2K", probeRow, ansi.RequestCursorPositionReport, probeRow)
	}
	b.WriteString(ansi.RequestPrimaryDeviceAttributes)
	return b.String()
}

// plainModes are off where the painter draws, whatever ran in the terminal before: insert
// (IRM) and line feed mode (LNM), origin mode (DECOM), left and right margins (DECLRMM).
const plainModes = "\x1b[4;20l\x1b[?6;69l"

// Reset puts a client's terminal back as it was before Enter. It is harmless where
// a mode was never set.
const Reset = ansi.ResetModeSynchronizedOutput + // first, or the rest is held back
	"\x1b[<1u" + ansi.ResetModifyOtherKeys + // what Enter pushed of the kitty keyboard
	mouseOff +
	ansi.ResetModeLightDark + ansi.ResetModeFocusEvent + ansi.ResetModeBracketedPaste +
	"\x1b[?7h\x1b[0 q\x1b[m" + // autowrap, cursor shape, pen
	// There are terminals whose screens have a scroll region and a pen each.
	regionOff + ansi.ResetModeAltScreenSaveCursor + regionOff + "\x1b[m" + ansi.ShowCursor + "\x1b[23;0t"

// regionOff makes the whole screen scroll again (DECSTBM), where the cursor stays.
const regionOff = "\x1b7\x1b[r\x1b8"

const mouseOff = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"

// wants gathers what the focused pane wants.
func (m *Model) wants(cur vt.Cursor) wants {
	w := wants{shape: cur.Shape, kitty: kittyBase, title: m.cfg.Workspace.Name()}
	p := m.view.focused()
	if p == nil {
		return w
	}
	w.title = p.title
	if p.dead || p.term == nil {
		w.shape = 0
	} else if !m.cfg.ReadOnly {
		modes := p.state.Modes
		w.mouse = modes.Mouse
		w.kitty |= int(modes.Kitty) & kittyReleases
	}
	// Drags select and move borders, whatever the program knows of the mouse. With
	// shift the terminal keeps it.
	if !m.cfg.NoMouse {
		w.mouse = max(w.mouse, 1002)
	}
	return w
}

// follow appends what the terminal must be told to have what is wanted.
func (o *outer) follow(b []byte, w wants) []byte {
	b = append(b, o.pending...)
	o.pending = ""
	if w == o.told {
		return b
	}
	if w.title != o.told.title {
		b = append(b, "\x1b]2;"...)
		b = append(b, w.title...)
		b = append(b, "\x1b\\"...)
	}
	if w.shape != o.told.shape {
		b = fmt.Appendf(b, "\x1b[%d q", w.shape)
	}
	if w.mouse != o.told.mouse {
		b = append(b, mouseOff...)
		if w.mouse != 0 {
			b = fmt.Appendf(b, "\x1b[?%dh\x1b[?1006h", w.mouse)
		}
	}
	if w.kitty != o.told.kitty {
		if o.kitty {
			b = append(b, ansi.KittyKeyboard(w.kitty, 1)...)
		} else {
			w.kitty = o.told.kitty
		}
	}
	o.told = w
	return b
}

// answered takes what the terminal says of itself.
func (m *Model) answered(ev uv.Event) tea.Cmd {
	o := &m.outer
	switch ev := ev.(type) {
	case uv.ModeReportEvent:
		if ev.Mode == ansi.ModeSynchronizedOutput {
			m.draws.painter.Sync = ev.Value == ansi.ModeReset || ev.Value == ansi.ModeSet
		}
	case uv.KeyboardEnhancementsEvent:
		o.kitty = true
	case uv.ForegroundColorEvent:
		o.fg = rgbOf(ev.Color)
		m.tellColors()
	case uv.BackgroundColorEvent:
		o.bg = rgbOf(ev.Color)
		m.tellColors()
		o.retheme()
		m.draws.dirty = true
		return m.tellPale()
	case uv.CursorPositionEvent:
		if o.probing && ev.Y == probeRow-1 && ev.X == 2 {
			o.ascii, m.draws.painter.Ambiguous = true, true
			m.draws.painter.Invalidate() // the cursor was not where it was thought to be
			m.draws.dirty = true
		}
		o.probing = false // there was one question
	case uv.PrimaryDeviceAttributesEvent:
		o.probing = false // the last question: what was not answered by now will not be
	case uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		o.pending += ansi.RequestForegroundColor + ansi.RequestBackgroundColor
		m.draws.dirty = true
	}
	return nil
}

// tellColors tells programs the colours of the terminal that came last.
func (m *Model) tellColors() {
	if !m.cfg.ReadOnly {
		m.cfg.Host.SetColors(m.outer.fg, m.outer.bg)
	}
}

// rgbOf is a colour in a cell's terms; 0 if there is none.
func rgbOf(c color.Color) vt.Color {
	if c == nil {
		return 0
	}
	r, g, b, _ := c.RGBA()
	return vt.ColorRGB | vt.Color(r>>8)<<16 | vt.Color(g>>8)<<8 | vt.Color(b>>8)
}
