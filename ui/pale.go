package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"reprise/ui/theme"
)

// paleSurfaces say where a colour is read.
var paleSurfaces = map[theme.Surface]string{
	theme.OnPane: "on your background", theme.OnBar: "on the status bar", theme.OnSel: "on a selected row",
}

// paleWords names the colours of a person's own theme that can hardly be read on this
// terminal, as far as nobody did yet. They are used as they are. Where the background
// is not known nothing can be said.
func (m *Model) paleWords() (all []string) {
	o := &m.outer
	if o.bg == 0 {
		return nil
	}
	t := o.theme.On(theme.RGB(o.bg & 0xffffff))
	for _, p := range t.Pale() {
		words := fmt.Sprintf("theme %s: %s has contrast %.1f %s, %g is readable. Used as it is.", t.Name, p.Token, p.Contrast, paleSurfaces[p.On], p.Floor)
		if m.cfg.Said == nil || !m.cfg.Said(words) {
			all = append(all, words)
		}
	}
	return all
}

// tellPale says it.
func (m *Model) tellPale() tea.Cmd {
	words := m.paleWords()
	if len(words) == 0 {
		return nil
	}
	m.cfg.Notices = append(m.cfg.Notices, words...)
	if m.status.text != "" { // what is said goes first
		return nil
	}
	return m.nextNotice()
}
