package ui

import (
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"reprise/ui/copymode"
	"reprise/ui/frame"
)

// copyAct is one thing that keys of copy mode do, n times where that makes sense.
type copyAct struct {
	vi, emacs string // the keys, parted by blanks
	help      string
	verb      string // as a hint says it, where there is one
	run       func(m *Model, p *pane, n int) tea.Cmd
}

// copyActs is the table of what keys do in copy mode: vi's and emacs's keys, as tmux
// has them there, and ours that both leave free.
var copyActs []copyAct

func init() {
	copyActs = []copyAct{
		{"h left backspace ctrl+h", "ctrl+b left", "a character to the left", "", moves(copymode.Left)},
		{"l right", "ctrl+f right", "a character to the right", "", moves(copymode.Right)},
		{"k up ctrl+p", "ctrl+p up", "a row up", "", moves(copymode.Up)},
		{"j down ctrl+n ctrl+j", "ctrl+n down", "a row down", "", moves(copymode.Down)},
		{"w", "", "to the next word", "", moves(copymode.NextWord(false))},
		{"W", "", "to the next word between blanks", "", moves(copymode.NextWord(true))},
		{"e", "alt+f", "to the end of a word", "", moves(copymode.WordEnd(false))},
		{"E", "", "to the end of a word between blanks", "", moves(copymode.WordEnd(true))},
		{"b", "alt+b", "to the beginning of a word", "", moves(copymode.WordStart(false))},
		{"B", "", "to the beginning of a word between blanks", "", moves(copymode.WordStart(true))},
		{"0 home", "ctrl+a home", "to the beginning of the line", "", moves(copymode.LineStart)},
		{"^", "alt+m", "to the first character of the line", "", moves(copymode.LineText)},
		{"$ end", "ctrl+e end", "to the end of the line", "", moves(copymode.LineEnd)},
		{"H", "alt+R", "to the first row in sight", "", moves(copymode.High)},
		{"M", "alt+r", "to the middle row in sight", "", moves(copymode.Middle)},
		{"L", "", "to the last row in sight", "", moves(copymode.Low)},
		{"g", "alt+<", "to the first line there is", "", moves(copymode.First)},
		{"G", "alt+>", "to the last line", "", moves(copymode.Last)},
		{"{", "alt+{", "to the blank line above", "", moves(copymode.Paragraph(-1))},
		{"}", "alt+}", "to the blank line below", "", moves(copymode.Paragraph(1))},
		{"ctrl+u", "alt+up", "half a screen up", "", pages(-1)},
		{"ctrl+d", "alt+down", "half a screen down", "", pages(1)},
		{"ctrl+b pgup", "alt+v pgup", "a screen up", "", pages(-2)},
		{"ctrl+f pgdown", "ctrl+v pgdown space", "a screen down", "", pages(2)},
		{"ctrl+y K ctrl+up", "ctrl+up", "scroll a line up", "", scrolls(-1)},
		{"ctrl+e J ctrl+down", "ctrl+down", "scroll a line down", "", scrolls(1)},
		{"/", "ctrl+s", "search on", "search", searches(1)},
		{"?", "ctrl+r", "search back", "", searches(-1)},
		{"n", "n", "to the next match", "next", func(m *Model, p *pane, n int) tea.Cmd { return m.again(p, n) }},
		{"N", "N", "to the match before", "", func(m *Model, p *pane, n int) tea.Cmd { return m.again(p, -n) }},
		{"[", "[", "to the prompt above", "prompts", prompts(-1)},
		{"]", "]", "to the prompt below", "", prompts(1)},
		{"O", "O", "select what the command here printed; again, the one before", "", selectOutput},
		{"v", "ctrl+space ctrl+@", "select characters", "select", selects(copymode.Chars)},
		{"V", "", "select lines", "", selects(copymode.Lines)},
		{"ctrl+v", "R", "select a block", "", selects(copymode.Block)},
		{"space", "", "begin a selection anew", "", func(_ *Model, p *pane, _ int) tea.Cmd {
			p.copy.Unselect()
			p.copy.Select(copymode.Chars)
			return nil
		}},
		{"o", "ctrl+x", "to the other end of the selection", "", func(_ *Model, p *pane, _ int) tea.Cmd { p.copy.OtherEnd(); return nil }},
		{"y enter", "alt+w ctrl+w enter", "copy the selection and leave", "yank", func(m *Model, p *pane, _ int) tea.Cmd { return m.yank(p) }},
		{"esc", "ctrl+g", "end the selection, else leave", "", func(m *Model, p *pane, _ int) tea.Cmd {
			if !p.copy.Unselect() {
				m.endCopy(p)
			}
			return nil
		}},
		{"q ctrl+c", "q ctrl+c esc", "leave", "leave", func(m *Model, p *pane, _ int) tea.Cmd { m.endCopy(p); return nil }},
	}
}

// copySet is the keys of copy mode that one setting chooses.
type copySet struct {
	name  string
	of    func(a *copyAct) string
	count string // before a digit of a count

	once  sync.Once // for fill: few clients come to copy mode, and many start
	keys  map[string]*copyAct
	hints [6]frame.Hint // those that the status bar names
}

// copySets are the sets of keys, the default first.
var copySets = []*copySet{
	{name: "vi", of: func(a *copyAct) string { return a.vi }},
	{name: "emacs", of: func(a *copyAct) string { return a.emacs }, count: "alt+"},
}

// CopyKeys names the sets of copy mode's keys, the default first.
func CopyKeys() (names []string) {
	for _, s := range copySets {
		names = append(names, s.name)
	}
	return names
}

// copySetOf is a set by its name; an unknown one is the first.
func copySetOf(name string) *copySet {
	i := slices.IndexFunc(copySets, func(s *copySet) bool { return s.name == name })
	return copySets[max(0, i)]
}

// hinted are the acts that the status bar names, by their verbs, and what they have
// there beside their first key: another act, the one before.
var hinted = [6]struct{ verb, beside string }{{"search", ""}, {"next", "N"}, {"select", ""}, {"yank", ""}, {"prompts", "]"}, {"leave", ""}}

// filled is the set with what is looked up in it.
func (s *copySet) filled() *copySet {
	s.once.Do(s.fill)
	return s
}

// fill makes what is looked up from the table of acts.
func (s *copySet) fill() {
	s.keys = map[string]*copyAct{}
	for i := range copyActs {
		a := &copyActs[i]
		keys := strings.Fields(s.of(a))
		for _, k := range keys {
			s.keys[canonical(k)] = a
		}
		for j, h := range hinted {
			if a.verb == h.verb && len(keys) > 0 {
				s.hints[j] = frame.Hint{Key: strings.TrimSpace(keys[0] + " " + h.beside), Verb: a.verb}
			}
		}
	}
}

// keyOf is the first key of the act that hints call by a verb; "": it has none.
func (s *copySet) keyOf(verb string) string {
	for i := range copyActs {
		if keys := strings.Fields(s.of(&copyActs[i])); copyActs[i].verb == verb && len(keys) > 0 {
			return keys[0]
		}
	}
	return ""
}

// digit is the digit of a count that a key is, -1 if it is none. The first one is
// none if it is 0: that is a key of its own.
func (s *copySet) digit(key string, first bool) int {
	key, ok := strings.CutPrefix(key, s.count)
	if n := strings.Index("0123456789", key); ok && len(key) == 1 && (n > 0 || n == 0 && !first) {
		return n
	}
	return -1
}

// selectOutput selects what a command printed.
func selectOutput(m *Model, p *pane, n int) tea.Cmd {
	if p.copy.Output(n) {
		return nil
	}
	return m.say("No output of a command here: the shell marks none (OSC 133).", false)
}

func moves(f copymode.Motion) func(*Model, *pane, int) tea.Cmd {
	return func(_ *Model, p *pane, n int) tea.Cmd { f(p.copy.State, n); return nil }
}

// pages moves by so many halves of a screen.
func pages(halves int) func(*Model, *pane, int) tea.Cmd {
	return func(_ *Model, p *pane, n int) tea.Cmd { p.copy.Page(halves * n); return nil }
}

func scrolls(lines int) func(*Model, *pane, int) tea.Cmd {
	return func(_ *Model, p *pane, n int) tea.Cmd { p.copy.Scroll(lines * n); return nil }
}

func selects(k copymode.Kind) func(*Model, *pane, int) tea.Cmd {
	return func(_ *Model, p *pane, _ int) tea.Cmd { p.copy.Select(k); return nil }
}

func prompts(step int) func(*Model, *pane, int) tea.Cmd {
	return func(m *Model, p *pane, n int) tea.Cmd {
		if p.copy.Prompt(step, n) {
			return nil
		}
		return m.say("No prompt that way: the shell marks none there (OSC 133).", false)
	}
}

func searches(step int) func(*Model, *pane, int) tea.Cmd {
	return func(_ *Model, p *pane, _ int) tea.Cmd { p.copy.find.ask(p.copy, step); return nil }
}
