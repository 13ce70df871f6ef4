package ui_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"reprise/ui"
	"reprise/ui/theme"
)

func TestSettingsAreReadAgain(t *testing.T) {
	var next []ui.Reloaded
	var asked []bool
	runWith(t, 2, func(cfg *ui.Config) {
		cfg.Theme = theme.Always(theme.Ink())
		cfg.Reload = func(_ context.Context, force bool) (r ui.Reloaded) {
			asked = append(asked, force)
			if len(next) > 0 {
				r, next = next[0], next[1:]
			}
			return r
		}
	}, func(c *client) {
		c.press("x")
		if asked != nil {
			t.Error("the file is looked at without need")
		}
		vim, _ := ui.NewKeymap(ui.KeySettings{Prefix: "ctrl+a", Binds: []ui.Bind{{Key: "prefix V", Action: "zoom"}, {Key: "f12", Action: "reload-config"}}})
		next = []ui.Reloaded{{Changed: true, Settings: ui.Settings{Keys: vim, ASCII: true}, Notices: []string{"config.toml line 3: one.", "config.toml line 4: two."}}}
		c.press("ctrl+b")
		c.press("esc")
		c.sees("config.toml line 3: one.", "= zsh ", "- zsh ") // titles in ASCII
		c.misses("━", "line 4")
		c.wait(11e9)
		c.sees("config.toml line 4: two.")
		c.press("ctrl+b", "ctrl+a", "V")
		if !c.m.Zoomed() {
			t.Error("a key of the new settings does nothing")
		}
		if got := c.programs[0].typed() + c.programs[1].typed(); got != "x\x02" {
			t.Errorf("programs were sent %q", got)
		}
		next = []ui.Reloaded{{Changed: true, Settings: ui.Settings{Keys: vim}, Notices: []string{"config.toml was read"}}}
		c.press("f12")
		c.sees("config.toml was read")
		c.press("ctrl+a", "V")
		c.sees("━ zsh ")
		if want := []bool{false, false, true, false}; !slices.Equal(asked, want) {
			t.Errorf("asked %v, want %v", asked, want)
		}
	})
	run(t, 1, func(c *client) {
		c.press("ctrl+b", "?")
		for _, r := range "reload-config" {
			c.press(string(r))
		}
		c.press("enter")
		c.sees("This client has no config.toml to read.")
	})
}

// The terminal's own answer that it needs ASCII outlives new settings.
func TestNewSettingsKeepWhatTheTerminalNeeds(t *testing.T) {
	runWith(t, 2, func(cfg *ui.Config) {
		cfg.Env = []string{"LANG=C", "TERM=xterm"}
		cfg.Reload = func(context.Context, bool) ui.Reloaded { return ui.Reloaded{Changed: true} }
	}, func(c *client) {
		if strings.Contains(c.screen(), "━") {
			t.Fatal("a terminal without UTF-8 gets box lines")
		}
		c.press("ctrl+b")
		c.press("esc")
		c.misses("━")
	})
}

// What is written is read without a key: by a wake, and again if it is written while
// it is read.
func TestSettingsAreReadWhenTheyAreWritten(t *testing.T) {
	var rewritten chan struct{}
	var next chan ui.Reloaded
	asked := 0
	runWith(t, 2, func(cfg *ui.Config) {
		rewritten, next = make(chan struct{}, 1), make(chan ui.Reloaded) // of the bubble
		cfg.Rewritten = rewritten
		cfg.Reload = func(_ context.Context, force bool) ui.Reloaded {
			asked++
			if force {
				t.Error("a wake asks as a person does")
			}
			return <-next
		}
	}, func(c *client) {
		c.misses("- zsh ")
		rewritten <- struct{}{}
		c.settle()
		rewritten <- struct{}{} // while it is read
		c.settle()
		if asked != 1 {
			t.Fatalf("read %d times at once", asked)
		}
		next <- ui.Reloaded{Changed: true, Settings: ui.Settings{ASCII: true}, Notices: []string{"config.toml line 3: one."}}
		c.sees("config.toml line 3: one.", "- zsh ")
		next <- ui.Reloaded{}
		c.settle()
		rewritten <- struct{}{}
		c.settle()
		next <- ui.Reloaded{Changed: true}
		c.sees("━ zsh ")
		if asked != 3 {
			t.Errorf("read %d times, want 3", asked)
		}
	})
}
