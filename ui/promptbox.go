package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui/frame"
	"reprise/ui/pump"
)

// Prompter sends messages to agents. *agent.Coordinator is one. Prompt waits until a
// turn has begun, which may take its time; the others do no I/O.
type Prompter interface {
	Prompt(ctx context.Context, r agent.PromptRequest) (agent.Prompted, error)
	// Prompts are those that wait for the agent of a pane, the oldest first.
	Prompts(p panes.PaneID) []string
	CancelPrompts(p panes.PaneID) (dropped int)
}

func init() {
	actions = append(actions, action{"prompt", "prompt", "Write a prompt to this pane's agent, or to several at once", 0, showPromptBox})
	bindings = append(bindings, binding{"P", "prompt"})
}

// promptBox asks for a message to agents: lines, of which the one with the cursor is
// edited as any other.
type promptBox struct {
	prompt
	above, below []string // the other lines
	reach        []reach  // to whom it may go
	at           int      // in reach
	waits        []string // what waits for them, in words
	n            int      // how many
	missed       []panes.PaneID
	held         []byte // of a paste that goes on
}

// reach is whom a message goes to, and how that is called.
type reach struct {
	kind  string // what several of them are called
	words string
	to    []panes.PaneID
}

// draft is a prompt that was written and not sent, or not to all.
type draft struct {
	text   string
	missed []panes.PaneID // who did not get it, others did
}

// showPromptBox opens it, with what was not sent the last time.
func showPromptBox(m *Model) tea.Cmd {
	last := m.view.cast.draft
	b := &promptBox{reach: m.reaches(last.missed), missed: last.missed}
	if len(b.reach) == 0 {
		return m.say("No agent runs in this tab: a prompt is for one.", true)
	}
	b.write(last.text)
	b.look(m)
	return m.enter(b, 0)
}

// keepDraft keeps what was written, however the prompt box is left.
func (m *Model) keepDraft() {
	if b, on := m.mode.(*promptBox); on {
		m.view.cast.draft = draft{b.message(), b.missed}
	}
}

// reaches are those to whom a message may go: the first is the one who is meant.
// missed did not get it the last time: who got it is not to have it twice.
func (m *Model) reaches(missed []panes.PaneID) (all []reach) {
	add := func(words string, ids []panes.PaneID) {
		all, _ = m.withReach(all, words, ids)
	}
	add("agents that did not get it", missed)
	add("marked agents", m.view.cast.marked)
	add("", []panes.PaneID{m.view.focus})
	add("agents of this tab", m.view.order)
	return all
}

// withReach appends those of ids that have an agent which runs, unless they are there
// already, and says where they are; -1: there is none.
func (m *Model) withReach(all []reach, kind string, ids []panes.PaneID) (_ []reach, at int) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id panes.PaneID) bool { return !m.prompts(id) })
	if len(ids) == 0 {
		return all, -1
	}
	if at = slices.IndexFunc(all, func(r reach) bool { return slices.Equal(r.to, ids) }); at >= 0 {
		return all, at
	}
	words := m.view.panes[ids[0]].name
	if len(ids) > 1 {
		words = fmt.Sprintf("%d %s", len(ids), kind)
	}
	return append(all, reach{kind, words, ids}), len(all)
}

// renew takes out who cannot be reached any more. It never adds anybody: a message goes
// to those who were told. It reports whether any of those is left.
func (b *promptBox) renew(m *Model) bool {
	var all []reach
	chosen := -1
	for i, r := range b.reach {
		var at int
		if all, at = m.withReach(all, r.kind, r.to); i == b.at {
			chosen = at
		}
	}
	b.reach, b.at = all, max(chosen, 0)
	return chosen >= 0
}

// lost goes on with whom else it may go to, if there is somebody.
func (b *promptBox) lost(m *Model) tea.Cmd {
	if len(b.reach) == 0 {
		return both(m.enter(passThrough{}, 0), m.say("The agent that the prompt is for runs no more. "+m.keptWords(), true))
	}
	b.look(m)
	return m.say("The agent that the prompt was for runs no more: see to whom it goes now.", true)
}

// prompts reports whether a pane has an agent that runs.
func (m *Model) prompts(id panes.PaneID) bool {
	p := m.view.panes[id]
	return p != nil && p.agent.Kind != "" && !p.dead && (p.agent.State == agent.PaneNormal || p.agent.State == agent.PaneFresh)
}

func (*promptBox) chip() string { return "prompt" }

// boxLines is how many lines of the message are in sight at most.
const boxLines = 7

func (b *promptBox) sheet() frame.Sheet {
	s := frame.Sheet{
		Title:   "Prompt " + b.reach[b.at].words,
		Input:   frame.Input{On: true, Text: b.text, Cursor: b.cursor, Around: &frame.Around{Above: b.above, Below: b.below, Most: boxLines}},
		Text:    strings.Join(b.waits, " "),
		Comfort: "Sent as one paste to an agent that is idle, else at its next idle.",
	}
	if n := 1 + len(b.above) + len(b.below); n > 1 {
		s.Count = fmt.Sprintf("line %d of %d", len(b.above)+1, n)
	}
	keys := []frame.Hint{{Key: "enter", Verb: "send"}, {Key: "ctrl+j", Verb: "new line"}}
	if len(b.reach) > 1 {
		keys = append(keys, frame.Hint{Key: "tab", Verb: "to " + b.reach[(b.at+1)%len(b.reach)].words})
	}
	if b.n > 0 {
		keys = append(keys, frame.Hint{Key: "ctrl+x", Verb: "drop what waits"})
	}
	copy(s.Keys[:], append(keys, frame.Hint{Key: "esc", Verb: "close"}))
	return s
}

func (b *promptBox) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	m.draws.dirty = true
	left := b.renew(m)
	switch name := keyName(uv.Key(k)); {
	case name == "esc", name == "ctrl+c":
		return m.enter(passThrough{}, 0)
	case !left:
		return b.lost(m)
	case name == "enter":
		return b.send(m)
	case name == "tab":
		b.at = (b.at + 1) % len(b.reach)
		b.look(m)
	case name == "ctrl+x":
		return b.drop(m)
	case name == "ctrl+j", name == "alt+enter", name == "shift+enter":
		b.split()
	case name == "up" && len(b.above) > 0:
		b.step(-1)
	case name == "down" && len(b.below) > 0:
		b.step(1)
	case (name == "backspace" || name == "ctrl+h") && b.cursor == 0 && len(b.above) > 0:
		b.join()
	default:
		b.limit = agent.MaxPrompt - len(b.message()) + len(b.text)
		b.edit(name, k)
	}
	return nil
}

// message is the whole of what was written.
func (b *promptBox) message() string {
	return strings.Join(slices.Concat(b.above, []string{b.text}, b.below), "\n")
}

// pasted takes in a paste, in pieces: they part line ends and letters.
func (b *promptBox) pasted(m *Model, e pump.Event) tea.Cmd {
	if e.Start {
		b.held = b.held[:0]
	}
	room := max(0, agent.MaxPrompt-len(b.message()))
	b.held = append(b.held, e.Raw[:min(len(e.Raw), room+1-min(len(b.held), room+1))]...)
	if !e.End {
		return nil
	}
	b.write(string(b.held))
	m.draws.dirty = true
	if len(b.held) > room {
		return m.say(fmt.Sprintf("A prompt has at most %d KiB: the rest was dropped.", agent.MaxPrompt>>10), true)
	}
	return nil
}

// write inserts text, with its lines, as much as there is room.
func (b *promptBox) write(text string) {
	room := agent.MaxPrompt - len(b.message())
	for i, line := range strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(text), "\n") {
		if i > 0 {
			if room == 0 {
				return
			}
			b.split()
			room--
		}
		before := len(b.text)
		b.limit = before + room
		b.insert(line)
		room -= len(b.text) - before
	}
}

// split ends the line at the cursor.
func (b *promptBox) split() {
	b.above, b.text, b.cursor = append(b.above, b.text[:b.cursor]), b.text[b.cursor:], 0
}

// step goes a line up or down.
func (b *promptBox) step(by int) {
	all := slices.Concat(b.above, []string{b.text}, b.below)
	at := len(b.above) + by
	b.above, b.text, b.below = all[:at:at], all[at], all[at+1:]
	b.cursor = len(b.text)
}

// join makes one line of this and the one above.
func (b *promptBox) join() {
	last := len(b.above) - 1
	before := b.above[last]
	b.above, b.text, b.cursor = b.above[:last], before+b.text, len(before)
}

// look reads what waits already.
func (b *promptBox) look(m *Model) {
	b.waits, b.n = nil, 0
	for _, id := range b.reach[b.at].to {
		p := m.view.panes[id]
		for _, text := range m.cfg.Launcher.Prompts(id) {
			first, _, more := strings.Cut(text, "\n")
			first = frame.Cut(clean(first), maxFirst/2, "…")
			if more {
				first += " …"
			}
			b.waits = append(b.waits, fmt.Sprintf("For %s: \"%s\".", p.name, first))
			b.n++
		}
		if p.agent.Barred != "" {
			b.waits = append(b.waits, capital(p.agent.Barred)+".")
		}
	}
	if n := b.n; n > 0 {
		b.waits[0] = counted(n, "prompt") + waitWord(n) + b.waits[0]
	}
}

func waitWord(n int) string {
	if n == 1 {
		return " waits already. "
	}
	return " wait already. "
}

// drop takes back what waits.
func (b *promptBox) drop(m *Model) tea.Cmd {
	n := 0
	for _, id := range b.reach[b.at].to {
		n += m.cfg.Launcher.CancelPrompts(id)
	}
	b.look(m)
	return m.say(counted(n, "prompt")+" dropped.", false)
}

// send sends it to all whom it reaches, each by itself, and keeps it until it was
// taken or waits.
func (b *promptBox) send(m *Model) tea.Cmd {
	text := b.message()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	m.lead()
	l := m.cfg.Launcher
	to := slices.Clone(b.reach[b.at].to)
	names := make([]string, len(to))
	for i, id := range to {
		if p := m.view.panes[id]; p != nil {
			names[i] = p.name
		}
	}
	return both(m.enter(passThrough{}, 0), m.run(func(ctx context.Context) tea.Msg {
		done := promptedMsg{text: text, out: make([]sent, len(to))}
		var all sync.WaitGroup
		for i, id := range to {
			all.Go(func() {
				did, err := l.Prompt(ctx, agent.PromptRequest{Pane: id, Text: text, Queue: true})
				done.out[i] = sent{id, names[i], did, err}
			})
		}
		all.Wait()
		return done
	}))
}

// sent is what became of a message at one agent.
type sent struct {
	pane panes.PaneID
	name string
	did  agent.Prompted
	err  error
}

// promptedMsg tells what became of a message.
type promptedMsg struct {
	text string
	out  []sent
}

func (d promptedMsg) apply(m *Model) tea.Cmd {
	var taken, waits []string
	var failed error
	var missed []panes.PaneID
	for _, s := range d.out {
		switch {
		case s.err != nil:
			failed, missed = errors.Join(failed, s.err), append(missed, s.pane)
		case s.did == agent.PromptQueued:
			waits = append(waits, s.name)
		default:
			taken = append(taken, s.name)
		}
	}
	kept := m.view.cast.draft.text == d.text // else another was written since
	switch {
	case kept && failed == nil:
		m.view.cast.draft = draft{}
	case kept && len(missed) < len(d.out):
		m.view.cast.draft.missed = missed
	}
	var words []string
	if len(taken) > 0 {
		words = append(words, "Sent to "+strings.Join(taken, ", ")+".")
	}
	if len(waits) > 0 {
		words = append(words, "It waits for the next idle of "+strings.Join(waits, ", ")+".")
	}
	if failed != nil {
		words = append(words, "Not sent: "+strings.ReplaceAll(failed.Error(), "\n", "; ")+".")
		if kept {
			words = append(words, m.keptWords())
		}
	}
	return m.say(strings.Join(words, " "), failed != nil)
}

// keptWords say where a message is that was not sent.
func (m *Model) keptWords() string {
	if keys := m.keys.keysOf("prompt"); len(keys) > 0 {
		return keys[0] + " has the text."
	}
	return "The prompt box has the text."
}
