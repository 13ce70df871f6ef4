package panes_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"reprise/panes"
)

// sized is a program of the test's whose pty remembers its size.
type sized struct {
	*script
	size atomic.Pointer[panes.Size]
	sets atomic.Int64
}

func (s *sized) TTY() panes.TTY { return s }

func (s *sized) SetSize(to panes.Size) error {
	s.size.Store(&to)
	s.sets.Add(1)
	return nil
}

// shownPanes is a host whose panes show programs of the test's.
func shownPanes(t *testing.T, n int) (h *panes.Host, ids []panes.PaneID, ptys func(int) *sized) {
	t.Helper()
	var made []*sized
	h = panes.NewHost(panes.HostOptions{
		Emulator: newFake,
		Launch: func(spec panes.Spec) (panes.Process, error) {
			s := &sized{script: newScript()}
			s.size.Store(&spec.Size)
			made = append(made, s)
			return s, nil
		},
	})
	for i := range n {
		var after panes.PaneID
		if i > 0 {
			after = ids[i-1]
		}
		p, err := h.Split(after, panes.Right, panes.Size{Cols: 1000, Rows: 40})
		if err != nil {
			t.Fatal(err)
		}
		term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/", Pane: p})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, p)
		h.Point(p, term.ID())
	}
	t.Cleanup(func() {
		for i, term := range h.Terminals() {
			made[i].die <- panes.Exit{}
			close(made[i].out)
			<-term.Done()
		}
	})
	return h, ids, func(i int) *sized { return made[i] }
}

// Two panes and what clients do with them; the sizes' columns tell whose they are.
func TestSizesFollowWhoIsTypedAt(t *testing.T) {
	const first, second = 0, 1
	type step struct {
		client panes.ClientID
		do     string // show, hide, type, leave
		pane   int
		cols   int
		want   [2]int // columns of both panes
	}
	tests := []struct {
		name  string
		steps []step
	}{
		{"alone", []step{
			{"a", "show", first, 100, [2]int{100, 80}},
			{"a", "show", second, 50, [2]int{100, 50}},
			{"a", "show", first, 90, [2]int{90, 50}},
		}},
		{"one that attaches changes nothing until it types", []step{
			{"a", "show", first, 100, [2]int{100, 80}},
			{"b", "show", first, 40, [2]int{100, 80}},
			{"b", "show", first, 41, [2]int{100, 80}},
			{"a", "show", first, 99, [2]int{99, 80}},
			{"b", "type", 0, 0, [2]int{41, 80}},
			{"a", "show", first, 98, [2]int{41, 80}},
			{"a", "type", 0, 0, [2]int{98, 80}},
		}},
		{"what nobody else shows is the newcomer's", []step{
			{"a", "show", first, 100, [2]int{100, 80}},
			{"b", "show", second, 40, [2]int{100, 40}},
			{"a", "show", second, 60, [2]int{100, 60}},
		}},
		{"the lead leaves", []step{
			{"a", "show", first, 100, [2]int{100, 80}},
			{"b", "show", first, 40, [2]int{100, 80}},
			{"c", "show", first, 70, [2]int{100, 80}},
			{"c", "type", 0, 0, [2]int{70, 80}},
			{"b", "type", 0, 0, [2]int{40, 80}},
			{"b", "leave", 0, 0, [2]int{70, 80}}, // who was typed at before
			{"c", "leave", 0, 0, [2]int{100, 80}},
			{"a", "leave", 0, 0, [2]int{100, 80}}, // nobody shows it
			{"d", "show", first, 30, [2]int{30, 80}},
		}},
		{"zoom", []step{
			{"a", "show", first, 100, [2]int{100, 80}},
			{"a", "show", second, 90, [2]int{100, 90}},
			{"b", "show", first, 40, [2]int{100, 90}},
			{"b", "show", second, 30, [2]int{100, 90}},
			{"a", "show", first, 200, [2]int{200, 90}},
			{"a", "hide", second, 0, [2]int{200, 30}}, // only b shows it
			{"b", "type", 0, 0, [2]int{40, 30}},
			{"a", "type", 0, 0, [2]int{200, 30}},
			{"a", "show", first, 100, [2]int{100, 30}},
			{"a", "show", second, 90, [2]int{100, 90}},
		}},
		{"zoom alone", []step{
			{"a", "show", first, 100, [2]int{100, 80}},
			{"a", "show", second, 90, [2]int{100, 90}},
			{"a", "show", first, 200, [2]int{200, 90}},
			{"a", "hide", second, 0, [2]int{200, 90}}, // nobody shows it
			{"a", "hide", second, 0, [2]int{200, 90}},
		}},
		{"strangers", []step{
			{"a", "show", first, 100, [2]int{100, 80}},
			{"x", "type", 0, 0, [2]int{100, 80}},
			{"x", "hide", first, 0, [2]int{100, 80}},
			{"x", "leave", 0, 0, [2]int{100, 80}},
			{"x", "show", first, 20, [2]int{100, 80}}, // its typing was for nothing
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, ids, ptys := shownPanes(t, 2)
			for i, s := range tt.steps {
				switch s.do {
				case "show":
					h.SetSize(s.client, ids[s.pane], panes.Size{Cols: s.cols, Rows: 9})
				case "hide":
					h.Hide(s.client, ids[s.pane])
				case "type":
					h.Lead(s.client)
				case "leave":
					h.Forget(s.client)
				}
				got := [2]int{h.Shown(ids[first]).Size().Cols, h.Shown(ids[second]).Size().Cols}
				if got != s.want {
					t.Errorf("step %d (%s: %s): the panes have %v columns, want %v", i, s.client, s.do, got, s.want)
				}
				for i, p := range ids {
					if pty := *ptys(i).size.Load(); pty != h.Shown(p).Size() {
						t.Errorf("pane %d: its pty has %v, its screen %v", i, pty, h.Shown(p).Size())
					}
				}
			}
		})
	}
}

// A pane that was closed is nobody's, and a new terminal takes its pane's size.
func TestSizesOfPanesThatComeAndGo(t *testing.T) {
	h, ids, _ := shownPanes(t, 2)
	h.SetSize("a", ids[0], panes.Size{Cols: 33, Rows: 3})
	h.SetSize("b", ids[0], panes.Size{Cols: 44, Rows: 4})
	h.Close(ids[1])
	h.SetSize("a", ids[1], panes.Size{Cols: 55, Rows: 5})
	if got := h.PaneSize(ids[1]); got != (panes.Size{Cols: 80, Rows: 24}) {
		t.Errorf("a closed pane has the size %v", got)
	}
	if got := h.PaneSize(ids[0]); got != (panes.Size{Cols: 33, Rows: 3}) {
		t.Errorf("the pane has %v", got)
	}
	h.Lead("b")
	term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/", Pane: ids[0]})
	if err != nil {
		t.Fatal(err)
	}
	if got := term.Size(); got != (panes.Size{Cols: 44, Rows: 4}) {
		t.Errorf("a new terminal has %v", got)
	}
}

func TestLeadingAgainCostsNothing(t *testing.T) {
	h, ids, ptys := shownPanes(t, 1)
	h.SetSize("a", ids[0], panes.Size{Cols: 100, Rows: 9})
	h.SetSize("b", ids[0], panes.Size{Cols: 50, Rows: 9})
	h.Lead("b")
	sets := ptys(0).sets.Load()
	if n := testing.AllocsPerRun(1000, func() { h.Lead("b") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := ptys(0).sets.Load() - sets; n != 0 {
		t.Errorf("the pty was resized %d times", n)
	}
}

// However calls overtake one another: once all have returned, each terminal that
// is shown has the size that its pane has, on its screen and in its pty.
func TestSizesSettle(t *testing.T) {
	h, ids, ptys := shownPanes(t, 3)
	for _, p := range ids { // a second terminal for each
		if _, err := h.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/", Pane: p}); err != nil {
			t.Fatal(err)
		}
	}
	terminals := h.Terminals()
	for round := range 20 {
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				c := panes.ClientID(fmt.Sprint("client ", i))
				for j := range 25 {
					at := (i + j) % len(ids)
					h.SetSize(c, ids[at], panes.Size{Cols: 20 + i*30 + j, Rows: 5 + round})
					switch {
					case j%3 == 0:
						h.Lead(c)
					case j%7 == 1:
						h.Hide(c, ids[at])
					case j%5 == 2:
						h.Point(ids[at], terminals[at+i%2*len(ids)].ID())
					}
				}
				if i%2 == 0 {
					h.Forget(c)
				}
			})
		}
		wg.Wait()
		for i, p := range ids {
			term := h.Shown(p)
			pty := ptys(slices.Index(terminals, term))
			if want := h.PaneSize(p); term.Size() != want || *pty.size.Load() != want {
				t.Fatalf("round %d: pane %d has %v, its screen %v, its pty %v", round, i, want, term.Size(), *pty.size.Load())
			}
		}
	}
}
