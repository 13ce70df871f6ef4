package frame

import (
	"fmt"
	"slices"

	"reprise/ui/theme"
)

// Part is a part of the status bar that a person can place. What needs a person,
// the first run's hint and what a zoom hides always come first at the right.
type Part uint8

// Parts of the status bar.
const (
	PartSession Part = iota
	PartTabs
	PartTitle // of a pane that has no title row, because it is alone or zoomed
	PartWorking
	PartAgents
	PartClients
	PartBranch
	PartLoad
	PartHost
	PartClock
	NumParts
)

// parts says how settings name the parts, when they go for want of room, and what
// they say; those that the composer makes itself say nothing here.
var parts = [NumParts]struct {
	name string
	drop int
	text func(b *Bar) string
}{
	PartSession: {name: "session"},
	PartTabs:    {name: "tabs"},
	PartTitle:   {name: "title", drop: dropTitle},
	PartWorking: {name: "working", drop: dropWorking},
	PartAgents: {"agents", dropTitle, func(b *Bar) string {
		switch b.Agents {
		case 0:
			return ""
		case 1:
			return "1 agent"
		}
		return fmt.Sprintf("%d agents", b.Agents)
	}},
	PartClients: {"clients", dropClients, func(b *Bar) string {
		if b.Clients <= 1 {
			return ""
		}
		return fmt.Sprintf("%d clients", b.Clients)
	}},
	PartBranch: {"branch", dropBranch, func(b *Bar) string { return b.Branch }},
	PartLoad:   {"load", dropBranch, func(b *Bar) string { return b.Load }},
	PartHost:   {"host", dropClients, func(b *Bar) string { return b.Host }},
	PartClock:  {"clock", dropClock, func(b *Bar) string { return b.Clock }},
}

// String is the part's name in settings.
func (p Part) String() string { return parts[p].name }

// PartNamed is the part of a name in settings; false: there is none.
func PartNamed(name string) (Part, bool) {
	for p := range parts {
		if parts[p].name == name {
			return Part(p), true
		}
	}
	return 0, false
}

// BarLayout says which parts the status bar has, in order. It is not to be changed:
// another layout is another pointer.
type BarLayout struct{ Left, Right []Part }

// DefaultBar is the layout of look.md §3.
var DefaultBar = &BarLayout{
	Left:  []Part{PartSession, PartTabs},
	Right: []Part{PartTitle, PartWorking, PartClients, PartBranch, PartClock},
}

// Has reports whether the layout has a part; nil is DefaultBar.
func (l *BarLayout) Has(p Part) bool {
	l = l.orDefault()
	return slices.Contains(l.Left, p) || slices.Contains(l.Right, p)
}

func (l *BarLayout) orDefault() *BarLayout {
	if l == nil {
		return DefaultBar
	}
	return l
}

// place appends the parts that a person placed at one side; before stands in front
// of those that are one word.
func (c *Composer) place(out []part, s *Scene, list []Part, before string) []part {
	for i, p := range list {
		switch p {
		case PartSession:
			out = c.sessionPart(out, s, i+1 < len(list) && list[i+1] == PartTabs)
		case PartTabs:
			out = c.tabParts(out, s)
		case PartTitle:
			if runs := c.barTitle(s); runs != nil {
				out = append(out, part{runs: append([]run{bar(before, theme.Text, false)}, runs...), drop: dropTitle})
			}
		case PartWorking:
			if n := s.Bar.Working; n > 0 {
				m := marks[Working]
				text := fmt.Sprintf("%s%s %d %s", before, m.show(c.ascii), n, m.word)
				out = append(out, part{runs: []run{bar(text, m.token, m.bold)}, drop: parts[p].drop})
			}
		default:
			if text := parts[p].text(&s.Bar); text != "" {
				out = append(out, part{runs: []run{bar(before+text, theme.Muted, false)}, drop: parts[p].drop})
			}
		}
	}
	return out
}

func (c *Composer) sessionPart(out []part, s *Scene, tabs bool) []part {
	if s.Bar.Session == "" {
		return out
	}
	p := part{runs: []run{bar(" "+s.Bar.Session, theme.Text, true)}, drop: dropSession}
	if tabs && len(s.Tabs) > 0 {
		mark := crumb
		if c.ascii {
			mark = crumbASCII
		}
		p.runs = append(p.runs, bar(" "+mark, theme.Rule, false))
	}
	return append(out, p)
}

func (c *Composer) tabParts(out []part, s *Scene) []part {
	for i := range s.Tabs {
		p := c.tabPart(&s.Tabs[i], i+1)
		if s.Tabs[i].Current {
			p.drop = 0
			if s.Bar.Message != "" {
				p.drop = dropShown
			}
		}
		out = append(out, p)
	}
	return out
}
