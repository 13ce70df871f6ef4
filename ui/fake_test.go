package ui_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui"
	"reprise/ui/pump"
)

// program is a fake process with its pty: what it prints and what it was sent are
// the test's.
type program struct {
	spec panes.Spec
	out  chan []byte
	end  chan panes.Exit

	mu    sync.Mutex
	got   bytes.Buffer
	stuck bool          // it does not read
	free  chan struct{} // closed when it ends
	stop  chan struct{} // closed when reading must end
	size  panes.Size
	pid   int // 0: one that no process has
}

func newProgram(spec panes.Spec) *program {
	return &program{spec: spec, out: make(chan []byte, 16), end: make(chan panes.Exit, 1), free: make(chan struct{}), stop: make(chan struct{}, 1), size: spec.Size}
}

func (p *program) ID() panes.ProcessID {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pid != 0 {
		return panes.ProcessID{PID: p.pid, Boot: "test"}
	}
	return panes.ProcessID{PID: 1 << 30, Boot: "test"}
}
func (p *program) TTY() panes.TTY         { return p }
func (p *program) Gate(bool) error        { return nil }
func (p *program) Signal(os.Signal) error { return nil }
func (p *program) Wait() panes.Exit       { e := <-p.end; close(p.free); return e }

func (p *program) Read(take func([]byte)) error {
	select {
	case s := <-p.out:
		take(s)
		return nil
	case <-p.stop:
		return os.ErrDeadlineExceeded
	}
}

func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	stuck := p.stuck
	p.mu.Unlock()
	if stuck {
		<-p.free
		return 0, io.ErrClosedPipe
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got.Write(b)
}

func (p *program) StopReading(time.Time) error {
	select {
	case p.stop <- struct{}{}:
	default:
	}
	return nil
}

func (p *program) SetSize(s panes.Size) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.size = s
	return nil
}
func (p *program) Close() error { return nil }

// typed is what the program was sent since the last call.
func (p *program) typed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.got.String()
	p.got.Reset()
	return s
}

// emulator is a fake one: each line that a program prints becomes a row, and a
// line "mode NAME" sets a mode.
type emulator struct {
	cols, rows int
	lines      []string
	state      vt.State
	gen        uint64
}

func (e *emulator) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "paste":
			e.state.Modes.BracketedPaste = true
		case "focus":
			e.state.Modes.FocusEvents = true
		case "mouse":
			e.state.Modes.Mouse, e.state.Modes.MouseSGR = 1003, true
		case "kitty":
			e.state.Modes.Kitty = 3
		case "title":
			e.state.Title = rest
		case "dir":
			e.state.Dir = rest
		default:
			e.lines = append(e.lines, line)
		}
	}
	e.gen++
	return len(b), nil
}

func (e *emulator) Resize(cols, rows int) { e.cols, e.rows = cols, rows; e.gen++ }
func (e *emulator) State() vt.State       { return e.state }

func (e *emulator) Snapshot(s *vt.Screen) {
	s.Cols, s.Rows = e.cols, e.rows
	if len(s.Cells) != e.cols*e.rows {
		s.Cells, s.Gen = make([]vt.Cell, e.cols*e.rows), make([]uint64, e.rows)
	}
	for y := range e.rows {
		s.Gen[y] = e.gen + 1
		row := s.Row(y)
		for x := range row {
			row[x] = vt.Blank
		}
		if y < len(e.lines) {
			for x, r := range []rune(e.lines[y]) {
				if x < e.cols {
					row[x].Rune = r
				}
			}
		}
	}
	s.Cursor = vt.Cursor{X: 0, Y: min(len(e.lines), e.rows-1), Visible: true}
}

// agents is a fake coordinator.
type agents struct {
	host *panes.Host

	mu      sync.Mutex
	views   map[panes.PaneID]agent.PaneView
	resumes []agent.ResumeRequest
	result  agent.ResumeResult
	hold    chan struct{} // resumes wait for it
	looks   []agent.Look
	acts    []string
	started []agent.LaunchRequest
	wakes   []chan struct{}
	failing error

	prompted []agent.PromptRequest
	deaf     panes.PaneID // which takes no prompt
	queue    map[panes.PaneID][]string
}

func (a *agents) View(p panes.PaneID) agent.PaneView {
	a.mu.Lock()
	defer a.mu.Unlock()
	v, ok := a.views[p]
	if !ok {
		v = agent.PaneView{Pane: p, Label: "zsh", Dir: "/home/me/w"}
	}
	return v
}

func (a *agents) set(v agent.PaneView) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.views[v.Pane] = v
	wakeAll(a.wakes)
}

func wakeAll(subs []chan struct{}) {
	for _, ch := range subs {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

func (a *agents) Resume(ctx context.Context, r agent.ResumeRequest) agent.ResumeResult {
	a.mu.Lock()
	a.resumes = append(a.resumes, r)
	hold, res := a.hold, a.result
	a.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
		}
	}
	return res
}

func (a *agents) Look(l agent.Look) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.looks = append(a.looks, l)
}

func (a *agents) Subscribe() (<-chan struct{}, func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ch := make(chan struct{}, 1)
	a.wakes = append(a.wakes, ch)
	return ch, func() {}
}

func (a *agents) did(s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.acts = append(a.acts, s)
}

func (a *agents) Launch(ctx context.Context, r agent.LaunchRequest) error {
	a.did("launch " + r.Dir)
	a.mu.Lock()
	a.started = append(a.started, r)
	a.mu.Unlock()
	if a.failing != nil {
		return a.failing
	}
	t, err := a.host.Start(ctx, panes.Spec{Pane: r.Pane, Argv: []string{"zsh"}, Dir: "/"})
	if err != nil {
		return err
	}
	a.host.Point(r.Pane, t.ID())
	return nil
}

func (a *agents) Do(_ context.Context, _ panes.PaneID, act agent.Act) error {
	a.did([]string{"dismiss", "shell", "again"}[act])
	return a.failing
}

func (a *agents) End(context.Context, panes.PaneID) error {
	a.did("end")
	return a.failing
}

func (a *agents) Prompt(_ context.Context, r agent.PromptRequest) (agent.Prompted, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.prompted = append(a.prompted, r)
	if a.failing == nil && a.views[r.Pane].Status.Doing == agent.Working {
		a.queue[r.Pane] = append(a.queue[r.Pane], r.Text)
		return agent.PromptQueued, nil
	}
	if a.failing == nil && r.Pane == a.deaf {
		return agent.PromptTaken, errTest
	}
	return agent.PromptTaken, a.failing
}

func (a *agents) Prompts(p panes.PaneID) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.queue[p]
}

func (a *agents) CancelPrompts(p panes.PaneID) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := len(a.queue[p])
	delete(a.queue, p)
	return n
}

func (a *agents) taken() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.acts
	a.acts = nil
	return s
}

func (a *agents) resumed() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.resumes)
}

// client is a model in a synctest bubble, with a runtime for its commands.
type client struct {
	t         *testing.T
	m         *ui.Model
	host      *panes.Host
	agents    *agents
	msgs      chan tea.Msg
	out       *counter
	programs  []*program
	workspace *workspace
	saved     int
	saving    sync.Mutex // of saved
	updates   int        // messages that the model took
	quit      bool
	cancel    context.CancelFunc
	ctx       context.Context
}

// counter counts writes and keeps what was written last.
type counter struct {
	writes int
	last   []byte
	all    []byte
	err    error
}

func (c *counter) Write(b []byte) (int, error) {
	c.writes++
	c.last = append(c.last[:0], b...)
	c.all = append(c.all, b...)
	return len(b), c.err
}

// run runs a test with a client of n panes side by side.
func run(t *testing.T, n int, f func(c *client)) {
	t.Helper()
	runWith(t, n, func(*ui.Config) {}, f)
}

func runWith(t *testing.T, n int, set func(*ui.Config), f func(c *client)) {
	t.Helper()
	runOn(t, n, func(s panes.Size, _ func([]byte)) panes.Emulator { return &emulator{cols: s.Cols, rows: s.Rows} }, set, f)
}

// runOn runs a test whose programs have an emulator of its choice; nil: the real
// one.
func runOn(t *testing.T, n int, emulate func(panes.Size, func([]byte)) panes.Emulator, set func(*ui.Config), f func(c *client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := &client{t: t, msgs: make(chan tea.Msg, 1000), out: &counter{}, workspace: newWorkspace("reprise")}
		c.ctx, c.cancel = context.WithCancel(t.Context())
		var launched sync.Mutex // guards programs
		c.host = panes.NewHost(panes.HostOptions{
			Emulator: emulate, Clipboard: true, Call: c.workspace.happened.Called,
			Launch: func(s panes.Spec) (panes.Process, error) {
				p := newProgram(s)
				launched.Lock() // several may be launched at once
				defer launched.Unlock()
				c.programs = append(c.programs, p)
				return p, nil
			},
		})
		c.agents = &agents{host: c.host, views: map[panes.PaneID]agent.PaneView{}, queue: map[panes.PaneID][]string{}}
		cfg := c.config("test")
		set(&cfg)
		last := panes.PaneID("")
		for range n {
			id, err := c.host.Split(last, panes.Right, panes.Size{Cols: 400, Rows: 100})
			if err != nil {
				t.Fatal(err)
			}
			last = id
			c.start(id)
		}
		c.m = ui.New(cfg)
		c.do(c.m.Init())
		c.settle()
		f(c)
		c.m.Close()
		c.cancel()
		for _, p := range c.programs {
			select {
			case p.end <- panes.Exit{}:
			default:
			}
		}
		synctest.Wait()
	})
}

// config is that of a client with this client's host.
func (c *client) config(id panes.ClientID) ui.Config {
	return ui.Config{
		Host: c.host, Resumer: c.agents, Launcher: c.agents, Out: c.out, Size: panes.Size{Cols: 120, Rows: 34}, Profile: colorprofile.TrueColor,
		Env: []string{"LANG=C.UTF-8"}, Workspace: c.workspace, Home: "/home/me", Client: id,
		Save: func(context.Context) error { // an agent's launch saves beside the model
			c.saving.Lock()
			defer c.saving.Unlock()
			c.saved++
			return nil
		},
	}
}

// beside attaches another client to this one's host. Close its model.
func (c *client) beside(id panes.ClientID, set func(*ui.Config)) *client {
	c.t.Helper()
	d := &client{t: c.t, msgs: make(chan tea.Msg, 1000), out: &counter{}, host: c.host, agents: c.agents, programs: c.programs, workspace: c.workspace, ctx: c.ctx, cancel: c.cancel}
	cfg := d.config(id)
	set(&cfg)
	d.m = ui.New(cfg)
	d.do(d.m.Init())
	d.settle()
	c.settle()
	return d
}

// start lets a program run in a pane.
func (c *client) start(id panes.PaneID) *program {
	c.t.Helper()
	term, err := c.host.Start(c.ctx, panes.Spec{Pane: id, Argv: []string{"zsh"}, Dir: "/"})
	if err != nil {
		c.t.Fatal(err)
	}
	c.host.Point(id, term.ID())
	return c.programs[len(c.programs)-1]
}

func (c *client) do(cmd tea.Cmd) {
	if cmd != nil {
		go func() {
			msg := cmd()
			select {
			case c.msgs <- msg:
			case <-c.ctx.Done():
			}
		}()
	}
}

func (c *client) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, cmd := range msg {
			c.do(cmd)
		}
		return
	case tea.QuitMsg:
		c.quit = true
		return
	}
	c.updates++
	_, cmd := c.m.Update(msg)
	c.do(cmd)
}

// settle lets everything happen that needs no time to pass, frames included.
func (c *client) settle() {
	for range 3 {
		c.drain()
		time.Sleep(20 * time.Millisecond) // a frame
	}
	c.drain()
}

func (c *client) drain() {
	for {
		synctest.Wait()
		select {
		case msg := <-c.msgs:
			c.update(msg)
		default:
			return
		}
	}
}

// wait lets time pass.
func (c *client) wait(d time.Duration) {
	time.Sleep(d)
	c.drain()
}

func (c *client) event(e pump.Event) { c.update(ui.Input(e)); c.drain() }

// press types keys by name: ctrl+b, x, left.
func (c *client) press(names ...string) {
	c.t.Helper()
	for _, n := range names {
		c.event(pump.Event{Ev: keyOf(c.t, n)})
	}
}

func keyOf(t *testing.T, name string) uv.KeyPressEvent {
	t.Helper()
	var k uv.Key
	for {
		mod, rest, ok := strings.Cut(name, "+")
		m, known := map[string]uv.KeyMod{"ctrl": uv.ModCtrl, "alt": uv.ModAlt, "shift": uv.ModShift}[mod]
		if !ok || !known {
			break
		}
		k.Mod |= m
		name = rest
	}
	named := map[string]rune{"left": uv.KeyLeft, "right": uv.KeyRight, "up": uv.KeyUp, "down": uv.KeyDown, "enter": uv.KeyEnter, "esc": uv.KeyEscape, "pgup": uv.KeyPgUp, "pgdown": uv.KeyPgDown, "home": uv.KeyHome, "end": uv.KeyEnd, "backspace": uv.KeyBackspace, "delete": uv.KeyDelete, "space": uv.KeySpace, "tab": uv.KeyTab, "f12": uv.KeyF12}
	if code, ok := named[name]; ok {
		k.Code = code
		return uv.KeyPressEvent(k)
	}
	r := []rune(name)
	if len(r) != 1 {
		t.Fatalf("no key %q", name)
	}
	k.Code = r[0]
	if k.Mod&^uv.ModShift == 0 {
		k.Text = name
	}
	return uv.KeyPressEvent(k)
}

// screen is the frame as text.
func (c *client) screen() string {
	c.settle()
	return c.m.Screen()
}

func (c *client) sees(want ...string) {
	c.t.Helper()
	got := c.screen()
	for _, w := range want {
		if !strings.Contains(got, w) {
			c.t.Errorf("%q is not on the screen:\n%s", w, got)
		}
	}
}

func (c *client) misses(not ...string) {
	c.t.Helper()
	got := c.screen()
	for _, w := range not {
		if strings.Contains(got, w) {
			c.t.Errorf("%q is on the screen:\n%s", w, got)
		}
	}
}

// die lets the program of the first pane end and the coordinator say something.
func (c *client) die(v agent.PaneView) panes.PaneID {
	c.t.Helper()
	id := c.host.Layout().Panes()[0]
	v.Pane = id
	if v.Candidate == "" {
		v.Candidate = "t-1"
	}
	v.Label, v.Kind = "claude", "claude"
	c.programs[0].end <- panes.Exit{Status: 1}
	c.wait(time.Second) // what the pty still holds
	c.agents.set(v)
	c.settle()
	return id
}

func (c *client) did(want ...string) {
	c.t.Helper()
	c.drain()
	if got := c.agents.taken(); !slices.Equal(got, want) {
		c.t.Errorf("acts %q, want %q", got, want)
	}
}

var errTest = errors.New("the disk is full")

// oneProgram is a host with one pane, in which a program runs.
func oneProgram(t *testing.T) (host *panes.Host, term *panes.Terminal, p *program) {
	t.Helper()
	host = panes.NewHost(panes.HostOptions{
		Emulator: func(s panes.Size, _ func([]byte)) panes.Emulator { return &emulator{cols: s.Cols, rows: s.Rows} },
		Launch:   func(s panes.Spec) (panes.Process, error) { p = newProgram(s); return p, nil },
	})
	id, err := host.Split("", panes.Right, panes.Size{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	term, err = host.Start(t.Context(), panes.Spec{Pane: id, Argv: []string{"sh"}, Dir: "/"})
	if err != nil {
		t.Fatal(err)
	}
	host.Point(id, term.ID())
	return host, term, p
}
