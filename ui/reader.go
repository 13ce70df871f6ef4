package ui

import (
	"fmt"
	"slices"
	"strings"

	"reprise/panes"
	"reprise/ui/frame"
)

// reader is what a person who hears the screen was told: each change is said once, in
// one line at the foot, and stands there until the next.
type reader struct {
	line   string
	name   string   // of the session
	sheet  string   // the title of what is open
	row    string   // what is selected there
	said   []string // in the making
	tab    panes.TabID
	focus  panes.PaneID
	panes  int // of the tab
	zoomed bool
	chip   string
	typed  int // panes that are typed into at once
	serial int // of the message
	heard  map[panes.PaneID]heard
}

// heard is what was told of a pane.
type heard struct {
	look  frame.State
	word  string
	strip string
	waits int // prompts
	bars  string
}

// plainPane is a pane for who hears the screen: its title says who it is. What becomes
// of it is said at the foot; directory and task change without need.
func plainPane(p frame.Pane) frame.Pane {
	p.Task, p.Dir, p.Word, p.Where = "", "", "", ""
	p.State, p.Strip = frame.Normal, frame.Strip{}
	return p
}

// hear says what changed since the last frame.
func (m *Model) hear() {
	s, r := &m.draws.scene, &m.draws.reader
	if !m.outer.reader {
		s.Reader = frame.Reader{}
		if r.heard != nil {
			*r = reader{}
		}
		return
	}
	r.said = r.said[:0]
	if r.heard == nil {
		r.heard = map[panes.PaneID]heard{}
	}
	if name := clean(m.cfg.Workspace.Name()); name != r.name {
		r.name, r.tab = name, ""
		r.tell("Session " + name)
	}
	m.hearPlace(r)
	m.hearPanes(r)
	m.hearMode(r)
	if st := &m.status; st.serial != r.serial {
		r.serial = st.serial
		r.tell(st.text)
	}
	m.hearList(r)
	if len(r.said) > 0 {
		r.line = strings.Join(r.said, " ")
	}
	s.Reader = frame.Reader{On: true, Line: r.line}
	s.Bar = frame.Bar{Mode: frame.ModeBar{Input: s.Bar.Mode.Input}}
}

// tell adds a sentence.
func (r *reader) tell(words string) {
	switch {
	case words == "":
		return
	case !strings.HasSuffix(words, ".") && !strings.HasSuffix(words, "…"):
		words += "."
	}
	r.said = append(r.said, words)
}

// hearPlace tells where the person is: tab and pane.
func (m *Model) hearPlace(r *reader) {
	v := &m.view
	if p := v.focused(); p == nil || p.name == "" { // its program is about to start
		return
	}
	moved := v.tab.ID != r.tab
	if moved && (len(v.tabs) > 1 || r.tab != "") {
		words := fmt.Sprintf("Tab %d of %d", v.number(v.tab), len(v.tabs))
		if name := v.title(v.tab); name != "" {
			words += ", " + name
		}
		r.tell(words)
	}
	moved = moved || v.focus != r.focus || len(v.order) != r.panes || v.zoomed() != r.zoomed
	first := r.focus == ""
	r.tab, r.focus, r.panes, r.zoomed = v.tab.ID, v.focus, len(v.order), v.zoomed()
	if p := v.focused(); moved && p != nil {
		r.tell(v.paneWords(p))
		r.heard[v.focus] = m.hearPane(r, v.focus, p, heard{})
	}
	if key := m.keys.firstHint[0]; first && !m.keys.seen && key.Key != "" {
		r.tell(m.keys.prefix + " then " + key.Key + " " + key.Verb)
	}
}

// paneWords say which pane has the focus.
func (v *view) paneWords(p *pane) string {
	words := fmt.Sprintf("Pane %d of %d, %s", slices.Index(v.order, v.focus)+1, len(v.order), p.name)
	if v.floats() {
		words = "Scratch pane, " + p.name
	}
	if name := v.layout.Meta[v.focus].Name; name != "" {
		words += ", " + name
	}
	if v.zoomed() {
		words += ", zoomed"
	}
	return words
}

// hearPanes tells what became of the panes, of all tabs.
func (m *Model) hearPanes(r *reader) {
	for _, id := range m.view.all {
		if p := m.view.panes[id]; p != nil {
			r.heard[id] = m.hearPane(r, id, p, r.heard[id])
		}
	}
	for id := range r.heard {
		if m.view.panes[id] == nil {
			delete(r.heard, id)
		}
	}
}

// became says a state in words, where the strip says nothing.
var became = map[frame.State]string{
	frame.Working: "works", frame.Permission: "waits for permission", frame.Question: "waits for an answer", frame.Done: "done", frame.Idle: "idle",
	frame.PermissionGuess: "may wait for permission", frame.QuestionGuess: "may wait for an answer",
	frame.Saved: "saved, not running", frame.Failed: "failed", frame.Rang: "rang the bell", frame.Notified: "has a message",
	frame.Active: "printed something", frame.Silent: "is silent",
}

// hearPane tells what became of one pane, if it is another thing than before.
func (m *Model) hearPane(r *reader, id panes.PaneID, p *pane, before heard) heard {
	now := heard{p.look, p.word, p.strip.Words, p.agent.Prompts, p.agent.Barred}
	if now == before {
		return now
	}
	if now.waits != before.waits || now.bars != before.bars {
		r.tell(p.name + ": " + waiting(now.waits))
		r.tell(capital(now.bars))
		before.waits, before.bars = now.waits, now.bars
		if now == before {
			return now
		}
	}
	switch {
	case p.strip.Words != "":
		words := p.strip.Words
		if id != m.view.focus {
			words = p.name + ": " + words
		}
		r.tell(words)
		if id == m.view.focus {
			r.tell(keyWords(p.acts))
		}
	case before.look == frame.Resuming && p.look == frame.Normal:
		r.tell(p.name + ": resumed")
	case before.look == frame.Done && p.look == frame.Idle: // it was seen
	case became[p.look] != "":
		r.tell(p.name + ": " + became[p.look])
	}
	return now
}

// waiting says how many prompts wait for an agent.
func waiting(n int) string {
	switch n {
	case 0:
		return "no prompt waits any more"
	case 1:
		return "1 prompt waits"
	}
	return fmt.Sprintf("%d prompts wait", n)
}

// keyWords are the keys of a strip: "r retry, d dismiss".
func keyWords(keys []stripKey) string {
	var all []string
	for _, k := range keys {
		all = append(all, k.Key+" "+k.Verb)
	}
	return strings.Join(all, ", ")
}

// hearMode tells that keys mean something else. What a sheet says stands under the
// cursor, and the prefix is no news.
func (m *Model) hearMode(r *reader) {
	s := &m.draws.scene
	if n := s.Bar.Typed; n != r.typed {
		if r.typed = n; n > 0 {
			r.tell(fmt.Sprintf("What is typed goes to %d panes", n))
		} else {
			r.tell("What is typed goes to this pane alone")
		}
	}
	chip := s.Bar.Chip
	if s.Sheet.Title != "" || chip == m.keys.prefix || chip == r.chip {
		return
	}
	was := r.chip
	if r.chip = chip; chip == "" {
		r.tell(was + " ended")
		return
	}
	r.tell(chip)
	var keys []string
	for _, k := range s.Bar.Mode.Keys {
		if k.Key != "" {
			keys = append(keys, k.Key+" "+k.Verb)
		}
	}
	r.tell(strings.Join(keys, ", "))
}
