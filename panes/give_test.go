package panes_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"reprise/panes"
	"reprise/panes/vt"
)

// asTab puts a pane into a tab of its own.
func asTab(p panes.PaneID) func(panes.Layout) (panes.Layout, error) {
	return func(l panes.Layout) (panes.Layout, error) { return l.NewTab(panes.NewTabID(), p, "") }
}

// A program notices nothing of its pane's way to another host: it keeps its process
// and its screen, and what was typed at it comes, all of it and in order.
func TestGive(t *testing.T) {
	var calls []string
	called := make(chan struct{}, 1)
	from, to := newHost(t), hostWith(t, panes.HostOptions{Call: func(c panes.Call) {
		calls = append(calls, string(c.Pane))
		called <- struct{}{}
	}})
	p, stays := firstPane(t, from), firstPane(t, to)
	beside, err := from.Split(p, panes.Right, panes.Size{Cols: 200, Rows: 50})
	if err != nil {
		t.Fatal(err)
	}
	from.SetSize("c", p, panes.Size{Cols: 90, Rows: 20})
	term := start(t, from, "sh", "-c", `stty -echo; echo ready; while read -r l; do echo "got $l"; [ "$l" = bell ] && printf '\a'; done`)
	from.Point(p, term.ID())
	waitText(t, term, "ready")
	pid := term.Process()
	sent := make(chan error, 1)
	const lines = 200
	go func() {
		for i := range lines {
			if err := term.Send(fmt.Appendf(nil, "line %d\n", i)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	hosts := []*panes.Host{from, to}
	for i := range 9 { // there and back, while it is typed at
		if err := hosts[i%2].Give(p, []panes.TerminalID{term.ID()}, hosts[1-i%2], asTab(p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	waitText(t, term, fmt.Sprintf("got line %d", lines-1))
	text := string(term.Text(vt.Text{History: -1}))
	for i := range lines {
		if n := strings.Count(text+"\n", fmt.Sprintf("got line %d\n", i)); n != 1 {
			t.Errorf("line %d came %d times", i, n)
		}
	}
	if to.Shown(p) != term || to.Terminal(term.ID()) != term || term.Process() != pid || to.PaneSize(p) != (panes.Size{Cols: 90, Rows: 20}) {
		t.Error("it is not what it was")
	}
	if from.Shown(p) != nil || from.Terminal(term.ID()) != nil || len(from.Layout().Panes()) != 1 || from.Layout().Panes()[0] != beside {
		t.Error("it is where it was, too")
	}
	if got := to.Layout().Panes(); len(got) != 2 || got[0] != stays {
		t.Errorf("the other host has %v", got)
	}
	// What it says is told where it is now.
	wake, cancel := to.Subscribe()
	defer cancel()
	if err := term.Send([]byte("bell\n")); err != nil {
		t.Fatal(err)
	}
	<-wake
	<-called
	to.Retire(term.ID())
	end(t, term)
	waitFor(t, "its end to be told", func() bool { return to.Terminal(term.ID()) == nil })
}

func TestGiveRefuses(t *testing.T) {
	from, to := newHost(t), newHost(t)
	p := firstPane(t, from)
	full := errors.New("full")
	for what, c := range map[string]struct {
		pane  panes.PaneID
		to    *panes.Host
		place func(panes.Layout) (panes.Layout, error)
		want  error
	}{
		"no such pane": {"none", to, asTab("none"), panes.ErrNoPane},
		"no room":      {p, to, func(l panes.Layout) (panes.Layout, error) { return l, full }, full},
		"itself":       {p, from, asTab(p), nil},
	} {
		err := from.Give(c.pane, nil, c.to, c.place)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if len(from.Layout().Panes()) != 1 || len(to.Layout().Panes()) != 0 {
		t.Error("something was moved")
	}
}
