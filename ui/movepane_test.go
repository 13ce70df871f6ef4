package ui_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"reprise/panes"
	"reprise/ui"
)

// moves lets the session of the client give its panes away as the server's process
// does; a new session is an empty host.
func (s *server) moves() {
	s.c.workspace.move = func(p panes.PaneID, to ui.Destination) (*panes.Host, error) {
		if to.Name == "taken" {
			return nil, errors.New("there is a session taken already: take another name")
		}
		if to.Host == nil {
			s.site = newWorkspace(to.Name)
			s.other = panes.NewHost(panes.HostOptions{})
			s.agents = &agents{host: s.other, views: s.agents.views}
			to.Host = s.other
		}
		place := func(l panes.Layout) (panes.Layout, error) { return l.NewTab(panes.NewTabID(), p, "") }
		return to.Host, s.c.host.Give(p, nil, to.Host, place)
	}
}

// within reports whether a host has a pane.
func within(h *panes.Host, p panes.PaneID) bool { return slices.Contains(h.Layout().Panes(), p) }

func TestMovePaneByKey(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		s.moves()
		first := c.host.Layout().Panes()[0]
		moved := c.host.Layout().Panes()[1]
		term := c.host.Shown(moved)
		c.press("ctrl+b", "o", "ctrl+b", "@")
		c.sees("Move the pane to", "tab       a new one", "session   website      1 pane", "session   a new one…", "enter move   esc close")
		c.press("down", "enter")
		c.settle()
		if within(c.host, moved) || !within(s.other, moved) || s.other.Shown(moved) != term {
			t.Fatal("the pane is not in the other session, with its terminal")
		}
		c.barHas(" website › 1 vim  2 zsh ")
		if s.left != 1 {
			t.Errorf("it left its session %d times", s.left)
		}
		if within(s.other, first) || !within(c.host, first) {
			t.Error("the other pane went, too")
		}
	})
}

// The client goes with the last pane of a session, which ends; so does another client
// that shows it.
func TestLastPaneIsFollowed(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		s.moves()
		d := c.beside("test-3", func(cfg *ui.Config) { cfg.Sessions = s })
		defer d.m.Close()
		moved := c.host.Layout().Panes()[0]
		c.press("ctrl+b", "@")
		c.misses("tab  ")
		c.press("down", "enter")
		c.sees("Move the pane to a new session", "Left empty, it is called by the pane's directory.", "enter move   esc close")
		c.fill("review")
		c.press("enter")
		for range 3 {
			c.settle()
			d.settle()
		}
		for _, one := range []*client{c, d} {
			if one.quit {
				t.Fatal("a client left")
			}
			one.barHas(" review › 1 zsh ")
		}
		if !within(s.other, moved) {
			t.Error("the pane is not there")
		}
	})
}

// A client that cannot follow its last pane leaves, and does not try for ever.
func TestLastPaneThatCannotBeFollowed(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		s.moves()
		s.fault = errTest
		if _, err := c.workspace.move(c.host.Layout().Panes()[0], ui.Destination{Host: s.other}); err != nil {
			t.Fatal(err)
		}
		c.settle()
		was := s.entered
		c.wait(time.Second)
		if n := s.entered - was; !c.quit || n > 0 {
			t.Errorf("it left: %v, and tried %d times more", c.quit, n)
		}
	})
}

// What cannot be moved is said, and stays.
func TestMoveIsRefused(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		s.moves()
		c.press("ctrl+b", "@", "end", "enter")
		c.fill("taken")
		c.press("enter")
		c.settle()
		c.sees("Could not move the pane: there is a session taken already: take another name")
		if n := len(c.host.Layout().Panes()); n != 2 {
			t.Errorf("%d panes are left", n)
		}
		s.fault = errors.New("that session is closed")
		c.press("ctrl+b", "@", "down", "enter")
		c.settle()
		c.sees("Could not go there: that session is closed")
	})
}

// The pane that was to be moved is closed by somebody else while the list is open.
func TestMovedPaneIsGone(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		s.moves()
		c.press("ctrl+b", "o", "ctrl+b", "@")
		c.host.Close(c.host.Layout().Panes()[1])
		c.settle()
		c.press("enter")
		c.sees("That pane is gone.")
		if n := len(c.host.Layout().Panes()); n != 1 {
			t.Errorf("%d panes are left", n)
		}
	})
}

// A pane goes to another tab by the same list, and by the palette.
func TestMovePaneToATab(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		s.moves()
		ids := c.host.Layout().Panes()
		c.press("ctrl+b", "@", "enter") // a tab of its own
		c.settle()
		c.barHas(" reprise › 1 zsh  2 zsh ")
		c.press("ctrl+b", "@")
		c.sees("tab       1 zsh", "session   website")
		c.press("enter")
		c.settle()
		c.barHas(" reprise › 1 zsh ")
		if got := c.host.Layout().Panes(); len(got) != 2 {
			t.Fatalf("panes %v", got)
		}
		c.press("ctrl+b", ":")
		c.fill("website")
		c.sees("tab move pane here")
		c.press("tab")
		c.settle()
		n := 0
		for _, id := range ids {
			if within(s.other, id) {
				n++
			}
		}
		if n != 1 || !strings.Contains(c.screen(), "website") {
			t.Errorf("%d panes are in the other session", n)
		}
	})
}

// Who only looks on moves nothing.
func TestReadOnlyMovesNothing(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		d := c.beside("looks", func(cfg *ui.Config) { cfg.ReadOnly, cfg.Sessions = true, s })
		defer d.m.Close()
		d.press("ctrl+b", "@")
		d.sees("This client only looks on")
		d.press("ctrl+b", ":")
		d.fill("website")
		d.press("tab")
		d.sees("This client only looks on")
		if n := len(c.host.Layout().Panes()); n != 2 {
			t.Errorf("%d panes are left", n)
		}
	})
}
