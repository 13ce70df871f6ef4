package ui_test

import (
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui"
	"reprise/ui/pump"
)

// A program has the focus as long as one client has it there: it is told when the
// first one comes, and when the last one goes.
func TestFocusOfSeveralClients(t *testing.T) {
	blur, focus := pump.Event{Ev: uv.BlurEvent{}}, pump.Event{Ev: uv.FocusEvent{}}
	const in, out = "\x1b[I", "\x1b[O"
	for name, s := range map[string]struct {
		do   func(c, d *client)
		want string
	}{
		"one blurs":               {func(c, _ *client) { c.event(blur) }, ""},
		"both blur":               {func(c, d *client) { c.event(blur); d.event(blur) }, out},
		"both, and one is back":   {func(c, d *client) { c.event(blur); d.event(blur); c.event(focus) }, out + in},
		"one is back, the other":  {func(c, d *client) { c.event(blur); c.event(focus); d.event(blur) }, ""},
		"one moves on":            {func(c, _ *client) { c.press("ctrl+b", "o") }, ""},
		"both move on":            {func(c, d *client) { c.press("ctrl+b", "o"); d.press("ctrl+b", "o") }, out},
		"one blurs, one leaves":   {func(c, d *client) { c.event(blur); d.m.Close() }, out},
		"one leaves":              {func(_, d *client) { d.m.Close() }, ""},
		"one leaves, one blurs":   {func(c, d *client) { d.m.Close(); c.event(blur) }, out},
		"blurred, and moves":      {func(c, d *client) { c.event(blur); d.event(blur); c.press("ctrl+b", "o", "ctrl+b", "o") }, out},
		"the same again":          {func(c, _ *client) { c.event(focus); c.event(focus) }, ""},
		"blurred twice":           {func(c, d *client) { c.event(blur); c.event(blur); d.event(blur); d.event(blur) }, out},
		"one blurs, one moves on": {func(c, d *client) { c.event(blur); d.press("ctrl+b", "o") }, out},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, 2, func(c *client) {
				d := c.beside("other", func(*ui.Config) {})
				defer d.m.Close()
				c.programs[0].out <- []byte("focus\n")
				c.settle()
				s.do(c, d)
				c.settle()
				if got := c.programs[0].typed(); got != s.want {
					t.Errorf("the program was told %q, want %q", got, s.want)
				}
			})
		})
	}
}

// A client that is suspended has its keyboard nowhere.
func TestSuspendedHasNoFocus(t *testing.T) {
	runWith(t, 1, func(cfg *ui.Config) { cfg.Suspend = func() {} }, func(c *client) {
		c.programs[0].out <- []byte("focus\n")
		c.settle()
		c.press("ctrl+b", "ctrl+z")
		c.settle()
		if got := c.programs[0].typed(); got != "\x1b[O" {
			t.Errorf("the program was told %q", got)
		}
		c.update(ui.Resumed())
		c.settle()
		if got := c.programs[0].typed(); got != "\x1b[I" {
			t.Errorf("back again the program was told %q", got)
		}
	})
}

// Who only looks on gives the focus to no program and takes it from none.
func TestReadOnlyHasNoFocus(t *testing.T) {
	run(t, 2, func(c *client) {
		d := c.beside("other", func(cfg *ui.Config) { cfg.ReadOnly = true })
		defer d.m.Close()
		c.programs[0].out <- []byte("focus\n")
		c.settle()
		d.event(pump.Event{Ev: uv.BlurEvent{}})
		d.event(pump.Event{Ev: uv.FocusEvent{}})
		c.event(pump.Event{Ev: uv.BlurEvent{}})
		if got := c.programs[0].typed(); got != "\x1b[O" {
			t.Errorf("the program was told %q", got)
		}
	})
}

// A client that begins at a pane of its choice has the focus there from the start.
func TestFocusIsToldWhereAClientBegins(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[1].out <- []byte("focus\n")
		c.settle()
		d := c.beside("other", func(cfg *ui.Config) { cfg.Focus = c.host.Layout().Panes()[1] })
		defer d.m.Close()
		c.were("attached", "", "\x1b[I")
		d.event(pump.Event{Ev: uv.BlurEvent{}})
		c.were("blurred", "", "\x1b[O")
	})
}

// So has one that comes from another session.
func TestFocusIsToldInAnotherSession(t *testing.T) {
	runServer(t, 1, func(c *client, _ *server) {
		c.programs[1].out <- []byte("\x1b[?1004h")
		c.settle()
		c.press("ctrl+b", ":")
		c.fill("website")
		c.press("enter")
		c.settle()
		c.were("another session", "", "\x1b[I")
		c.event(pump.Event{Ev: uv.BlurEvent{}})
		c.were("blurred there", "", "\x1b[O")
	})
}
