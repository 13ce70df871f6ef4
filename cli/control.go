package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/input"
	"reprise/ui"
	"reprise/ui/alert"
)

// verbs are what can be asked of a running server from outside, each by its own
// payload and answer in JSON. None of them waits for a client or keeps one waiting.
var verbs = map[string]func(p *process, ctx context.Context, b []byte) (any, error){
	"rename":  verb((*process).rename),
	"resume":  verb((*process).resume),
	"prompt":  verb((*process).prompt),
	"pin":     verb((*process).pin),
	"ls":      verb((*process).list),
	"new":     verb((*process).newSession),
	"split":   verb((*process).split),
	"tab":     verb((*process).newTab),
	"move":    verb((*process).movePane),
	"send":    verb((*process).send),
	"capture": verb((*process).capture),
	"close":   verb((*process).shut),
	"explain": verb((*process).explain),
	"detach":  verb((*process).detach),
	"kill":    verb((*process).kill),
	"tutor":   verb((*process).progress),
	"version": verb((*process).identity),
	"upgrade": verb((*process).upgrade),
	"typed":   verb((*process).typed),

	"cancel-prompts": verb((*process).cancelPrompts),
	"rename-pane":    verb((*process).renamePane), // an older server would take it for the session's name
	"explain-agent":  verb((*process).explainAgent),
}

// verb is a function of a request's own type as one of the table.
func verb[Q, A any](do func(*process, context.Context, Q) (A, error)) func(*process, context.Context, []byte) (any, error) {
	return func(p *process, ctx context.Context, b []byte) (any, error) {
		var q Q
		if err := json.Unmarshal(b, &q); err != nil {
			return nil, errors.New("this request is not understood: use the program of the server's version")
		}
		return do(p, ctx, q)
	}
}

// request answers a verb.
func (p *process) request(ctx context.Context, name string, payload []byte) ([]byte, error) {
	defer p.enter()()
	do, ok := verbs[name]
	if !ok {
		return nil, fmt.Errorf("the running server does not know %q: it is version %s", name, versionText())
	}
	answer, err := do(p, ctx, payload)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// target names a pane, or a session.
type target struct {
	Session string `json:"session,omitempty"` // "": the one that was used last
	Pane    string `json:"pane,omitempty"`    // as parseNumber reads it, or its id; "": the one with the focus
	Self    string `json:"self,omitempty"`    // the pane that the caller runs in: meant if nothing is named
}

// resolve finds what a target names. pane is "" only in a session without panes.
func (p *process) resolve(t target) (*house, panes.PaneID, error) {
	all := p.all()
	if t.Session == "" && t.Pane == "" {
		t.Pane = t.Self
	}
	if _, _, numbered := parseNumber(t.Pane); t.Session == "" && t.Pane != "" && !numbered {
		for _, h := range all {
			if slices.Contains(h.host.Layout().Panes(), panes.PaneID(t.Pane)) {
				return h, panes.PaneID(t.Pane), nil
			}
		}
		return nil, "", fmt.Errorf("there is no pane %s: reprise ls lists them", t.Pane)
	}
	at := slices.IndexFunc(all, func(h *house) bool { return t.Session == "" || h.Name() == t.Session })
	switch {
	case at < 0 && t.Session == "":
		return nil, "", errors.New("no session is open: reprise opens one")
	case at < 0:
		var names []string
		for _, h := range all {
			names = append(names, h.Name())
		}
		if near := nearest(t.Session, names); near != "" {
			return nil, "", fmt.Errorf("no session %s is open, did you mean %s?", t.Session, near)
		}
		return nil, "", fmt.Errorf("no session %s is open: reprise ls lists them, reprise attach %s opens it", t.Session, t.Session)
	}
	pane, err := all[at].pane(t.Pane)
	return all[at], pane, err
}

// pane finds a pane by its number or id; "": the one that had the focus last.
func (h *house) pane(name string) (panes.PaneID, error) {
	ids := h.host.Layout().Panes()
	if name == "" {
		if f := h.focus.Load(); f != nil && slices.Contains(ids, *f) {
			return *f, nil
		}
		if len(ids) == 0 {
			return "", nil
		}
		return ids[0], nil
	}
	if tab, n, ok := parseNumber(name); ok {
		return h.numbered(name, tab, n)
	}
	if slices.Contains(ids, panes.PaneID(name)) {
		return panes.PaneID(name), nil
	}
	return "", fmt.Errorf("session %s has no pane %s: it has %d", h.Name(), name, len(ids))
}

// paneInfo is one pane in the list.
type paneInfo struct {
	ID      panes.PaneID    `json:"id"`
	Number  int             `json:"number"` // in reading order over all tabs, from 1
	Tab     int             `json:"tab"`    // the number of its tab, from 1
	Focus   bool            `json:"focus,omitempty"`
	Agent   string          `json:"agent,omitempty"`
	Session agent.SessionID `json:"session,omitempty"` // the agent's
	Pinned  bool            `json:"pinned,omitempty"`  // a person said the session
	State   string          `json:"state"`
	Status  agent.Doing     `json:"status,omitempty"`       // what the agent does
	Since   *time.Time      `json:"status_since,omitempty"` // nil: not known
	By      string          `json:"status_by,omitempty"`    // what told it
	Program string          `json:"program,omitempty"`
	Title   string          `json:"title,omitempty"`
	Name    string          `json:"name,omitempty"` // given by a person
	Dir     string          `json:"dir,omitempty"`
	PID     int             `json:"pid,omitempty"`
	Cols    int             `json:"cols,omitempty"`
	Rows    int             `json:"rows,omitempty"`
	Prompts int             `json:"prompts,omitempty"` // that wait for its agent to be idle
	Barred  string          `json:"barred,omitempty"`  // with Prompts: why nothing may be typed to it now
}

// stateWords are a pane's states in the list.
var stateWords = map[agent.PaneState]string{
	agent.PaneNormal: "running", agent.PaneDue: "due", agent.PaneQueued: "queued", agent.PaneResuming: "resuming",
	agent.PaneWaiting: "waiting", agent.PaneFresh: "running", agent.PaneAsk: "ask", agent.PaneElsewhere: "elsewhere",
	agent.PaneDismissed: "saved", agent.PaneUnsettled: "ended", agent.PaneFailed: "failed", agent.PanePaused: "paused",
	agent.PaneFirstFailed: "failed", agent.PaneUnsupported: "unsupported", agent.PaneEnded: "ended", agent.PaneNotStarted: "not started",
}

// does says what the agent of a pane does.
func (info *paneInfo) does(s agent.Status) {
	info.Status, info.By = s.Doing, s.By.String()
	if !s.Since.IsZero() {
		info.Since = &s.Since
	}
}

// clientInfo is one attached client in the list.
type clientInfo struct {
	Name     string `json:"name"` // its terminal and where it comes from
	Cols     int    `json:"cols"`
	Rows     int    `json:"rows"`
	ReadOnly bool   `json:"read_only,omitempty"` // it only looks on
}

// sessionInfo is one session in the list.
type sessionInfo struct {
	Name    string       `json:"name"`
	Dir     string       `json:"dir"`
	Open    bool         `json:"open"`            // in the server that was asked
	Owner   int          `json:"owner,omitempty"` // another process that has it open
	Clients []clientInfo `json:"clients,omitempty"`
	Tabs    []tabInfo    `json:"tabs,omitempty"`
	Panes   []paneInfo   `json:"panes,omitempty"`
}

// listQuery asks for the sessions.
type listQuery struct{}

func (p *process) list(ctx context.Context, _ listQuery) ([]sessionInfo, error) {
	open := p.all()
	list := []sessionInfo{}
	for _, h := range open {
		list = append(list, h.info())
	}
	d, done, err := p.store(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	saved, err := d.Workspaces(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range saved {
		if p.find(w.Name) != nil {
			continue
		}
		s := sessionInfo{Name: w.Name, Dir: w.Dir}
		if w.Live {
			s.Owner = w.PID
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b sessionInfo) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// info is what the list says of an open workspace.
func (h *house) info() sessionInfo {
	s := sessionInfo{Name: h.Name(), Dir: h.workspace.Dir, Open: true}
	for _, c := range h.roster.List("") {
		s.Clients = append(s.Clients, clientInfo{c.Name, c.Size.Cols, c.Size.Rows, c.Read})
	}
	focus, _ := h.pane("")
	l := h.host.Layout()
	shown, _ := l.TabOf(focus)
	for i, t := range l.Tabs {
		s.Tabs = append(s.Tabs, tabInfo{ID: t.ID, Number: i + 1, Name: t.Name, Panes: len(t.Panes()), Focus: t.ID == shown.ID})
	}
	for i, id := range l.Panes() {
		v := h.coord.View(id)
		info := paneInfo{
			ID: id, Number: i + 1, Tab: tabNumber(l, id), Focus: id == focus, Agent: v.Kind, Session: v.Session,
			Pinned: v.Pinned, State: stateWords[v.State], Program: v.Label, Title: l.Meta[id].Title, Name: l.Meta[id].Name, Dir: v.Dir, Prompts: v.Prompts, Barred: v.Barred,
		}
		info.does(v.Status.Seen(!h.Happened().Unseen(id).Has(alert.Done)))
		if t := h.host.Shown(id); t != nil {
			st, size := t.State(), t.Size()
			info.PID, info.Cols, info.Rows = t.Process().PID, size.Cols, size.Rows
			if filepath.IsAbs(st.Dir) {
				info.Dir = st.Dir
			}
			if _, _, ended := t.Exit(); ended {
				info.PID, info.Title = 0, cmp.Or(st.Title, info.Title)
			} else {
				info.Title = st.Title // what was saved may be another program's
			}
		}
		s.Panes = append(s.Panes, info)
	}
	return s
}

// newQuery asks for a new session.
type newQuery struct {
	Name string   `json:"name"`
	Dir  string   `json:"dir"`
	Env  []string `json:"env"`
	Args []string `json:"args,omitempty"`
}

// paneAnswer names a pane.
type paneAnswer struct {
	Session string       `json:"session"`
	Pane    panes.PaneID `json:"pane"`
}

func (p *process) newSession(ctx context.Context, q newQuery) (paneAnswer, error) {
	if !filepath.IsAbs(q.Dir) {
		return paneAnswer{}, errors.New("a session needs the absolute path of a directory")
	}
	v := visit{name: q.Name, fresh: true, dir: q.Dir, env: q.Env, args: q.Args}
	h, err := p.open(ctx, v)
	if err != nil {
		return paneAnswer{}, err
	}
	defer p.left(h)
	pane, err := h.furnish(ctx, v)
	return paneAnswer{h.Name(), pane}, err
}

// splitQuery asks for a pane beside another one.
type splitQuery struct {
	target
	Right bool     `json:"right,omitempty"`
	Dir   string   `json:"dir,omitempty"` // "": that of the pane that is split
	Env   []string `json:"env,omitempty"`
	Args  []string `json:"args,omitempty"`
}

// beside finds the pane beside which a program is to be opened, and completes what is to
// run there: where that pane's program is, if no directory was named.
func (p *process) beside(t target, v visit) (*house, panes.PaneID, visit, error) {
	h, at, err := p.resolve(t)
	if err != nil {
		return nil, "", v, err
	}
	if v.dir == "" {
		v.dir = h.dirOf(at)
	}
	return h, at, v, h.checkProgram(v.args, v.env)
}

func (p *process) split(ctx context.Context, q splitQuery) (paneAnswer, error) {
	h, at, v, err := p.beside(q.target, visit{dir: q.Dir, env: q.Env, args: q.Args})
	if err != nil {
		return paneAnswer{}, err
	}
	dir := panes.Down
	if q.Right {
		dir = panes.Right
	}
	pane, err := h.host.Split(at, dir, h.area())
	if errors.Is(err, panes.ErrNoRoom) {
		// Who looks on a small terminal sees the panes one at a time.
		pane, err = h.host.Split(at, dir, anyArea)
	}
	if err != nil {
		return paneAnswer{}, fmt.Errorf("split pane: %w", err)
	}
	return paneAnswer{h.Name(), pane}, h.launch(ctx, h.request(pane, v))
}

// area is that of the largest client, for a place to be found in.
func (h *house) area() panes.Size {
	area := panes.Size{}
	for _, c := range h.roster.List("") {
		area.Cols, area.Rows = max(area.Cols, c.Size.Cols), max(area.Rows, c.Size.Rows-1)
	}
	if area.Cols == 0 {
		return anyArea
	}
	return area
}

// sendQuery types into a pane: the text, then the keys.
type sendQuery struct {
	target
	Text string   `json:"text,omitempty"`
	Keys []string `json:"keys,omitempty"` // by name: ctrl+c, enter, alt+left
}

func (p *process) send(_ context.Context, q sendQuery) (paneAnswer, error) {
	h, id, err := p.resolve(q.target)
	if err != nil {
		return paneAnswer{}, err
	}
	t := h.host.Shown(id)
	if t == nil {
		return paneAnswer{}, fmt.Errorf("nothing runs in pane %s of session %s", cmp.Or(q.Pane, string(id)), h.Name())
	}
	b := []byte(q.Text)
	modes := t.State().Modes
	for _, name := range q.Keys {
		k, err := ui.ParseKey(name)
		if err != nil {
			return paneAnswer{}, err
		}
		b = append(b, input.Encode(k, modes)...)
	}
	switch err := t.Send(b); {
	case errors.Is(err, panes.ErrEnded):
		return paneAnswer{}, fmt.Errorf("the program of pane %s has ended", cmp.Or(q.Pane, string(id)))
	case errors.Is(err, panes.ErrInputFull):
		return paneAnswer{}, fmt.Errorf("the program of pane %s does not read: nothing was sent. Try again when it does", cmp.Or(q.Pane, string(id)))
	case err != nil:
		return paneAnswer{}, err
	}
	return paneAnswer{h.Name(), id}, nil
}

// closeQuery ends a pane, or a session with all its panes. What it ends does not
// come back.
type closeQuery struct {
	target
	Whole bool `json:"whole,omitempty"` // the session
}

// closed counts panes.
type closed struct {
	Panes int `json:"panes"`
}

func (p *process) shut(ctx context.Context, q closeQuery) (closed, error) {
	h, id, err := p.resolve(q.target)
	if err != nil {
		return closed{}, err
	}
	todo := []panes.PaneID{id}
	if q.Whole {
		todo = h.host.Layout().Panes()
	}
	n := 0
	for _, id := range todo {
		if err := h.coord.End(ctx, id); err != nil {
			return closed{n}, err
		}
		h.host.Close(id)
		n++
	}
	return closed{n}, h.saveLayout(ctx)
}

// explainQuery asks what was decided about a pane, and why.
type explainQuery struct {
	target
	Limit int `json:"limit,omitempty"` // newest decisions
}

// maxExplained bounds an explanation, in decisions.
const maxExplained = 1000

// explanation is a pane's state and what led to it, the newest first.
type explanation struct {
	Pane      paneInfo   `json:"pane"`
	Reason    string     `json:"reason,omitempty"`
	Decisions []decision `json:"decisions"`
}

// decision is a row of the ledger.
type decision struct {
	At       time.Time        `json:"at"`
	Terminal panes.TerminalID `json:"terminal,omitempty"`
	Session  agent.SessionID  `json:"session,omitempty"` // the agent's
	What     string           `json:"what"`
	Why      string           `json:"why,omitempty"`
}

func (p *process) explain(ctx context.Context, q explainQuery) (explanation, error) {
	h, id, err := p.resolve(q.target)
	if err != nil {
		return explanation{}, err
	}
	e := explanation{Reason: h.coord.View(id).Reason, Decisions: []decision{}}
	for _, info := range h.info().Panes {
		if info.ID == id {
			e.Pane = info
		}
	}
	rec, err := h.db.Pane(ctx, id)
	if err != nil || rec.Terminal == nil {
		return e, err
	}
	story, err := h.db.Story(ctx, rec.Terminal.ID, min(max(q.Limit, 1), maxExplained))
	for _, n := range story {
		e.Decisions = append(e.Decisions, decision(n))
	}
	return e, err
}

// detachQuery lets clients go.
type detachQuery struct {
	target
	All bool `json:"all,omitempty"` // of every session
}

// detached counts clients.
type detached struct {
	Clients int `json:"clients"`
}

func (p *process) detach(_ context.Context, q detachQuery) (detached, error) {
	if q.All {
		n := 0
		for _, h := range p.all() {
			n += h.roster.detachAll(errDetached)
		}
		return detached{n}, nil
	}
	h, _, err := p.resolve(q.target)
	if err != nil {
		return detached{}, err
	}
	return detached{h.roster.detachAll(errDetached)}, nil
}

// killQuery ends the server. Nothing is disposed.
type killQuery struct{}

// killed is the process that ends.
type killed struct {
	PID int `json:"pid"`
}

func (p *process) kill(context.Context, killQuery) (killed, error) {
	p.stop()
	return killed{os.Getpid()}, nil
}
