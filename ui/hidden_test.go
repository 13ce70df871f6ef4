package ui_test

import (
	"fmt"
	"runtime"
	"testing"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
)

// asked counts how often the coordinator is asked for a pane.
type asked struct {
	*agents
	views *int
}

func (a asked) View(p panes.PaneID) agent.PaneView {
	*a.views++
	return a.agents.View(p)
}

// hide adds n panes out of sight to a host, four in a tab.
func hide(host *panes.Host, n int) (ids []panes.PaneID, err error) {
	for i := range n {
		var id panes.PaneID
		if i%4 == 0 {
			id, err = host.NewTab("", "")
		} else {
			id, err = host.Split(ids[i-1], panes.Right, panes.Size{Cols: 400, Rows: 100})
		}
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (c *client) hide(n int) {
	c.t.Helper()
	ids, err := hide(c.host, n)
	if err != nil {
		c.t.Error(err)
	}
	for _, id := range ids {
		c.start(id)
	}
	c.settle()
}

// What a frame and a key cost does not depend on the panes that are not shown: none of
// them is asked for, nor is its screen copied, while there is only output.
func TestPanesOutOfSightCostNothing(t *testing.T) {
	cost := func(hidden int) (views, copies int) {
		emulate := func(s panes.Size, _ func([]byte)) panes.Emulator {
			return counted{&emulator{cols: s.Cols, rows: s.Rows}, &copies}
		}
		runOn(t, 2, emulate, func(cfg *ui.Config) { cfg.Resumer = asked{cfg.Resumer.(*agents), &views} }, func(c *client) {
			c.hide(hidden)
			views, copies = 0, 0
			for i := range 30 {
				c.programs[0].out <- fmt.Appendf(nil, "line %d\n", i)
				if hidden > 0 {
					c.programs[2].out <- []byte("out of sight\n")
				}
				c.settle()
				c.press("k")
				c.programs[0].out <- []byte("k\n")
				c.settle()
			}
		})
		return views, copies
	}
	views, copies := cost(0)
	if views == 0 || copies == 0 {
		t.Fatalf("asked %d times, %d screens copied: nothing was drawn", views, copies)
	}
	for _, hidden := range []int{1, 100} {
		// Output that nobody sees wakes a client all the same, for the two that are shown.
		if v, c := cost(hidden); v > 2*views || c != copies {
			t.Errorf("%d panes out of sight: asked %d times, %d screens copied; without them %d and %d", hidden, v, c, views, copies)
		}
	}
}

// What becomes of a pane out of sight is told all the same.
func TestPanesOutOfSightAreToldOf(t *testing.T) {
	run(t, 1, func(c *client) {
		c.hide(2)
		ids := c.host.Layout().Panes()
		c.agents.set(agent.PaneView{Pane: ids[1], State: agent.PaneFailed, Label: "claude", Kind: "claude"})
		c.sees("1 failed")
		c.agents.set(agent.PaneView{Pane: ids[1], Label: "claude", Kind: "claude"})
		c.misses("1 failed")
	})
}

// BenchmarkFramePanes is a frame of a client with one pane in sight and others out of it:
// as many as a session may have, and fewer.
func BenchmarkFramePanes(b *testing.B) {
	for _, hidden := range []int{0, 9, 99, 250} {
		b.Run(fmt.Sprint(1+hidden), func(b *testing.B) {
			var programs []*program
			host := panes.NewHost(panes.HostOptions{Scrollback: -1, Launch: func(s panes.Spec) (panes.Process, error) {
				programs = append(programs, newProgram(s))
				return programs[len(programs)-1], nil
			}})
			views := &agents{host: host, views: map[panes.PaneID]agent.PaneView{}}
			first, err := host.NewTab("", "")
			if err != nil {
				b.Fatal(err)
			}
			ids, err := hide(host, hidden)
			if err != nil {
				b.Fatal(err)
			}
			for _, id := range append(ids, first) {
				term, err := host.Start(b.Context(), panes.Spec{Pane: id, Argv: []string{"sh"}, Dir: "/"})
				if err != nil {
					b.Fatal(err)
				}
				host.Point(id, term.ID())
			}
			m := ui.New(ui.Config{
				Host: host, Resumer: views, Launcher: views, Out: new(quiet), Size: panes.Size{Cols: 160, Rows: 48},
				Env: []string{"LANG=C.UTF-8"}, Workspace: newWorkspace("reprise"), Focus: first,
			})
			m.Redraw()
			b.ReportAllocs()
			for b.Loop() {
				m.Redraw()
			}
			m.Close()
			for _, p := range programs {
				p.end <- panes.Exit{}
			}
			for _, t := range host.Terminals() {
				<-t.Done()
			}
		})
	}
}

// onePane is a terminal in the only pane of a session, and what makes clients of that.
func onePane(b testing.TB) (*panes.Terminal, func() *ui.Model) {
	b.Helper()
	var p *program
	host := panes.NewHost(panes.HostOptions{Scrollback: -1, Launch: func(s panes.Spec) (panes.Process, error) {
		p = newProgram(s)
		return p, nil
	}})
	views := &agents{host: host, views: map[panes.PaneID]agent.PaneView{}}
	id, err := host.NewTab("", "")
	if err != nil {
		b.Fatal(err)
	}
	term, err := host.Start(b.Context(), panes.Spec{Pane: id, Argv: []string{"sh"}, Dir: "/"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		p.end <- panes.Exit{}
		<-term.Done()
	})
	host.Point(id, term.ID())
	return term, func() *ui.Model {
		m := ui.New(ui.Config{
			Host: host, Resumer: views, Launcher: views, Out: new(quiet), Size: panes.Size{Cols: 160, Rows: 48},
			Env: []string{"LANG=C.UTF-8"}, Workspace: newWorkspace("reprise"),
		})
		m.Redraw()
		return m
	}
}

// BenchmarkClients is a frame of each of some clients that show the same pane.
func BenchmarkClients(b *testing.B) {
	for _, n := range []int{1, 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			term, attach := onePane(b)
			var clients []*ui.Model
			for range n {
				clients = append(clients, attach())
			}
			size := panes.Size{Cols: 100, Rows: 30}
			b.ReportAllocs()
			for b.Loop() {
				size.Rows ^= 1 // the screen is another one
				if err := term.Resize(size); err != nil {
					b.Fatal(err)
				}
				for _, m := range clients {
					m.Redraw()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/frame")
			for _, m := range clients {
				m.Close()
			}
		})
	}
}

// BenchmarkAttach is a client that comes, draws once, and goes.
func BenchmarkAttach(b *testing.B) {
	_, attach := onePane(b)
	b.ReportAllocs()
	for b.Loop() {
		attach().Close()
	}
}

// A client that comes has the memory of the one that left: the grids of a frame are nearly
// all that it needs, and new ones have the next one wait for a collection.
func TestAClientUsesTheMemoryOfTheLast(t *testing.T) {
	_, attach := onePane(t)
	attach().Close()
	const clients = 30
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range clients {
		attach().Close()
	}
	runtime.ReadMemStats(&after)
	// 528 KB without; a pool may lose some, and under the race detector does.
	if each := (after.TotalAlloc - before.TotalAlloc) >> 10 / clients; each > 350 {
		t.Errorf("each client takes %d KB", each)
	}
}
