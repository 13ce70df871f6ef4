package ui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// server is a fake server with a second session.
type server struct {
	c       *client
	other   *panes.Host
	agents  *agents
	site    *workspace
	wakes   []chan struct{}
	left    int
	entered int // or refused
	starts  ui.Starts
	hold    chan struct{} // Starts waits for it; nil: it does not
	fault   error
}

func (s *server) List() []ui.Session {
	return []ui.Session{
		{Workspace: s.c.workspace, Host: s.c.host, Resumer: s.c.agents},
		{Workspace: s.site, Host: s.other, Resumer: s.agents},
	}
}

func (s *server) Enter(_ context.Context, to *panes.Host) (ui.Session, error) {
	s.entered++
	for _, one := range s.List() {
		if one.Host == to && s.fault == nil {
			one.Launcher, one.Client = one.Resumer.(*agents), "again"
			one.Focus = to.Layout().Panes()[0]
			one.Save = func(context.Context) error { return nil }
			return one, nil
		}
	}
	return ui.Session{}, s.fault
}

func (s *server) Left(panes.ClientID) { s.left++ }
func (s *server) Starts(context.Context) ui.Starts {
	if s.hold != nil {
		<-s.hold
	}
	return s.starts
}

func (s *server) Subscribe() (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	s.wakes = append(s.wakes, ch)
	return ch, func() {}
}

// runServer runs a test with a client of n panes and a second session of one pane;
// programs have the real emulator.
func runServer(t *testing.T, n int, f func(c *client, s *server)) {
	t.Helper()
	s := &server{site: newWorkspace("website"), starts: ui.Starts{
		Agents: []agent.Facts{{Name: "claude", Label: "claude", Program: "claude"}, {Name: "codex", Label: "codex", Program: "codex"}},
		Dirs:   []string{"/home/me/old", "/srv/data"},
	}}
	saves := func(context.Context) error { return nil } // two may run at once
	runOn(t, n, nil, func(cfg *ui.Config) { cfg.Sessions, cfg.Save = s, saves }, func(c *client) {
		s.c = c
		c.m.Close() // it listed before there were two
		s.other = panes.NewHost(panes.HostOptions{Launch: func(spec panes.Spec) (panes.Process, error) {
			p := newProgram(spec)
			c.programs = append(c.programs, p)
			return p, nil
		}})
		s.agents = &agents{host: s.other, views: map[panes.PaneID]agent.PaneView{}, queue: map[panes.PaneID][]string{}}
		id, err := s.other.Split("", panes.Right, panes.Size{Cols: 100, Rows: 30})
		if err != nil {
			t.Fatal(err)
		}
		term, err := s.other.Start(c.ctx, panes.Spec{Pane: id, Argv: []string{"vim"}, Dir: "/"})
		if err != nil {
			t.Fatal(err)
		}
		s.other.Point(id, term.ID())
		s.agents.set(agent.PaneView{Pane: id, Label: "vim", Dir: "/home/me/site"})
		cfg := c.config("test-2")
		cfg.Sessions, cfg.Save = s, saves
		c.m = ui.New(cfg)
		c.do(c.m.Init())
		c.settle()
		f(c, s)
	})
}

// fill types a text.
func (c *client) fill(text string) {
	c.t.Helper()
	for _, r := range text {
		if r == ' ' {
			c.press("space")
			continue
		}
		c.press(string(r))
	}
}

// paletteRows are the rows of the palette that is on the screen, without the note.
func (c *client) paletteRows() (rows []string) {
	c.t.Helper()
	_, list, _ := strings.Cut(c.screen(), "❯")
	for _, line := range strings.Split(list, "\n")[1:] {
		line = strings.TrimLeft(line, "▌ ")
		if kind, rest, ok := strings.Cut(line, " "); ok && slices.Contains([]string{"pane", "tab", "session", "start", "dir", "key", "text"}, kind) {
			text, _, _ := strings.Cut(strings.TrimSpace(rest), "   ")
			rows = append(rows, kind+" "+text)
		}
	}
	return rows
}

func (c *client) finds(want ...string) {
	c.t.Helper()
	if got := c.paletteRows(); !slices.Equal(got, want) {
		c.t.Errorf("the palette has\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), c.m.Screen())
	}
}

func TestPaletteFindsEveryKind(t *testing.T) {
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"vim", []string{"pane vim  ~/site", "tab website › 1 vim"}},
		{"website", []string{"session website", "tab website › 1 vim", "pane vim  ~/site"}},
		{"codex in", []string{"start codex in ~/w"}},
		{"srv", []string{"dir /srv/data"}},
		{"old", []string{"dir ~/old"}},
		{"zoom", []string{"key Show this pane alone, or all again"}}, // by its name
		{"this pane's session", []string{"key Resume this pane's session"}},
		{"qqqqq", nil},
	} {
		t.Run(c.typed, func(t *testing.T) {
			runServer(t, 1, func(cl *client, _ *server) {
				cl.press("ctrl+b", ":")
				cl.sees("━ Palette ━", "palette ")
				cl.fill(c.typed)
				cl.finds(c.want...)
				if c.want == nil {
					cl.wait(time.Second)
					cl.sees("Nothing matches.")
				}
				cl.press("esc")
				cl.misses("Palette")
			})
		})
	}
}

// Keys do what the row says, once, and the palette is gone then.
func TestPaletteDoes(t *testing.T) {
	for _, c := range []struct {
		typed, key string
		check      func(t *testing.T, cl *client)
	}{
		{"split-right", "enter", func(t *testing.T, cl *client) {
			if n := len(cl.host.Layout().Panes()); n != 3 {
				t.Errorf("%d panes", n)
			}
		}},
		{"codex in", "enter", func(t *testing.T, cl *client) {
			if n := len(cl.host.Layout().Tabs); n != 2 {
				t.Errorf("%d tabs", n)
			}
			cl.did("launch /home/me/w")
		}},
		{"codex in", "tab", func(t *testing.T, cl *client) {
			if l := cl.host.Layout(); len(l.Tabs) != 1 || len(l.Panes()) != 3 {
				t.Errorf("%d tabs, %d panes", len(l.Tabs), len(l.Panes()))
			}
			cl.did("launch /home/me/w")
		}},
		{"srv", "enter", func(t *testing.T, cl *client) { cl.did("launch /srv/data") }},
		{"srv", "ctrl+y", func(t *testing.T, cl *client) { cl.sees("Copied 9 characters") }},
		{"qqqqq", "enter", func(t *testing.T, cl *client) { cl.sees("Palette") }},
		{"zsh", "enter", func(t *testing.T, cl *client) {
			if id := cl.host.Layout().Panes()[1]; cl.m.Focus() != id {
				t.Errorf("focus at %s, want %s", cl.m.Focus(), id)
			}
		}},
	} {
		t.Run(c.typed+" "+c.key, func(t *testing.T) {
			runServer(t, 2, func(cl *client, _ *server) {
				cl.press("ctrl+b", ":")
				cl.fill(c.typed)
				cl.press(c.key)
				cl.settle()
				if c.typed != "qqqqq" {
					cl.misses("━ Palette")
				}
				c.check(t, cl)
			})
		})
	}
}

// One who only looks on starts nothing, and goes where he likes.
func TestPaletteReadOnly(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		d := c.beside("looks", func(cfg *ui.Config) { cfg.ReadOnly, cfg.Sessions = true, s })
		defer d.m.Close()
		d.press("ctrl+b", ":")
		d.fill("codex in")
		d.press("enter")
		d.sees("This client only looks on")
		d.press("ctrl+b", ":")
		d.fill("website")
		d.press("enter")
		d.sees("website ›")
		d.did()
	})
}

// The agents alone have a key of their own; without any it says what to do.
func TestStartAnAgent(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.press("ctrl+b", "a")
		c.sees("━ Start an agent ━", "2 of 2")
		c.finds("start claude in ~/w", "start codex in ~/w")
		c.press("down", "enter")
		c.did("launch /home/me/w")
		s.starts.Agents = nil
		c.press("ctrl+b", "a")
		c.sees("No agent is in PATH: install one, or name yours in config.toml.")
		c.press("enter", "tab", "ctrl+y", "esc")
		c.misses("Start an agent")
		c.did()
	})
}

// A paste is typed, and what was typed can be edited.
func TestPaletteIsEdited(t *testing.T) {
	runServer(t, 1, func(c *client, _ *server) {
		c.press("ctrl+b", ":")
		c.event(pump.Event{Paste: true, Start: true, End: true, Raw: []byte("webx")})
		c.press("backspace")
		c.finds("tab website › 1 vim", "session website", "pane vim  ~/site")
		c.press("down", "down", "down", "up", "enter")
		c.sees("website › 1 vim")
	})
}

// What is chosen may be gone by then.
func TestPaletteOfWhatIsGone(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		ids := c.host.Layout().Panes()
		c.press("ctrl+b", ":")
		c.fill("zsh")
		c.host.Close(ids[1])
		c.settle()
		c.press("enter")
		c.sees("That pane is gone.")
		s.fault = errors.New("session website is closed")
		c.press("ctrl+b", ":")
		c.fill("website")
		c.press("enter")
		c.sees("Could not go there: session website is closed")
	})
}

// Text in panes of all sessions is found beside the event loop, newest first, and
// shown in copy mode where it stands.
func TestPaletteFindsText(t *testing.T) {
	runServer(t, 2, func(c *client, _ *server) {
		for i, p := range c.programs {
			var b strings.Builder
			for n := range 200 {
				fmt.Fprintf(&b, "pane %d line %d\r\n", i, n)
			}
			fmt.Fprintf(&b, "  a Needle of %d\x1b[?7l\r\n", i)
			for n := range 100 {
				fmt.Fprintf(&b, "more %d\r\n", n)
			}
			p.out <- []byte(b.String())
		}
		c.settle()
		c.press("ctrl+b", ":")
		c.fill("needle")
		c.finds()
		c.sees("Looking through the panes' text…")
		c.wait(time.Second)
		c.finds("text zsh :201 a Needle of 0", "text zsh :201 a Needle of 1", "text vim :201 a Needle of 2")
		c.press("enter")
		c.sees("a Needle of 0", "line 201 of", " copy ")
		c.press("esc")
		c.press("ctrl+b", ":")
		c.fill("/pane 2 line 19")
		c.wait(time.Second)
		c.finds("text vim :200 pane 2 line 199", "text vim :199 pane 2 line 198", "text vim :198 pane 2 line 197", "text vim :197 pane 2 line 196", "text vim :196 pane 2 line 195")
		c.press("down", "enter")
		c.sees("pane 2 line 198", "10 of 11", "line 199 of", " copy ")
	})
}

// The next key ends a search, and so does leaving: what it finds means nothing.
func TestPaletteSearchIsCancelled(t *testing.T) {
	runServer(t, 1, func(c *client, _ *server) {
		c.programs[0].out <- []byte("one needle\r\nanother thing\r\n")
		c.settle()
		c.press("ctrl+b", ":")
		c.fill("needle")
		c.press("s")
		c.wait(time.Second)
		c.finds()
		c.sees("Nothing matches.")
		c.press("ctrl+u")
		c.fill("thing")
		c.press("esc")
		c.wait(time.Second)
		c.misses("━ Palette", "text ")
	})
}

// A hostile screen cannot reach the chrome.
func TestPaletteCleansText(t *testing.T) {
	runServer(t, 1, func(c *client, _ *server) {
		c.programs[0].out <- []byte("needle \u202ereversed\u202c \U000f0000end\r\n")
		c.settle()
		c.press("ctrl+b", ":")
		c.fill("needle")
		c.wait(time.Second)
		for _, r := range c.screen() {
			if r == '\u202e' || r == '\u202c' {
				t.Errorf("the screen has %q", r)
			}
		}
	})
}

// What can be started may come late: what is selected stays so.
func TestPaletteKeepsTheSelection(t *testing.T) {
	for _, typed := range []string{"", "co", "zsh"} {
		t.Run(typed, func(t *testing.T) {
			runServer(t, 3, func(c *client, s *server) {
				s.hold = make(chan struct{})
				c.press("ctrl+b", ":")
				c.fill(typed)
				c.press("pgdown")
				was := c.chosen()
				close(s.hold)
				c.settle()
				if got := c.chosen(); got != was || was == "" {
					t.Errorf("%q is selected, before %q\n%s", got, was, c.m.Screen())
				}
			})
		})
	}
}

// chosen is the row of the palette that is selected.
func (c *client) chosen() string {
	_, row, _ := strings.Cut(c.screen(), "▌")
	row, _, _ = strings.Cut(row, "\n")
	return strings.TrimSpace(row)
}
