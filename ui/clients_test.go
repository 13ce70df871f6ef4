package ui_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// small is a client of 60 columns and 15 rows.
func small(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 60, Rows: 15} }

// onlooker is one that only looks on.
func onlooker(cfg *ui.Config) { cfg.ReadOnly = true }

func TestPanesHaveTheSizeOfTheClientThatWasTypedAtLast(t *testing.T) {
	runOn(t, 1, nil, func(*ui.Config) {}, func(c *client) {
		large := panes.Size{Cols: 120, Rows: 33}
		d := c.beside("small", small)
		defer d.m.Close()
		size := func(what string, want panes.Size) {
			t.Helper()
			c.settle()
			d.settle()
			if got := c.programs[0].size; got != want {
				t.Errorf("%s: the pane is %v, want %v", what, got, want)
			}
		}
		size("a small client attached", large)
		// It sees what it has room for, round the cursor.
		c.programs[0].out <- []byte("\x1b[1;1Hfirst\x1b[33;1Hbelow\x1b[33;100Hat the right\x1b[1;1H")
		d.settle()
		d.sees("first")
		d.misses("below", "right")
		c.programs[0].out <- []byte("\x1b[33;3H")
		d.settle()
		d.sees("below")
		d.misses("first")
		c.programs[0].out <- []byte("\x1b[33;115H")
		d.settle()
		d.sees("at the right")
		c.sees("first", "below", "at the right")

		d.press("ctrl+b", "z", "ctrl+b", "o", "ctrl+b", "D")
		size("keys for its own sake", large)
		d.press("x")
		size("a key", panes.Size{Cols: 60, Rows: 14})
		// The large one shows where the pane ends.
		row := strings.Split(c.screen(), "\n")[5]
		if want := strings.Repeat(" ", 60) + "∙" + strings.Repeat(" ", 59); row != want {
			t.Errorf("beyond the pane's edge: %q", row)
		}
		c.event(pump.Event{Paste: true, Start: true})
		size("a paste", large)
		c.event(pump.Event{Paste: true, End: true})
		d.press("x")
		size("a key", panes.Size{Cols: 60, Rows: 14})
		c.press("ctrl+b", "%")
		c.settle()
		if got := c.programs[0].size.Cols; got < 59 || got > 60 || c.programs[0].size.Rows != 32 {
			t.Errorf("an action that changes the layout: the pane is %v", c.programs[0].size)
		}
	})
}

func TestWhoLeavesTakesItsSizesAlong(t *testing.T) {
	run(t, 1, func(c *client) {
		d := c.beside("small", small)
		d.press("x")
		d.settle()
		d.press("ctrl+b", "d")
		d.drain()
		if !d.quit || c.quit {
			t.Fatalf("detached: %v, the other one: %v", d.quit, c.quit)
		}
		if got := c.programs[0].size; got != (panes.Size{Cols: 60, Rows: 14}) {
			t.Errorf("the pane is %v", got)
		}
		d.m.Close()
		c.settle()
		if got := c.programs[0].size; got != (panes.Size{Cols: 120, Rows: 33}) {
			t.Errorf("after it left the pane is %v", got)
		}
		c.agents.mu.Lock()
		last := c.agents.looks[len(c.agents.looks)-1]
		c.agents.mu.Unlock()
		if last.Client != "small" || last.Focused != "" || len(last.Visible) != 0 {
			t.Errorf("what it shows last: %+v", last)
		}
	})
}

// A click in a part of a pane is a click in that part.
func TestTheMouseInACroppedPane(t *testing.T) {
	runOn(t, 1, nil, func(*ui.Config) {}, func(c *client) {
		d := c.beside("small", func(cfg *ui.Config) { small(cfg) })
		defer d.m.Close()
		c.programs[0].out <- []byte("\x1b[?1000h\x1b[?1006h\x1b[33;100H")
		d.settle()
		c.settle()
		c.programs[0].typed()
		at := uv.Mouse{X: 3, Y: 2, Button: uv.MouseLeft}
		d.event(pump.Event{Ev: uv.MouseReleaseEvent(at)}) // does not lead
		if got, want := c.programs[0].typed(), "\x1b[<0;44;22m"; got != want {
			t.Errorf("the program was sent %q, want %q", got, want)
		}
		d.event(pump.Event{Ev: uv.MouseClickEvent(at)})
		if got, want := c.programs[0].typed(), "\x1b[<0;44;22M"; got != want {
			t.Errorf("the program was sent %q, want %q", got, want)
		}
		c.settle()
		if got := c.programs[0].size; got != (panes.Size{Cols: 60, Rows: 14}) {
			t.Errorf("a click that goes to the program: the pane is %v", got)
		}
		c.event(pump.Event{Ev: uv.MouseClickEvent{X: 80, Y: 3, Button: uv.MouseLeft}})
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("a click beyond the pane's edge sends %q", got)
		}
	})
}

func TestWhoOnlyLooksOnChangesNothing(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[0].out <- []byte("mouse\nfocus\nkitty\n")
		c.settle()
		was := c.programs[0].size
		d := c.beside("onlooker", func(cfg *ui.Config) { onlooker(cfg); small(cfg); cfg.PrefixUsed = func() {} })
		defer d.m.Close()
		d.sees(" read-only ", "reprise")
		d.misses("every key")
		c.programs[0].typed()
		d.press("a", "enter", "ctrl+c")
		d.event(pump.Event{Ev: uv.KeyReleaseEvent{Code: 'a'}})
		d.event(pump.Event{Paste: true, Start: true})
		d.event(pump.Event{Paste: true, Raw: []byte("pasted")})
		d.event(pump.Event{Paste: true, End: true})
		d.event(pump.Event{Ev: uv.MouseClickEvent{X: 3, Y: 3, Button: uv.MouseLeft}})
		d.event(pump.Event{Ev: uv.BlurEvent{}})
		d.event(pump.Event{Ev: uv.FocusEvent{}})
		for _, k := range []string{"%", `"`, "x", "R", "ctrl+right", "ctrl+b"} {
			d.press("ctrl+b", k)
			d.sees("This client only looks on")
			d.press("y", "enter")
		}
		d.settle()
		c.settle()
		for i := range 2 {
			if got := c.programs[i].typed(); got != "" {
				t.Errorf("program %d was sent %q", i, got)
			}
		}
		c.did()
		if got := c.programs[0].size; got != was || len(c.host.Layout().Panes()) != 2 {
			t.Errorf("the pane is %v, was %v; %d panes", got, was, len(c.host.Layout().Panes()))
		}
		if d.saved != 0 {
			t.Errorf("it saved %d times", d.saved)
		}
		// Its own view is its own.
		first := d.m.Focus()
		d.press("ctrl+b", "o")
		if d.m.Focus() == first {
			t.Error("the focus does not move")
		}
		d.press("ctrl+b", "z")
		d.sees("zoom +1")
		c.misses("zoom")
		d.press("ctrl+b", "d")
		d.drain()
		if !d.quit {
			t.Error("it cannot leave")
		}
	})
}

func TestStripsTakeNoKeysOfWhoOnlyLooksOn(t *testing.T) {
	run(t, 2, func(c *client) {
		d := c.beside("onlooker", onlooker)
		defer d.m.Close()
		c.die(agent.PaneView{State: agent.PaneFailed, Reason: "Could not resume claude: it is gone."})
		d.wait(time.Second)
		c.sees("r retry   d dismiss")
		d.sees("Could not resume claude")
		d.misses("retry")
		d.press("r", "d", "s", "enter")
		d.settle()
		c.did()
		if n := c.agents.resumed(); n != 0 {
			t.Errorf("%d resumes", n)
		}
	})
}

func TestWithTheLastPaneAllClientsLeave(t *testing.T) {
	run(t, 1, func(c *client) {
		d := c.beside("second", small)
		defer d.m.Close()
		d.press("ctrl+b", "x")
		d.settle()
		c.settle()
		if !c.quit || !d.quit {
			t.Errorf("who closed it left: %v, the other one: %v", d.quit, c.quit)
		}
	})
}

// attached is who is attached, and who was let go.
type attached struct {
	mu       sync.Mutex
	all      []ui.Peer
	subs     []chan struct{}
	detached []string
}

func (a *attached) List(panes.ClientID) []ui.Peer {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

func (a *attached) Subscribe() (<-chan struct{}, func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ch := make(chan struct{}, 1)
	a.subs = append(a.subs, ch)
	return ch, func() {}
}

func (a *attached) set(all ...ui.Peer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = all
	wakeAll(a.subs)
}

// letting are peers that can be detached.
type letting struct{ attached }

func (l *letting) Detach(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.detached = append(l.detached, name)
}

var (
	self  = ui.Peer{Name: "pts/3", Size: panes.Size{Cols: 120, Rows: 34}, Self: true}
	other = ui.Peer{Name: "pts/4 from 10.0.0.7", Size: panes.Size{Cols: 80, Rows: 24}}
	third = ui.Peer{Name: "pts/9", Size: panes.Size{Cols: 60, Rows: 15}, Read: true}
)

func TestWhoIsAttachedIsShown(t *testing.T) {
	var peers letting
	runWith(t, 1, func(cfg *ui.Config) { peers.set(self); cfg.Peers = &peers }, func(c *client) {
		c.misses("client", "attached")
		peers.set(self, other)
		c.sees("pts/4 from 10.0.0.7 attached   ", "2 clients")
		c.wait(5 * time.Second)
		c.misses("attached")
		c.press("ctrl+b", "D")
		c.sees("━ Clients ━", "━ 2 ━", "  pts/3                 120x34      this client", "▌ pts/4 from 10.0.0.7   80x24", "enter detach   esc close", " clients ")
		peers.set(self, other, third)
		c.sees("3 clients", "pts/9 attached", "  pts/9                 60x15    read-only", "▌ pts/4")
		c.press("down")
		c.sees("▌ pts/9")
		c.press("down", "up", "enter")
		c.press("down", "x")
		if got := peers.detached; !slices.Equal(got, []string{other.Name, third.Name}) {
			t.Errorf("detached were %q", got)
		}
		c.sees("━ Clients ━")
		peers.set(self)
		c.sees("▌ pts/3", "pts/9 left")
		c.misses("3 clients")
		if c.quit {
			t.Fatal("this one left, too")
		}
		c.press("esc")
		c.misses("Clients")
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("the program was sent %q", got)
		}
		c.press("ctrl+b", "D", "enter")
		c.drain()
		if !c.quit {
			t.Error("this client cannot be detached in the list")
		}
	})
}

func TestOtherClientsAreDetachedOnlyIfThatIsPossible(t *testing.T) {
	var able *letting
	for name, set := range map[string]func(*ui.Config){
		"who only looks on": func(cfg *ui.Config) { able = &letting{}; able.set(self, other); cfg.Peers, cfg.ReadOnly = able, true },
		"no way to":         func(cfg *ui.Config) { unable := &attached{}; unable.set(self, other); cfg.Peers = unable },
	} {
		runWith(t, 1, set, func(c *client) {
			c.press("ctrl+b", "D")
			c.sees("▌ pts/4", "esc close")
			c.misses("enter detach")
			c.press("enter", "x")
			c.sees("▌ pts/4")
			if able != nil && len(able.detached) > 0 {
				t.Errorf("%s: %q were detached", name, able.detached)
			}
			c.press("up")
			c.sees("▌ pts/3", "enter detach   esc close")
		})
	}
	run(t, 1, func(c *client) {
		c.press("ctrl+b", "D")
		c.sees("No other client can attach here.")
	})
}

func TestTheFocusIsToldOnceItSettles(t *testing.T) {
	var told []panes.PaneID
	runWith(t, 3, func(cfg *ui.Config) {
		cfg.Focused = func(p panes.PaneID) { told = append(told, p) }
	}, func(c *client) {
		ids := c.host.Layout().Panes()
		said := func(what string, want ...panes.PaneID) {
			t.Helper()
			c.drain()
			if !slices.Equal(told, want) {
				t.Errorf("%s: told %q, want %q", what, told, want)
			}
			told = nil
		}
		c.wait(2 * time.Second)
		said("at first", ids[0])
		c.press("ctrl+b", "o")
		c.settle()
		c.press("ctrl+b", "o")
		c.settle()
		said("on its way")
		c.wait(2 * time.Second)
		said("settled", ids[2])
		c.press("ctrl+b", ";")
		c.settle()
		c.press("ctrl+b", ";")
		c.wait(2 * time.Second)
		said("back where it was")
		c.press("ctrl+b", "o")
		c.settle()
		c.press("ctrl+b", "d")
		said("left before it settled", ids[0])
		c.wait(2 * time.Second)
		said("afterwards")
	})
	told = nil
	runWith(t, 2, func(cfg *ui.Config) {
		cfg.ReadOnly, cfg.Focused = true, func(p panes.PaneID) { told = append(told, p) }
	}, func(c *client) {
		c.wait(2 * time.Second)
		c.press("ctrl+b", "o")
		c.wait(2 * time.Second)
		c.press("ctrl+b", "d")
		c.drain()
		if told != nil {
			t.Errorf("who only looks on tells %q", told)
		}
	})
}

// An idle server writes nothing to a terminal but the clock's minute, and wakes
// for nothing else (issue 4).
func TestFiftyQuietPanes(t *testing.T) {
	size := panes.Size{Cols: 400, Rows: 81}
	runWith(t, 1, func(cfg *ui.Config) { cfg.Size = size }, func(c *client) {
		ids := c.host.Layout().Panes()
		for round := 0; len(ids) < 50; round++ { // all are halved: to columns, then to rows
			dir := panes.Right
			if round >= 3 {
				dir = panes.Down
			}
			for _, half := range slices.Clone(ids)[:min(len(ids), 50-len(ids))] {
				id, err := c.host.Split(half, dir, size)
				if err != nil {
					t.Error(err)
					return
				}
				ids = append(ids, id)
				c.start(id)
			}
		}
		for i := range 50 {
			c.programs[i].out <- []byte("$ \n")
		}
		c.wait(time.Minute)
		c.settle()
		if c.m.Zoomed() {
			t.Fatal("the panes are not all shown")
		}
		writes, updates := c.out.writes, c.updates
		for range 60 {
			c.wait(10 * time.Second)
		}
		if n := c.out.writes - writes; n > 10 || n < 9 {
			t.Errorf("%d writes in 10 idle minutes", n)
		}
		// The minute, that it was written, and the branch.
		if n := c.updates - updates; n > 30 {
			t.Errorf("%d messages in 10 idle minutes", n)
		}
	})
}
