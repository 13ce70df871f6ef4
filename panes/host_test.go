package panes_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
)

var hostArea = panes.Size{Cols: 120, Rows: 40}

func firstPane(t *testing.T, h *panes.Host) panes.PaneID {
	t.Helper()
	p, err := h.Split("", panes.Right, hostArea)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestHostPoints(t *testing.T) {
	h := newHost(t)
	p := firstPane(t, h)
	h.SetSize("a", p, panes.Size{Cols: 71, Rows: 17})
	term := startClosed(t, h, panes.Spec{Argv: []string{"sh", "-c", "stty size; exec sleep 60"}, Pane: p, Size: panes.Size{Cols: 9, Rows: 9}})
	if got, want := term.Size(), (panes.Size{Cols: 71, Rows: 17}); got != want {
		t.Errorf("started in %v, want the pane's %v", got, want)
	}
	if h.Shown(p) != nil {
		t.Error("shown before it was pointed at")
	}
	if h.Terminal(term.ID()) != term || len(h.Terminals()) != 1 {
		t.Error("the host does not know it")
	}
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	waitText(t, term, "17 71")
	h.SetSize("a", p, panes.Size{Cols: 50, Rows: 10})
	if got := term.Size(); got.Cols != 71 {
		t.Errorf("it follows a pane that does not show it: %v", got)
	}
	if !h.Point(p, term.ID()) || h.Shown(p) != term {
		t.Error("not pointed")
	}
	if got, want := term.Size(), (panes.Size{Cols: 50, Rows: 10}); got != want {
		t.Errorf("size %v, want %v", got, want)
	}
	h.SetSize("a", p, panes.Size{Cols: 51, Rows: 11})
	if got, want := term.Size(), (panes.Size{Cols: 51, Rows: 11}); got != want {
		t.Errorf("size %v, want %v", got, want)
	}
	if h.Point("none", term.ID()) || h.Point(p, "none") {
		t.Error("pointed from or to nothing")
	}
	h.Close(p)
	if h.Shown(p) != nil || h.Point(p, term.ID()) {
		t.Error("a closed pane shows it")
	}
	if h.Terminal(term.ID()) != term || !term.Process().Alive() {
		t.Error("closing the pane took the terminal")
	}
}

func TestHostIDsAreNotReused(t *testing.T) {
	h := newHost(t)
	spec := panes.Spec{ID: panes.NewTerminalID(), Argv: []string{"true"}}
	startClosed(t, h, spec)
	spec.Dir = "/"
	if term, err := h.Start(t.Context(), spec); err == nil {
		t.Errorf("started twice: %v", term)
	}
}

func TestRetire(t *testing.T) {
	h := newHost(t)
	p := firstPane(t, h)
	dead := start(t, h, "true")
	h.Point(p, dead.ID())
	waitDone(t, dead)
	if h.Shown(p) != dead || h.Terminal(dead.ID()) != dead {
		t.Error("a dead terminal goes away by itself")
	}
	h.Retire(dead.ID())
	if h.Shown(p) != nil || h.Terminal(dead.ID()) != nil {
		t.Error("a retired terminal is still known")
	}

	living := start(t, h, "sleep", "60")
	h.Retire(living.ID())
	if h.Terminal(living.ID()) != living {
		t.Error("a living terminal was forgotten")
	}
	end(t, living)
	waitFor(t, "its retirement", func() bool { return h.Terminal(living.ID()) == nil })
	h.Retire("none")
}

// A retired terminal's memory is given back.
func TestRetiredMemory(t *testing.T) {
	h := newHost(t)
	p := firstPane(t, h)
	ref := func() weak.Pointer[panes.Terminal] {
		term := start(t, h, "true")
		h.Point(p, term.ID())
		waitDone(t, term)
		h.Retire(term.ID())
		return weak.Make(term)
	}()
	waitFor(t, "its collection", func() bool {
		runtime.GC()
		return ref.Value() == nil
	})
}

func TestHostWakes(t *testing.T) {
	h := newHost(t)
	wake, cancel := h.Subscribe()
	told, forget := h.SubscribeNews()
	signalled := func(wake <-chan struct{}) bool {
		select {
		case <-wake:
			return true
		default:
			return false
		}
	}
	woken := func() bool { return signalled(wake) }
	if woken() || signalled(told) {
		t.Error("woken by nothing")
	}
	p := firstPane(t, h)
	if !woken() || !signalled(told) {
		t.Error("not woken by a split")
	}
	if err := h.RenamePane(p, "liver"); err != nil || !woken() || !signalled(told) {
		t.Errorf("not woken by a name (%v)", err)
	}
	term := start(t, h, "sh", "-c", "read x; echo got; sleep 60")
	if !woken() || !signalled(told) {
		t.Error("not woken by a start")
	}
	h.Point(p, term.ID())
	if !woken() || !signalled(told) {
		t.Error("not woken by a point")
	}
	seq := term.Seq()
	if err := term.Send([]byte("x\n")); err != nil {
		t.Fatal(err)
	}
	waitText(t, term, "got")
	if term.Seq() == seq {
		t.Error("seq did not move")
	}
	waitFor(t, "a wake by output", woken)
	if signalled(told) {
		t.Error("told of output")
	}
	cancel()
	forget()
	h.Close(p)
	if woken() || signalled(told) {
		t.Error("woken after it left")
	}
}

func TestHostLayout(t *testing.T) {
	h := newHost(t)
	p := firstPane(t, h)
	q, err := h.Split(p, panes.Right, hostArea)
	if err != nil {
		t.Fatal(err)
	}
	if !h.SetMeta(q, panes.PaneMeta{Dir: "/w", Argv: []string{"x"}}) || h.SetMeta("none", panes.PaneMeta{}) {
		t.Error("meta")
	}
	for name, want := range map[string]error{"review": nil, "a\x1bb": panes.ErrPaneName, strings.Repeat("a", panes.MaxPaneName+1): panes.ErrPaneName} {
		if err := h.RenamePane(q, name); !errors.Is(err, want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := h.RenamePane("none", "x"); !errors.Is(err, panes.ErrNoPane) {
		t.Errorf("the name of nobody: %v", err)
	}
	// Whoever looked before the name was given takes nothing of it back.
	if h.SetMeta(q, panes.PaneMeta{Dir: "/w", Argv: []string{"x"}}); h.Layout().Meta[q].Name != "review" {
		t.Errorf("it is called %q", h.Layout().Meta[q].Name)
	}
	got := h.Layout()
	if diff := cmp.Diff([]panes.PaneID{p, q}, got.Panes()); diff != "" {
		t.Error(diff)
	}
	// A copy: changing it changes nothing.
	got.Tabs[0].Root.Children[0].Pane = "x"
	got.Meta[q].Argv[0] = "y"
	if h.Layout().Tabs[0].Root.Children[0].Pane != p || h.Layout().Meta[q].Argv[0] != "x" {
		t.Error("the copy is no copy")
	}
	h.Grow(p, panes.Right, 5, hostArea)
	if w := h.Layout().Tabs[0].Arrange(hostArea)[0].Grid.W; w != 65 {
		t.Errorf("after growing it has %d columns", w)
	}
	if _, err := h.Split(p, panes.Down, panes.Size{Cols: 120, Rows: 6}); !errors.Is(err, panes.ErrNoRoom) {
		t.Errorf("split without room: %v", err)
	}
	if _, err := h.Split("", panes.Down, hostArea); !errors.Is(err, panes.ErrNoPane) {
		t.Errorf("a second first pane: %v", err)
	}
	h.SetLayout(panes.Layout{Tabs: []panes.Tab{{ID: "t", Root: &panes.Node{Pane: "z", Weight: 1}}}})
	if diff := cmp.Diff([]panes.PaneID{"z"}, h.Layout().Panes()); diff != "" {
		t.Error(diff)
	}
}

// Everything at once, for the race detector.
func TestHostConcurrent(t *testing.T) {
	h := newHost(t)
	p := firstPane(t, h)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"sh", "-c", "seq 1 2000"}, Dir: "/", Pane: p, Nonce: "x"})
			if err != nil {
				t.Error(err)
				return
			}
			h.Point(p, term.ID())
			if err := term.OpenGate(); err != nil {
				t.Error(err)
			}
			for j := range 20 {
				h.SetSize("a", p, panes.Size{Cols: 40 + i, Rows: 5 + j})
				_ = term.Send([]byte("x"))
				_ = screenText(term)
				_ = term.State()
				_ = h.Terminals()
				if s := h.Shown(p); s != nil {
					_ = s.Size()
				}
			}
			<-term.Done()
			h.Retire(term.ID())
		})
	}
	wg.Wait()
	if n := len(h.Terminals()); n != 0 {
		t.Errorf("%d are left", n)
	}
}

func TestLayoutSeqTellsOfEveryChange(t *testing.T) {
	h := panes.NewHost(panes.HostOptions{})
	area := panes.Size{Cols: 120, Rows: 40}
	var first, second, third panes.PaneID
	var tab panes.TabID
	seq := h.LayoutSeq()
	for _, step := range []struct {
		name    string
		do      func() error
		changes bool
	}{
		{"first pane", func() (err error) { first, err = h.Split("", panes.Right, area); return err }, true},
		{"split", func() (err error) { second, err = h.Split(first, panes.Right, area); return err }, true},
		{"grow", func() error { h.Grow(first, panes.Right, 3, area); return nil }, true},
		{"meta", func() error { h.SetMeta(first, panes.PaneMeta{Dir: "/"}); return nil }, true},
		{"new tab", func() (err error) {
			third, err = h.NewTab("work", "")
			last := h.Layout().Tabs[1]
			if tab = last.ID; last.Name != "work" {
				err = fmt.Errorf("it is called %q", last.Name)
			}
			return err
		}, true},
		{"new tab in vain", func() error { _, _ = h.NewTab("a\x00", ""); return nil }, false},
		{"rename", func() error { return h.RenameTab(tab, "docs") }, true},
		{"rename in vain", func() error { _ = h.RenameTab(tab, "a\x00"); return nil }, false},
		{"move tab", func() error { h.MoveTab(tab, 0); return nil }, true},
		{"move pane", func() error { return h.MovePane(third, first, panes.Down, area) }, true},
		{"break", func() error { return h.Break(third) }, true},
		{"look", func() error { h.Layout(); h.SetSize("a", first, panes.Size{Cols: 30, Rows: 9}); return nil }, false},
		{"close", func() error { h.Close(second); return nil }, true},
		{"replace", func() error { h.SetLayout(panes.Layout{}); return nil }, true},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		now := h.LayoutSeq()
		if (now != seq) != step.changes {
			t.Errorf("%s: the number went from %d to %d", step.name, seq, now)
		}
		seq = now
	}
}
