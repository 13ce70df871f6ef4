package ui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/panes"
	"reprise/ui"
)

// library is a fake server that has past sessions, too.
type library struct {
	*server
	mu      sync.Mutex // guards rows and opened, while the client's commands run
	rows    []past.Row
	more    []past.Row    // there once the stores were read
	reading chan struct{} // Refresh waits for it; nil: it does not
	opened  []string
	fault   error
	changes int64       // of rows
	limits  []int       // with which Past was asked
	at      *panes.Host // where sessions are, if they are open
	pane    panes.PaneID
}

func (l *library) Past(_ context.Context, limit int) ([]past.Row, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = append(l.limits, limit)
	if limit == 0 {
		limit = len(l.rows)
	}
	return slices.Clone(l.rows[:min(limit, len(l.rows))]), nil
}

func (l *library) Changes(context.Context) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changes, nil
}

func (l *library) Refresh(ctx context.Context) error {
	if l.reading != nil {
		select {
		case <-l.reading:
		case <-ctx.Done():
			return nil
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = append(l.rows, l.more...)
	l.changes++
	return nil
}

func (l *library) Saying(_ context.Context, word string) map[agent.Identity]bool {
	if word != "database" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return map[agent.Identity]bool{l.rows[1].Identity: true}
}

func (l *library) OpenPast(ctx context.Context, r past.Row, how ui.PastHow, newPane func(context.Context) (panes.PaneID, error)) (*panes.Host, panes.PaneID, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	what := string(r.Identity.Session)
	if how.Anyway {
		what += " anyway"
	}
	if how.Fork {
		what += " copied"
	}
	l.opened = append(l.opened, what)
	switch {
	case how.Anyway || how.Fork:
	case l.fault != nil:
		return nil, "", l.fault
	case r.Standing.Open():
		return l.at, l.pane, nil
	}
	pane, err := newPane(ctx)
	return l.c.host, pane, err
}

// runLibrary runs a test with past sessions, two of them held where the client is.
func runLibrary(t *testing.T, f func(c *client, l *library)) {
	t.Helper()
	runServer(t, 1, func(c *client, s *server) {
		row := func(id, dir, first string, age time.Duration) past.Row {
			r := pastRow(id, dir, first, "all is well")
			r.Used = time.Now().Add(-age)
			return r
		}
		l := &library{server: s, rows: []past.Row{
			row("elsewhere-1", "/srv/data", "count the rows", time.Minute),
			row("here-1", "/home/me/w", "mend the parser", 3*time.Hour),
			row("here-2", "/home/me/w", "write release notes", 50*time.Hour),
		}}
		c.m.Close()
		cfg := c.config("test-3")
		cfg.Sessions, cfg.Save = l, func(context.Context) error { return nil }
		c.m = ui.New(cfg)
		c.do(c.m.Init())
		c.settle()
		f(c, l)
	})
}

func TestHistory(t *testing.T) {
	runLibrary(t, func(c *client, l *library) {
		c.press("ctrl+b", "h")
		c.settle()
		c.sees("Past sessions  all directories", "3 of 3", "~/w", "claude    mend the parser", "3h", "/srv/data", "history ", "enter resume in a pane")
		c.press("tab")
		c.settle()
		c.sees("this directory", "2 of 3")
		c.misses("count the rows")
		c.press("tab")
		c.settle()
		c.fill("notes")
		c.settle()
		c.sees("1 of 3", "write release notes")
		c.misses("mend the parser")
		c.press("enter")
		c.settle()
		c.misses("Past sessions")
		if tabs := c.host.Layout().Tabs; !slices.Equal(l.opened, []string{"here-2"}) || len(tabs) != 2 || c.m.Focus() != tabs[1].Panes()[0] {
			t.Errorf("opened %v, %d tabs", l.opened, len(tabs))
		}
	})
}

// The directory where the client is goes first, and is where the selection begins.
func TestHistoryBeginsHere(t *testing.T) {
	runLibrary(t, func(c *client, l *library) {
		for keys, want := range map[string]string{"": "here-1", "down": "here-2", "down down": "elsewhere-1", "pgdown": "elsewhere-1", "up": "here-1"} {
			l.opened = nil
			c.press("ctrl+b", "h")
			c.settle()
			for _, k := range splitKeys(keys) {
				c.press(k)
			}
			c.press("enter")
			c.settle()
			c.press("ctrl+b", "l") // back to where it began
			c.settle()
			if !slices.Equal(l.opened, []string{want}) {
				t.Errorf("%q opens %v, want %s", keys, l.opened, want)
			}
		}
	})
}

func splitKeys(s string) []string {
	if s == "" {
		return nil
	}
	var keys []string
	from := 0
	for i := range s {
		if s[i] == ' ' {
			keys, from = append(keys, s[from:i]), i+1
		}
	}
	return append(keys, s[from:])
}

// What is in the conversation is found, too; a session that is open is gone to; what
// goes wrong is said.
func TestHistoryFindsAndGoes(t *testing.T) {
	runLibrary(t, func(c *client, l *library) {
		c.press("ctrl+b", "h")
		c.fill("database")
		c.settle()
		c.sees("1 of 3", "mend the parser")
		c.press("esc")
		c.settle()
		c.misses("Past sessions")

		l.rows[1].Standing = &past.Standing{Workspace: "website"}
		l.at, l.pane = l.other, l.other.Layout().Panes()[0]
		c.press("ctrl+b", "h")
		c.settle()
		c.sees("open in website", "enter go")
		c.press("enter")
		c.settle()
		if c.m.Focus() != l.pane {
			t.Errorf("focus at %s, want %s", c.m.Focus(), l.pane)
		}

		l.rows[1].Standing, l.fault = nil, errors.New("Could not resume claude: process 4711 has this session open. End it there, then retry.")
		c.press("ctrl+b", "h")
		c.fill("parser")
		c.settle()
		c.press("enter")
		c.settle()
		c.sees("process 4711 has this session open")
	})
}

// A copy is made by its own key, where the agent makes copies; of what another program
// has open a person is asked.
func TestHistoryForks(t *testing.T) {
	runLibrary(t, func(c *client, l *library) {
		opens := func(want ...string) {
			t.Helper()
			c.settle()
			if !slices.Equal(l.opened, want) {
				t.Errorf("opened %v, want %v", l.opened, want)
			}
			l.opened = nil
			c.press("ctrl+b", "l") // back to where it began
			c.settle()
		}
		find := func(keys ...string) {
			t.Helper()
			c.press("ctrl+b", "h")
			c.fill("parser")
			c.settle()
			c.press(keys...)
		}
		find("ctrl+o", "enter")
		opens("here-1")
		l.rows[1].Forks = true
		find()
		c.sees("ctrl+o fork")
		c.press("ctrl+o")
		opens("here-1 copied")

		l.fault = &ui.HeldError{Err: errors.New("Could not resume claude: process 4711 has this session open. End it there, then retry.")}
		asked := func(keys ...string) {
			t.Helper()
			find("enter")
			c.settle()
			c.sees("Open elsewhere", "process 4711 has this session open", "resume anyway", "f fork")
			c.press(keys...)
			c.settle()
			c.misses("Open elsewhere")
		}
		asked("x", "enter", "o")
		opens("here-1", "here-1 anyway")
		asked("f")
		opens("here-1", "here-1 copied")
		asked("esc")
		opens("here-1")
		l.rows[1].Forks = false
		find("enter")
		c.settle()
		c.sees("Open elsewhere")
		c.misses("f fork")
		c.press("f", "n")
		opens("here-1")
	})
}

// What is known is there at once; what is read meanwhile comes in, and the selection
// stays with its session.
func TestHistoryWhileReading(t *testing.T) {
	runLibrary(t, func(c *client, l *library) {
		l.reading = make(chan struct{})
		one := pastRow("here-0", "/home/me/w", "the newest of them", "")
		one.Used = time.Now()
		l.more = []past.Row{one}
		c.press("ctrl+b", "h")
		c.settle()
		c.sees("3 of 3")
		c.press("down")
		close(l.reading)
		c.wait(3 * time.Second)
		c.sees("4 of 4", "the newest of them")
		c.press("enter")
		c.settle()
		if !slices.Equal(l.opened, []string{"here-2"}) {
			t.Errorf("opened %v", l.opened)
		}
	})
}

// While stores are read nothing is listed again before there is something new; of many
// sessions the newest are there before the rest.
func TestHistoryListsOnce(t *testing.T) {
	runLibrary(t, func(c *client, l *library) {
		asked := func(want ...int) {
			t.Helper()
			l.mu.Lock()
			defer l.mu.Unlock()
			// A first look during which reading ends is made again.
			if got := slices.Compact(l.limits); !slices.Equal(got, want) {
				t.Errorf("asked for %v, want %v", got, want)
			}
			l.limits = nil
		}
		l.reading = make(chan struct{})
		c.press("ctrl+b", "h")
		c.settle()
		asked(200)
		c.wait(10 * time.Second)
		asked()
		l.mu.Lock()
		for i := range 500 {
			l.rows = append(l.rows, pastRow(fmt.Sprintf("old-%d", i), "/old", "long ago", ""))
		}
		l.changes++
		l.mu.Unlock()
		c.wait(3 * time.Second)
		c.sees("503 of 503")
		asked(0)
		close(l.reading)
		c.settle()
		asked(0) // after what reading ended with
		c.press("esc", "ctrl+b", "h")
		c.settle()
		asked(200, 0)
		c.sees("503 of 503")
	})
}

func TestPaletteFindsPast(t *testing.T) {
	runLibrary(t, func(c *client, l *library) {
		l.starts.Past = l.rows
		c.press("ctrl+b", ":")
		c.settle()
		c.fill("mend")
		c.settle()
		c.sees("past     claude  mend the parser", "3h")
		c.press("enter")
		c.settle()
		if !slices.Equal(l.opened, []string{"here-1"}) {
			t.Errorf("opened %v", l.opened)
		}
	})
}
