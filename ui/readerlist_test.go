package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"reprise/ui"
)

// listens lets the client of a server with two sessions be heard.
func (c *client) listens(s *server) {
	c.m.Close()
	cfg := c.config("hears")
	cfg.Sessions, cfg.Reader = s, true
	cfg.Save = func(context.Context) error { return nil }
	c.m = ui.New(cfg)
	c.do(c.m.Init())
	c.settle()
}

// says is hears where something else stands over the foot.
func (c *client) says(want string) {
	c.t.Helper()
	rows := strings.Split(strings.TrimRight(c.screen(), "\n"), "\n")
	if got := strings.TrimSpace(rows[len(rows)-1]); got != want {
		c.t.Errorf("the foot says %q, want %q", got, want)
	}
}

// What is selected is told, in every list, and that a list is open.
func TestReaderTellsWhatIsSelected(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		c.listens(s)
		c.hears("Session reprise. Pane 1 of 2, zsh.")
		c.press("ctrl+b", ":")
		c.fill("vim")
		c.says("pane vim  ~/site, website › 1 vim, 1 of 2.")
		c.press("down")
		c.says("tab website › 1 vim, 1 pane, 2 of 2.")
		c.press("z")
		c.wait(time.Second) // text in panes is looked for
		c.says("Nothing matches.")
		c.press("esc")
		c.hears("Pane 1 of 2, zsh.")
		c.press("ctrl+b", "w")
		c.says("Tabs. 1, zsh, 2 panes, 1 of 1.")
		c.press("esc", "ctrl+b", "@")
		c.says("Move the pane to. tab, a new one, 1 of 3.")
		c.press("down")
		c.says("session, website, 1 pane, 2 of 3.")
		c.press("esc", "ctrl+b", "?")
		all, _ := ui.Actions()
		c.says(fmt.Sprintf("All keys. ctrl+b %%, Split the pane: a new one at its right, split-right, 1 of %d.", len(all)))
		c.press("esc", "ctrl+b", ",")
		c.says("Rename tab 1.")
	})
}

// Another session is told of.
func TestReaderTellsOfSessions(t *testing.T) {
	runServer(t, 1, func(c *client, s *server) {
		c.listens(s)
		c.press("ctrl+b", ":")
		c.fill("vim")
		c.press("enter")
		c.settle()
		c.hears("Session website. Pane 1 of 1, vim.")
	})
}

// The sidebar is for the eye: it goes when somebody begins to listen.
func TestReaderClosesTheSidebar(t *testing.T) {
	for name, keys := range map[string][]string{"keys in it": nil, "keys beside it": {"esc"}} {
		t.Run(name, func(t *testing.T) {
			var next ui.Reloaded
			runWith(t, 1, func(cfg *ui.Config) {
				cfg.Reload = func(context.Context, bool) ui.Reloaded { return next }
			}, func(c *client) {
				c.press("ctrl+b", "tab")
				c.press(keys...)
				c.sees("Sessions")
				next = ui.Reloaded{Changed: true, Settings: ui.Settings{Reader: true}}
				c.press("ctrl+b", "esc")
				c.misses("Sessions", "│")
				c.hears("Session reprise. Pane 1 of 1, zsh.")
			})
		})
	}
}

// What is selected in the history is told, and the cursor stands where one types.
func TestReaderTellsOfTheHistory(t *testing.T) {
	runLibrary(t, func(c *client, l *library) {
		c.m.Close()
		cfg := c.config("hears")
		cfg.Sessions, cfg.Reader = l, true
		c.m = ui.New(cfg)
		c.do(c.m.Init())
		c.settle()
		c.press("ctrl+b", "h")
		c.settle()
		c.misses("|", "▌")
		c.hears("claude, mend the parser, 3h.")
		c.press("down")
		c.hears("claude, write release notes, 2 d.")
		c.fill("zzz")
		c.settle()
		c.hears("Nothing matches.")
		c.press("esc")
		c.hears("history ended.")
	})
}
