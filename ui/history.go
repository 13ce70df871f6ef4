package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/panes"
	"reprise/ui/frame"
	"reprise/ui/fuzzy"
)

func init() {
	actions = append(actions, action{"history", "history", "Find a past session of an agent, and go on with it in a new pane", own, showHistory})
	bindings = append(bindings, binding{"h", "history"})
}

// Past are Sessions that also find past sessions of agents. All of it may read files.
type Past interface {
	// Past lists them as they are known now, the last used first: of those that agents
	// keep the newest, at most limit; 0 is all.
	Past(ctx context.Context, limit int) ([]past.Row, error)
	// Changes is another number whenever Past may list something else of what agents keep.
	Changes(ctx context.Context) (int64, error)
	// Refresh looks what is new; Past tells it from then on, some of it before.
	Refresh(ctx context.Context) error
	// Saying tells in which a word begins as the given one does; nil: not known.
	Saying(ctx context.Context, word string) map[agent.Identity]bool
	// OpenPast leads to a session: where it is open or saved, else to the pane that
	// newPane makes in the session that the client shows, where it is opened. An error
	// is a sentence for the person; a HeldError can be overridden.
	OpenPast(ctx context.Context, r past.Row, how PastHow, newPane func(context.Context) (panes.PaneID, error)) (*panes.Host, panes.PaneID, error)
}

// PastHow is how a past session is opened.
type PastHow struct {
	Anyway bool // though another program has it open
	Fork   bool // a copy of it, in a pane of its own wherever the session is
}

// HeldError says that a program that is not ours has a session open.
type HeldError struct{ Err error }

func (e *HeldError) Error() string { return e.Err.Error() }
func (e *HeldError) Unwrap() error { return e.Err }

const (
	// lookEvery is how often is looked for something new while stores are read, and
	// lookShare how much longer than the last look, so that looking takes a small part of
	// a processor whatever there is to list.
	lookEvery = time.Second
	lookShare = 20
	// firstLook is how many sessions are listed at first, more than a screen shows: the
	// rest follows.
	firstLook = 200
)

// history is the view of past sessions. What takes time runs beside the event loop.
type history struct {
	plain
	from    Past
	line    prompt
	here    string // the directory that goes first
	only    bool   // those of this directory alone
	all     []past.Row
	found   []past.Row // by row of the view; of a directory's row nothing
	view    frame.History
	alone   bool // the preview, where only one has room
	reading bool // of the stores
	looks   int  // an older look than the last one means nothing
	whole   bool // all of them are listed
	changes int64
	anew    bool // something else was typed: the best is selected
	serial  int  // an older search means nothing
	ctx     context.Context
	cancel  context.CancelFunc
}

func showHistory(m *Model) tea.Cmd {
	from, ok := m.cfg.Sessions.(Past)
	if !ok {
		return m.say("Past sessions are not kept here.", false)
	}
	h := &history{from: from, line: prompt{limit: maxQuery}, here: m.workDir(), reading: true}
	h.ctx, h.cancel = context.WithCancel(m.ctx)
	h.show(m, nil, nil, 0)
	return both(m.enter(h, 0), both(h.look(m), m.run(func(context.Context) tea.Msg {
		return readMsg{h, from.Refresh(h.ctx)}
	})))
}

// look lists the sessions anew if there may be others, and again while stores are read.
func (h *history) look(m *Model) tea.Cmd {
	h.looks++
	p := pastMsg{history: h, look: h.looks, whole: h.all != nil}
	was, listed := h.changes, h.whole
	return m.run(func(context.Context) tea.Msg {
		begun := time.Now()
		if p.changes, p.err = h.from.Changes(h.ctx); p.err != nil || listed && p.changes == was {
			p.same = true
			return p
		}
		limit := 0
		if !p.whole {
			limit = firstLook
		}
		p.rows, p.err = h.from.Past(h.ctx, limit)
		p.whole = p.whole || len(p.rows) < firstLook
		p.took = time.Since(begun)
		return p
	})
}

// pastMsg brings the sessions.
type pastMsg struct {
	history *history
	look    int
	rows    []past.Row
	same    bool // nothing changed, so there are none
	whole   bool
	changes int64
	took    time.Duration
	err     error
}

func (p pastMsg) apply(m *Model) tea.Cmd {
	h := p.history
	if m.mode != mode(h) || p.look != h.looks {
		return nil
	}
	if p.err != nil {
		h.leave(m)
		return m.say(fmt.Sprintf("Past sessions cannot be listed: %v", p.err), true)
	}
	var cmd tea.Cmd
	if !p.same {
		h.all, h.whole, h.changes = p.rows, p.whole, p.changes
		if h.all == nil {
			h.all = []past.Row{}
		}
		cmd = h.search(m)
	}
	switch {
	case !h.whole:
		return both(cmd, h.look(m))
	case h.reading:
		return both(cmd, m.after(max(lookEvery, lookShare*p.took), againMsg{h}))
	}
	return cmd
}

// againMsg comes when it is time to list them anew.
type againMsg struct{ history *history }

func (a againMsg) apply(m *Model) tea.Cmd {
	if m.mode != mode(a.history) || !a.history.reading {
		return nil
	}
	return a.history.look(m)
}

// readMsg comes when the stores were read.
type readMsg struct {
	history *history
	err     error
}

func (r readMsg) apply(m *Model) tea.Cmd {
	h := r.history
	if m.mode != mode(h) {
		return nil
	}
	h.reading = false
	if r.err != nil {
		return both(h.look(m), m.say(fmt.Sprintf("What agents keep could not be read: %v", r.err), true))
	}
	return h.look(m)
}

// search sorts out what fits what is typed.
func (h *history) search(m *Model) tea.Cmd {
	h.serial++
	serial, all, typed, here, only, home := h.serial, h.all, h.line.text, h.here, h.only, m.cfg.Home
	return m.run(func(context.Context) tea.Msg {
		found := all
		if only {
			found = slices.DeleteFunc(slices.Clone(all), func(r past.Row) bool { return !Within(r.Dir, here) })
		}
		found = FindPast(found, typed, func(w string) map[agent.Identity]bool { return h.from.Saying(h.ctx, w) })
		rows, by := pastList(found, typed, here, home, time.Now())
		return foundPastMsg{h, serial, rows, by}
	})
}

// foundPastMsg brings what fits.
type foundPastMsg struct {
	history *history
	serial  int
	rows    []frame.HistoryRow
	by      []past.Row
}

func (f foundPastMsg) apply(m *Model) tea.Cmd {
	h := f.history
	if m.mode != mode(h) || h.serial != f.serial {
		return nil
	}
	at := 0
	if was := h.selected(); was != nil && !h.anew { // what is selected stays so, wherever it is now
		at = max(0, slices.IndexFunc(f.by, func(r past.Row) bool { return r.Identity == was.Identity }))
	}
	h.anew = false
	h.show(m, f.rows, f.by, at)
	return nil
}

// pastList makes the rows of the view: without words by directory, here first.
func pastList(found []past.Row, typed, here, home string, now time.Time) (rows []frame.HistoryRow, by []past.Row) {
	groups := ByDir(found, strings.TrimSpace(typed) == "")
	at := slices.IndexFunc(groups, func(g []past.Row) bool { return len(g) > 0 && g[0].Dir == here })
	if at > 0 {
		first := groups[at]
		groups = slices.Insert(slices.Delete(groups, at, at+1), 0, first)
	}
	match := fuzzy.New(typed)
	for _, g := range groups {
		if strings.TrimSpace(typed) == "" && len(g) > 0 {
			dir := tilde(clean(g[0].Dir), home)
			if dir == "" {
				dir = "(directory not known)"
			}
			rows, by = append(rows, frame.HistoryRow{Dir: dir}), append(by, past.Row{})
		}
		for _, r := range g {
			row := frame.HistoryRow{Kind: clean(r.Kind), Text: firstWords(r), Note: ShortAge(now.Sub(r.Used))}
			if r.Standing.Open() {
				row.Note, row.Open = strings.TrimSpace("open in "+clean(r.Standing.Workspace)), true
			}
			if typed != "" {
				_, row.Hits, _ = match.Match(row.Text, r.Last+" "+r.Dir+" "+r.Kind+" "+string(r.Identity.Session))
			}
			rows, by = append(rows, row), append(by, r)
		}
	}
	return rows, by
}

// firstWords are what a session is called: what was asked at first.
func firstWords(r past.Row) string {
	if text := strings.TrimSpace(clean(r.First)); text != "" {
		return text
	}
	return "session …" + clean(r.Identity.Session.Short())
}

// show makes the view anew, with a row selected.
func (h *history) show(m *Model, rows []frame.HistoryRow, by []past.Row, at int) {
	h.found = by
	h.view.Rows = rows
	h.line.title = "Past sessions"
	h.pick(m, at, 1)
}

// pick selects a row, or the next one in a direction that is a session's.
func (h *history) pick(m *Model, at, step int) {
	at = max(0, min(at, len(h.found)-1))
	for at < len(h.found) && at >= 0 && h.found[at].Kind == "" {
		at += step
	}
	if at >= 0 && at < len(h.found) {
		h.view.Selected = at
	}
	n := 0
	for _, r := range h.found {
		if r.Kind != "" {
			n++
		}
	}
	v := h.view // the composer takes another pointer for another view
	v.Title, v.Scope = h.line.title, "all directories"
	if h.only {
		v.Scope = "this directory"
	}
	v.Count = fmt.Sprintf("%s of %s", grouped(uint64(n)), grouped(uint64(len(h.all))))
	v.Input = frame.Input{On: true, Text: h.line.text, Cursor: h.line.cursor}
	switch {
	case h.reading && len(h.all) == 0:
		v.Empty = "Reading what agents keep…"
	case len(h.all) == 0:
		v.Empty = "No past session is found."
	default:
		v.Empty = "Nothing matches."
	}
	v.Alone, v.Preview = h.alone, frame.Preview{}
	if r := h.selected(); r != nil {
		v.Preview = previewOf(r, m.cfg.Home, time.Now())
	}
	h.view = v
	shown := v
	m.draws.scene.History = &shown
	m.draws.dirty = true
}

// selected is the session that is selected; nil: there is none.
func (h *history) selected() *past.Row {
	i := h.view.Selected
	if i < 0 || i >= len(h.found) || h.found[i].Kind == "" {
		return nil
	}
	return &h.found[i]
}

func previewOf(r *past.Row, home string, now time.Time) frame.Preview {
	facts := []string{ShortAge(now.Sub(r.Used)) + " ago", "session …" + clean(r.Identity.Session.Short())}
	if dir := tilde(clean(r.Dir), home); dir != "" {
		facts = append([]string{dir}, facts...)
	}
	p := frame.Preview{Kind: clean(r.Kind), Facts: strings.Join(facts, "   ")}
	add := func(who, text string) {
		var lines []string
		for l := range strings.Lines(text) {
			lines = append(lines, clean(l))
		}
		p.Said = append(p.Said, frame.Said{Who: who, Text: strings.Join(lines, "\n")})
	}
	if r.First != "" {
		add("you", r.First)
	}
	switch {
	case r.Last == "" || r.Last == r.First:
	case r.Own:
		add("you", r.Last)
	default:
		add(p.Kind, r.Last)
	}
	if r.Standing.Open() {
		add("", strings.TrimSpace("Open in "+clean(r.Standing.Workspace)+": enter goes there."))
	}
	return p
}

func (*history) chip() string { return "history" }

// hints are what the keys do, for the status bar.
func (h *history) hints(cols int) (k [6]frame.Hint) {
	n := 0
	add := func(key, verb string) { k[n] = frame.Hint{Key: key, Verb: verb}; n++ }
	if r := h.selected(); r != nil {
		if verb := "resume in a pane"; r.Standing.Open() {
			add("enter", "go")
		} else {
			add("enter", verb)
		}
		if r.Forks {
			add("ctrl+o", "fork")
		}
	}
	switch {
	case cols < frame.MinPreviewCols && h.alone:
		add("tab", "list")
	case cols < frame.MinPreviewCols:
		add("tab", "preview")
	case h.only:
		add("tab", "all directories")
	default:
		add("tab", "this directory")
	}
	add("ctrl+y", "copy id")
	add("esc", "close")
	return k
}

func (h *history) key(m *Model, k uv.KeyPressEvent) tea.Cmd {
	name := keyName(uv.Key(k))
	if step, moves := paletteMoves[name]; moves {
		h.pick(m, h.view.Selected+step, max(-1, min(step, 1)))
		return nil
	}
	r := h.selected()
	switch name {
	case "esc", "ctrl+c":
		return h.leave(m)
	case "enter", "ctrl+o":
		if r == nil || name == "ctrl+o" && !r.Forks {
			return nil
		}
		how := PastHow{Fork: name == "ctrl+o"}
		return both(h.leave(m), opensPast(h.from, *r, how)(m))
	case "ctrl+y":
		if r == nil {
			return nil
		}
		return both(h.leave(m), m.copyOut([]byte(r.Identity.Session), false))
	case "tab":
		if m.view.size.Cols < frame.MinPreviewCols {
			h.alone = !h.alone
			h.pick(m, h.view.Selected, 1)
			return nil
		}
		h.only = !h.only
		return h.search(m)
	}
	was := h.line.text
	h.line.edit(name, k)
	return h.typed(m, was)
}

// typed takes another text.
func (h *history) typed(m *Model, was string) tea.Cmd {
	h.alone = false
	h.pick(m, h.view.Selected, 1)
	if h.line.text == was {
		return nil
	}
	h.anew = true
	return h.search(m)
}

// insert takes a paste.
func (h *history) insert(m *Model, text string) tea.Cmd {
	was := h.line.text
	h.line.insert(text)
	return h.typed(m, was)
}

// leave closes the view, and ends what it began.
func (h *history) leave(m *Model) tea.Cmd {
	h.cancel()
	return m.enter(passThrough{}, 0)
}
