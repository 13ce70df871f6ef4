// Package ui is one attached client: a Bubble Tea model that draws panes with
// its own painter and sends what a person types to them.
//
// One place decides for one client: Update, about focus, zoom and mode. What a
// pane shows is the host's business, what becomes of a dead agent the
// coordinator's; the model asks for their state when it is woken and keeps none
// of it but what it drew. A Model belongs to its Program's event loop; nothing
// here is safe for concurrent use but Run.
package ui

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui/alert"
	"reprise/ui/pump"
)

// Resumer brings sessions back and says what a pane's strip shows.
// *agent.Coordinator is one. View and Look do no I/O.
type Resumer interface {
	View(p panes.PaneID) agent.PaneView
	Resume(ctx context.Context, r agent.ResumeRequest) agent.ResumeResult
	Look(l agent.Look)
	Subscribe() (wake <-chan struct{}, cancel func())
}

// Launcher starts and ends what panes run. *agent.Coordinator is one.
type Launcher interface {
	Launch(ctx context.Context, r agent.LaunchRequest) error
	Do(ctx context.Context, p panes.PaneID, a agent.Act) error
	End(ctx context.Context, p panes.PaneID) error
	Prompter
}

// Config is what a client is made of.
type Config struct {
	Host     *panes.Host
	Resumer  Resumer
	Launcher Launcher

	// In and Out are the client's terminal, in raw mode: what it says, and what is
	// shown. The end of In ends the client; Run may still read from it when it has
	// returned, until that read does. A write to Out may block as long as the
	// terminal is slow: that delays this client's next frame and nothing else.
	In  io.Reader
	Out io.Writer
	// Resized delivers the terminal's size after changes, Resumed that it is back
	// after Suspend, or after a stop from outside, as a new one: modes are to be set
	// and everything is to be drawn. nil: that never happens.
	Resized <-chan panes.Size
	Resumed <-chan struct{}
	// Suspend stops the client as ctrl-z does; the modes were put back. nil: it
	// cannot be stopped.
	Suspend func()
	// ReadOnly lets nothing of what is typed reach a program or change a thing;
	// leaving works.
	ReadOnly bool
	// Peers tells who is attached beside this client; nil: nobody can be.
	Peers Peers
	// Sessions are those of the server; nil: there is no other one.
	Sessions Sessions
	Size     panes.Size
	Profile  colorprofile.Profile
	Env      []string // the client's, for its locale and TERM

	Settings
	// Reload reads the settings again, outside the event loop; nil: they stay.
	Reload func(ctx context.Context, force bool) Reloaded

	Workspace Workspace
	Home      string         // shown as ~; "" for none
	Client    panes.ClientID // names this client to host and coordinator; "" for a name of its own
	// Focus is the pane that has the keyboard at first; "" for the first one. Focused
	// is told, outside the event loop, where it settles: there it is to be the next
	// time. nil: nobody remembers.
	Focus   panes.PaneID
	Focused func(panes.PaneID)
	// Notices are said in the status bar at the start, one after the other.
	Notices []string
	// PrefixUsed is called once, when the prefix is first used; until then a hint
	// tells of it. nil: it was used before.
	PrefixUsed func()
	// Save writes the layout; it is called after each change of it and before the
	// model quits, perhaps while another call runs. nil: nothing is saved.
	Save func(context.Context) error
	Log  *slog.Logger // nil: nowhere
}

// Workspace is what a client shows. Name does no I/O; when it has changed, whoever
// subscribed to Peers is told. Rename and MovePane may take their time; their errors say
// what to do.
type Workspace interface {
	Name() string
	// Happened is what happens in it that a person may want to know of; always the
	// same log.
	Happened() *alert.Log
	Rename(ctx context.Context, to string) error
	// MovePane takes a pane to another session, with what runs in it, and returns where
	// it is then. If it was the last pane, this session ends.
	MovePane(ctx context.Context, p panes.PaneID, to Destination) (*panes.Host, error)
}

// Peer is one attached client, in words.
type Peer struct {
	Name string // its terminal and where it comes from: "pts/3", "pts/4 from 10.0.0.7"
	Size panes.Size
	Self bool // the client that asks
	Read bool // it only looks on
}

// Peers tells who is attached to the same workspace. List does no I/O.
type Peers interface {
	List(self panes.ClientID) []Peer
	// Subscribe returns a channel of capacity one that is signalled when List may
	// have changed.
	Subscribe() (wake <-chan struct{}, cancel func())
}

// frameTime is the least time between two frames in the long run: 60 a second.
const frameTime = time.Second / 60

// ahead is how far frames may be ahead of that after quiet. What a program prints
// in two or three portions, as a shell its first prompt, is shown at once.
const ahead = 2 * frameTime

// Model is one client.
type Model struct {
	cfg    Config
	ctx    context.Context
	cancel context.CancelFunc
	unsub  []func()

	view              view
	draws             drawing
	outer             outer
	out               *outlet
	presence          presence
	mode              mode
	status            status
	grab              grab
	copied            []byte // pasted by a key; not to be written to
	paste             paste
	fired             map[panes.TerminalID]firing // candidates for which Resume was called
	acting            map[panes.PaneID]bool       // an act of a person is under way
	peers             []Peer                      // who is attached, this one too
	settled, settling panes.PaneID                // where the focus was last told to be, and may be told to be soon
	asking            bool                        // a cwdMsg is on its way
	saving            bool                        // the layout is being written
	unsaved           bool                        // it changed since
	keys              keyboard
	quit              bool
	err               error
}

// New makes a client's model. Close it when its Program has ended.
func New(cfg Config) *Model {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Client == "" {
		cfg.Client = panes.ClientID(panes.NewPaneID())
	}
	m := &Model{cfg: cfg, mode: passThrough{}, fired: map[panes.TerminalID]firing{}, acting: map[panes.PaneID]bool{}, keys: newKeyboard(cfg), settled: cfg.Focus, settling: cfg.Focus}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.view = newView(cfg)
	m.draws = newDrawing(cfg)
	m.out = newOutlet(cfg.Out)
	m.subscribe()
	m.machine()
	m.draws.pace = m.draws.pacer(m.ctx.Done())
	m.draws.write = m.draws.writer(m.out)
	m.outer = newOuter(cfg)
	return m
}

// Close ends what the model still waits for; nothing follows this client any more.
// It may be called more than once, not before its Program has ended.
func (m *Model) Close() {
	m.cancel()
	if m.unsub != nil {
		m.unsubscribe()
		m.paste.close()
		m.paste = paste{}
		m.recycle()
	}
}

// Init starts waiting for the host and the coordinator.
func (m *Model) Init() tea.Cmd {
	m.draws.dirty = true
	return tea.Batch(m.wait(), m.tick(time.Now()), m.nextNotice(), m.flush())
}

// View draws nothing: the painter writes to the terminal itself (design.md §4).
func (m *Model) View() tea.View { return tea.View{} }

// message is what the model takes beside Bubble Tea's own: each kind knows what
// it does.
type message interface {
	apply(m *Model) tea.Cmd
}

// inputMsg is one event of the pump.
type inputMsg pump.Event

func (e inputMsg) apply(m *Model) tea.Cmd { return m.input(pump.Event(e)) }

// Update routes a message to what handles it, then draws if something changed. A
// panic ends this client, not the agents: they belong to the host.
func (m *Model) Update(msg tea.Msg) (same tea.Model, cmd tea.Cmd) {
	same = m // also after a panic
	defer func() {
		if r := recover(); r != nil {
			m.err = fmt.Errorf("client: %v", r)
			m.cfg.Log.Error("client is broken", "err", m.err, "stack", string(debug.Stack()))
			cmd = tea.Quit
		}
	}()
	switch msg.(type) {
	case wakeMsg, echoMsg, frameMsg, writtenMsg, inputMsg, cwdMsg, cwdsMsg, branchMsg: // often: no pane out of sight is another for them
	default:
		m.view.stale = true
	}
	switch msg := msg.(type) {
	case message:
		cmd = msg.apply(m)
	case tea.WindowSizeMsg:
		cmd = m.resize(panes.Size{Cols: max(1, msg.Width), Rows: max(1, msg.Height)})
	}
	return same, both(cmd, m.flush())
}

// run makes a command of work that may block: what it returns is the message. A
// panic becomes a message too.
func (m *Model) run(work func(ctx context.Context) tea.Msg) tea.Cmd {
	ctx, log := m.ctx, m.cfg.Log
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				log.Error("client: command", "err", r, "stack", string(debug.Stack()))
				msg = noticeMsg{text: "A fault of Reprise itself; the log has it. Nothing was lost.", failure: true}
			}
		}()
		return work(ctx)
	}
}

// after makes a command that delivers a message later, unless the client ends.
func (m *Model) after(d time.Duration, msg tea.Msg) tea.Cmd {
	done := m.ctx.Done()
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-done:
			return nil
		}
	}
}

// wakeMsg says that a screen, the layout or a pane's state may have changed.
type wakeMsg struct{ done <-chan struct{} }

func (w wakeMsg) apply(m *Model) tea.Cmd {
	if m.woken(w.done) {
		m.draws.dirty = true
	}
	return nil
}

// toldMsg says that what is known of a pane's session may have changed.
type toldMsg struct{ done <-chan struct{} }

func (t toldMsg) apply(m *Model) tea.Cmd { return wakeMsg(t).apply(m) }

// wait is the command that waits for the next wake-up. It is given out only after
// a frame was drawn, so wake-ups never come faster than frames.
func (m *Model) wait() tea.Cmd {
	if m.draws.waiting {
		return nil
	}
	m.draws.waiting = true
	return m.give(waits, m.draws.wait)
}

// wakes are what a client waits for until done is closed; nil: that never comes.
type wakes struct{ host, agents, alerts, peers, sessions, settings <-chan struct{} }

func waiter(w wakes, done <-chan struct{}) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-w.host:
		case <-w.agents:
			return toldMsg{done}
		case <-w.alerts:
		case <-w.peers:
			return peersMsg{done}
		case <-w.sessions:
			return sessionsMsg{done}
		case <-w.settings:
			return rewrittenMsg{done}
		case <-done:
			return nil
		}
		return wakeMsg{done}
	}
}

// redrawMsg asks for a frame.
type redrawMsg struct{}

func (redrawMsg) apply(m *Model) tea.Cmd {
	m.draws.dirty = true
	return nil
}

// frameMsg comes when the next frame may be drawn.
type frameMsg struct{}

func (frameMsg) apply(m *Model) tea.Cmd {
	m.draws.pacing = false
	return nil
}

// pacer makes the command that waits until the next frame may be drawn. It uses
// the drawing's timer: only one runs at a time.
func (d *drawing) pacer(done <-chan struct{}) tea.Cmd {
	return func() tea.Msg {
		d.timer.Reset(d.rest)
		select {
		case <-d.timer.C:
			return frameMsg{}
		case <-done:
			return nil
		}
	}
}

// flush draws if something changed: at once after quiet or a key, else 60 times a
// second.
func (m *Model) flush() tea.Cmd {
	d := &m.draws
	if m.quit {
		return nil
	}
	if m.presence != here {
		return m.stop()
	}
	if !d.dirty {
		return m.wait()
	}
	if d.writing {
		return nil
	}
	now := time.Now()
	if rest := d.due.Add(-ahead).Sub(now); rest > 0 {
		hit, alone := m.echoed()
		if alone = alone && m.othersPrinted(); !hit || alone {
			return m.held(rest, alone)
		}
	}
	d.dirty, d.echo.own = false, false
	d.owe(now)
	cmd := m.sync()
	switch {
	case m.quit:
		return cmd
	case m.view.going && len(m.view.all) == 0: // what is shown goes on elsewhere
		return both(cmd, m.wait())
	}
	if m.draw() {
		return both(cmd, m.put()) // the next wake-up is waited for when it was written
	}
	return both(cmd, m.wait())
}

// held leaves what changed to the frame that is due after rest. What a key did to its
// pane alone is shown before.
func (m *Model) held(rest time.Duration, echo bool) (cmd tea.Cmd) {
	d := &m.draws
	if echo {
		cmd = m.glance()
	}
	if !d.pacing {
		d.rest, d.pacing = rest, true
		cmd = both(cmd, m.give(paces, d.pace))
	}
	return both(cmd, m.listen())
}

// owe notes that a frame was drawn. Those that show keys at once delay the next no
// longer than others would.
func (d *drawing) owe(now time.Time) {
	if d.due.Before(now) {
		d.due = now
	}
	d.due = d.due.Add(frameTime)
	if latest := now.Add(ahead + frameTime); d.due.After(latest) {
		d.due = latest
	}
}

// both is tea.Batch of two, which mostly are none: then it allocates nothing.
func both(a, b tea.Cmd) tea.Cmd {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return tea.Batch(a, b)
}

// leave saves the layout and ends the model: this client is detached. What runs in
// the panes goes on, and the other clients stay.
func (m *Model) leave() tea.Cmd {
	m.quit = true
	tell := m.focusTold()
	return m.run(func(context.Context) tea.Msg {
		m.saveNow(tell)
		return tea.QuitMsg{}
	})
}

// save writes the layout. One write runs at a time; what changes meanwhile is
// written after it.
func (m *Model) save() tea.Cmd {
	if m.cfg.Save == nil {
		return nil
	}
	if m.saving {
		m.unsaved = true
		return nil
	}
	m.saving = true
	save := m.cfg.Save
	return m.run(func(ctx context.Context) tea.Msg { return savedMsg{save(ctx)} })
}

// savedMsg is the outcome of a write of the layout.
type savedMsg struct{ err error }

func (s savedMsg) apply(m *Model) (cmd tea.Cmd) {
	m.saving = false
	if m.unsaved {
		m.unsaved = false
		cmd = m.save()
	}
	if s.err != nil {
		cmd = both(cmd, m.say(fmt.Sprintf("The layout was not saved: %v", s.err), true))
	}
	return cmd
}
