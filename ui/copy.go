package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/copymode"
	"reprise/ui/frame"
)

// copying is copy mode in a pane of this client: keys move over the pane's lines
// instead of going to its program.
type copying struct {
	*copymode.State
	term   *panes.Terminal
	source string // names what screen shows, for the frame
	screen vt.Screen
	seq    uint64 // of the terminal, when it was last looked at
	dirty  bool   // screen and where are to be made anew
	auto   bool   // the mouse began it: it ends where the program's screen is
	count  int    // typed before a key, 0 for none
	find   finding
	where  string
}

const (
	copyChip = "copy"
	// maxYank is how much is copied at a time, in bytes: terminals drop longer
	// clipboards (OSC 52), some at 100 kB.
	maxYank  = 100_000
	maxCount = 9999
)

// copyMode begins copy mode in a pane, if it is not on; nil: there is nothing to
// look at.
func (m *Model) copyMode(p *pane) *copying {
	if p == nil || p.term == nil || p.hold.on() || m.view.refused() {
		return nil
	}
	if p.copy == nil {
		st, ok := copymode.New(p.term, p.screen.Cursor.Y, p.screen.Cursor.X)
		if !ok {
			return nil
		}
		m.hush()
		p.copy = &copying{State: st, term: p.term, source: "copy of " + string(p.term.ID()), seq: p.term.Seq()}
		st.Show(&p.copy.screen, m.outer.paint) // the mouse may ask for its size before a frame does
	}
	m.touch(p)
	return p.copy
}

// touch says that what copy mode shows is to be made anew.
func (m *Model) touch(p *pane) {
	p.copy.dirty, m.draws.dirty = true, true
}

// endCopy ends copy mode in a pane.
func (m *Model) endCopy(p *pane) {
	if p.copy != nil {
		p.copy.find.stop()
		p.copy = nil
		m.draws.dirty = true
	}
}

// refreshCopy takes in what changed of the lines that are looked at.
func (m *Model) refreshCopy(id panes.PaneID, p *pane) (cmd tea.Cmd) {
	c := p.copy
	if c == nil {
		return nil
	}
	if c.term != p.term {
		m.endCopy(p)
		return nil
	}
	if seq := p.term.Seq(); seq != c.seq {
		c.seq, c.dirty = seq, true
		c.Refresh()
		cmd = m.searchOn(id, p)
	}
	if c.dirty && m.shown(id) {
		c.dirty = false
		c.Show(&c.screen, m.outer.paint)
		c.where = c.place()
	}
	return cmd
}

// paint gives cells the look of a mark.
func (o *outer) paint(cells []vt.Cell, mark copymode.Mark) {
	looks := [...]frame.Mark{copymode.Selected: frame.Selected, copymode.Hit: frame.Hit, copymode.Current: frame.Current}
	looks[mark].Paint(cells, o.palette)
}

// place is where the cursor is, in words.
func (c *copying) place() string {
	line, of := c.Position()
	text := "line " + grouped(line) + " of " + grouped(of)
	if c.Pattern() == nil {
		return text
	}
	found := "no match"
	switch at, n := c.Matches(); {
	case c.find.counts:
		found = "counting"
	case at > 0:
		found = grouped(uint64(at)) + " of " + grouped(uint64(n))
	case n == 1:
		found = "1 match"
	case n > 0:
		found = grouped(uint64(n)) + " matches"
	case c.find.running():
		found = "searching"
	}
	return found + "   " + text
}

// grouped is a number with a space before each three digits, from five on.
func grouped(n uint64) string {
	s := fmt.Sprint(n)
	if len(s) < 5 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// modeBar is what the status bar shows while the focused pane is in copy mode.
func (m *Model) modeBar() (b frame.ModeBar) {
	if _, on := m.mode.(*hinting); on {
		b.Keys = hintKeys
		return b
	}
	if h, on := m.mode.(*history); on {
		b.Keys = h.hints(m.view.size.Cols)
		return b
	}
	if _, on := m.mode.(*sideKeys); on {
		b.Keys = sideHints
		return b
	}
	p := m.view.focused()
	if p == nil || p.copy == nil {
		return b
	}
	c := p.copy
	b.Keys = m.keys.copy.filled().hints
	if c.find.typing {
		b.Keys, b.Input = searchHints(c.find.plain), c.find.sign()+c.find.text
	}
	if len(m.view.placed) == 1 && m.view.placed[0].Title.H == 0 {
		b.Where = c.where
	}
	return b
}

// copyKey takes a key in copy mode.
func (m *Model) copyKey(p *pane, k uv.KeyPressEvent) tea.Cmd {
	c := p.copy
	name := keyName(uv.Key(k))
	if name == "" {
		return nil
	}
	c.auto = false
	m.touch(p)
	c.Refresh()
	if c.find.typing {
		return m.searchKey(p, name, k.Text)
	}
	if n := m.keys.copy.digit(name, c.count == 0); n >= 0 {
		c.count = min(10*c.count+n, maxCount)
		return nil
	}
	n := max(1, c.count)
	c.count = 0
	if a := m.keys.copy.filled().keys[name]; a != nil {
		return a.run(m, p, n)
	}
	return nil
}

// beginCopy begins copy mode in the focused pane.
func beginCopy(m *Model) tea.Cmd {
	if m.copyMode(m.view.focused()) == nil {
		return m.say("This pane has no text to look back through.", false)
	}
	return nil
}

// beginCopyUp begins it half a screen further up.
func beginCopyUp(m *Model) tea.Cmd {
	cmd := beginCopy(m)
	if p := m.view.focused(); p != nil && p.copy != nil {
		p.copy.Page(-2)
	}
	return cmd
}

// beginSearch begins it with a search backward, toward what was before.
func beginSearch(m *Model) tea.Cmd {
	cmd := beginCopy(m)
	if p := m.view.focused(); p != nil && p.copy != nil {
		p.copy.find.ask(p.copy, -1)
	}
	return cmd
}

// yank copies the selection and ends copy mode. Without one it ends it.
func (m *Model) yank(p *pane) tea.Cmd {
	text, cut := p.copy.Yank(maxYank)
	m.endCopy(p)
	return m.copyOut(text, cut)
}

// copyOut puts text into this client's clipboard and into its own buffer.
func (m *Model) copyOut(text []byte, cut bool) tea.Cmd {
	if len(text) == 0 {
		return nil
	}
	if len(text) > maxYank {
		n := maxYank
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text, cut = text[:n], true
	}
	m.copied = text
	m.outer.pending += ansi.SetSystemClipboard(string(text))
	m.draws.dirty = true
	if cut {
		return m.say("Copied the first 100 kB: the selection is longer.", false)
	}
	n, what := utf8.RuneCount(text), "character"
	if lines := strings.Count(string(text), "\n"); lines > 0 {
		n, what = lines+1, "line"
	}
	if n > 1 {
		what += "s"
	}
	return m.say("Copied "+grouped(uint64(n))+" "+what, false)
}

// pasteCopied sends what was copied last to the focused pane's program.
func pasteCopied(m *Model) tea.Cmd { return m.pasteInto(m.view.focused()) }

// pasteTyped takes a paste in copy mode: into the search, else nowhere.
func (m *Model) pasteTyped(p *pane, text []byte) tea.Cmd {
	if !p.copy.find.typing {
		return nil
	}
	line, _, _ := strings.Cut(strings.TrimLeft(string(text), "\r\n"), "\n")
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, line)
	m.touch(p)
	p.copy.Refresh()
	return m.typed(p, p.copy.find.text+line)
}
