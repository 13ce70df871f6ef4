package ui

import (
	tea "charm.land/bubbletea/v2"

	"reprise/ui/copymode"
	"reprise/ui/frame"
)

// copyAct is what keys of copy mode do, n times where that makes sense.
type copyAct struct {
	keys []string
	verb string // as a hint says it, where there is one
	run  func(m *Model, p *pane, n int) tea.Cmd
}

// copyActs are vi's keys, as tmux has them in copy mode.
var copyActs []copyAct

var copyKeys = map[string]*copyAct{}

// copyHints are the keys that the status bar names in copy mode.
var copyHints [6]frame.Hint

func init() {
	copyActs = []copyAct{
		{[]string{"h", "left", "backspace", "ctrl+h"}, "", moves(copymode.Left)},
		{[]string{"l", "right"}, "", moves(copymode.Right)},
		{[]string{"k", "up", "ctrl+p"}, "", moves(copymode.Up)},
		{[]string{"j", "down", "ctrl+n", "ctrl+j"}, "", moves(copymode.Down)},
		{[]string{"w"}, "", moves(copymode.NextWord(false))},
		{[]string{"W"}, "", moves(copymode.NextWord(true))},
		{[]string{"e"}, "", moves(copymode.WordEnd(false))},
		{[]string{"E"}, "", moves(copymode.WordEnd(true))},
		{[]string{"b"}, "", moves(copymode.WordStart(false))},
		{[]string{"B"}, "", moves(copymode.WordStart(true))},
		{[]string{"0", "home"}, "", moves(copymode.LineStart)},
		{[]string{"^"}, "", moves(copymode.LineText)},
		{[]string{"$", "end"}, "", moves(copymode.LineEnd)},
		{[]string{"H"}, "", moves(copymode.High)},
		{[]string{"M"}, "", moves(copymode.Middle)},
		{[]string{"L"}, "", moves(copymode.Low)},
		{[]string{"g"}, "", moves(copymode.First)},
		{[]string{"G"}, "", moves(copymode.Last)},
		{[]string{"{"}, "", moves(copymode.Paragraph(-1))},
		{[]string{"}"}, "", moves(copymode.Paragraph(1))},
		{[]string{"ctrl+u"}, "", pages(-1)},
		{[]string{"ctrl+d"}, "", pages(1)},
		{[]string{"ctrl+b", "pgup"}, "", pages(-2)},
		{[]string{"ctrl+f", "pgdown"}, "", pages(2)},
		{[]string{"ctrl+y", "K", "ctrl+up"}, "", scrolls(-1)},
		{[]string{"ctrl+e", "J", "ctrl+down"}, "", scrolls(1)},
		{[]string{"/"}, "search", searches(1)},
		{[]string{"?"}, "", searches(-1)},
		{[]string{"n"}, "next", func(m *Model, p *pane, n int) tea.Cmd { return m.again(p, n) }},
		{[]string{"N"}, "", func(m *Model, p *pane, n int) tea.Cmd { return m.again(p, -n) }},
		{[]string{"["}, "prompts", prompts(-1)},
		{[]string{"]"}, "", prompts(1)},
		{[]string{"v"}, "select", selects(copymode.Chars)},
		{[]string{"V"}, "", selects(copymode.Lines)},
		{[]string{"ctrl+v"}, "", selects(copymode.Block)},
		{[]string{"space"}, "", func(_ *Model, p *pane, _ int) tea.Cmd {
			p.copy.Unselect()
			p.copy.Select(copymode.Chars)
			return nil
		}},
		{[]string{"o"}, "", func(_ *Model, p *pane, _ int) tea.Cmd { p.copy.OtherEnd(); return nil }},
		{[]string{"y", "enter"}, "yank", func(m *Model, p *pane, _ int) tea.Cmd { return m.yank(p) }},
		{[]string{"esc"}, "", func(m *Model, p *pane, _ int) tea.Cmd {
			if !p.copy.Unselect() {
				m.endCopy(p)
			}
			return nil
		}},
		{[]string{"q", "ctrl+c"}, "leave", func(m *Model, p *pane, _ int) tea.Cmd { m.endCopy(p); return nil }},
	}
	for i := range copyActs {
		for _, k := range copyActs[i].keys {
			copyKeys[k] = &copyActs[i]
		}
	}
	for i, h := range []struct{ of, key string }{{"/", "/"}, {"n", "n N"}, {"v", "v"}, {"y", "y"}, {"[", "[ ]"}, {"q", "q"}} {
		copyHints[i] = frame.Hint{Key: h.key, Verb: copyKeys[h.of].verb}
	}
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
