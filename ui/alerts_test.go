package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
	"reprise/ui/alert"
	"reprise/ui/pump"
)

// alerted runs a test with a client of two tabs: two panes in the first, which is
// shown, an agent in the second. Its emulators are the real ones.
func alerted(t *testing.T, set func(*ui.Config), f func(c *client, hidden panes.PaneID)) {
	t.Helper()
	runOn(t, 2, nil, set, func(c *client) {
		id, err := c.host.NewTab("", c.host.Layout().Tabs[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		c.start(id)
		c.agents.set(agent.PaneView{Pane: id, Kind: "claude", Label: "claude", Candidate: "t-9", Dir: "/home/me/w"})
		c.settle()
		f(c, id)
	})
}

// prints lets the program of a pane print.
func (c *client) prints(id panes.PaneID, s string) {
	c.t.Helper()
	for _, p := range c.programs {
		if p.spec.Pane == id {
			p.out <- []byte(s)
			c.settle()
			return
		}
	}
	c.t.Fatalf("pane %s has no program", id)
}

// sent is what the terminal was sent since the last call.
func (c *client) sent() string {
	c.settle()
	s := string(c.out.all)
	c.out.all = c.out.all[:0]
	return s
}

// rings is how often the terminal was rung: a BEL that ends no sequence.
func rings(s string) (n int) {
	for i := range len(s) {
		if s[i] == '\a' && !strings.Contains(s[strings.LastIndexByte(s[:i], '\x1b')+1:i], "]") {
			n++
		}
	}
	return n
}

func TestBellsRingTheTerminalAndMarkTheTab(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		shown := c.host.Layout().Panes()[0]
		c.sent()
		c.prints(shown, "\a")
		if n := rings(c.sent()); n != 1 {
			t.Errorf("the terminal was rung %d times", n)
		}
		if strings.Contains(c.bar(), "*") {
			t.Errorf("what is in sight is marked: %q", c.bar())
		}
		c.wait(2 * time.Second)
		c.sent()
		for range 50 {
			c.prints(hidden, "\a\a\a")
		}
		if n := rings(c.sent()); n < 1 || n > 9 { // of 3 s; the settings allow one a second from one pane
			t.Errorf("the terminal was rung %d times by a flood", n)
		}
		c.sees("2 claude *", "claude in tab 2 rang")
		c.wait(11 * time.Second)
		c.misses("rang")
		c.sees("2 claude *")
		c.press("ctrl+b", "2")
		c.misses("*")
		c.press("ctrl+b", "1")
		c.misses("*")
	})
}

func TestABellIsSeenOnceThePersonIsBack(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, _ panes.PaneID) {
		shown := c.host.Layout().Panes()[0]
		c.event(pump.Event{Ev: uv.BlurEvent{}})
		c.settle()
		c.prints(shown, "\a")
		c.sees("1 zsh *", "* bell")
		c.misses("rang") // a shell's bell is worth no line
		c.event(pump.Event{Ev: uv.FocusEvent{}})
		c.misses("*")
	})
}

// Who only looks on sees nothing for those who work there.
func TestOnlookersSeeNothingForOthers(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		d := c.beside("onlooker", onlooker)
		defer d.m.Close()
		d.press("ctrl+b", "2")
		d.settle()
		c.prints(hidden, "\a")
		c.sees("2 claude *", "claude in tab 2 rang")
		if c.workspace.happened.Unseen(hidden) == 0 {
			t.Error("it was seen")
		}
	})
}

// What one person saw another is not told of.
func TestOtherClientsSeeToo(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		d := c.beside("second", func(*ui.Config) {})
		defer d.m.Close()
		c.prints(hidden, "\a")
		c.sees("2 claude *")
		d.sees("2 claude *")
		d.press("ctrl+b", "2")
		d.settle()
		c.misses("claude *")
		c.workspace.happened.Add(alert.Alert{Pane: hidden, Kind: alert.Done})
		c.misses("is done")
	})
}

func TestNotificationsGoToTheTerminalInItsForm(t *testing.T) {
	const title, body = "a;b", "4;1;50"
	for _, tt := range []struct {
		env  string
		want string
	}{
		{"TERM=xterm-256color", "\x1b]9;a;b: 4;1;50\x1b\\"},
		{"TERM_PROGRAM=iTerm.app", "\x1b]9;a;b: 4;1;50\x1b\\"},
		{"TERM=foot", "\x1b]777;notify;a,b;4;1;50\x1b\\"},
		{"TERM=xterm-ghostty", "\x1b]777;notify;a,b;4;1;50\x1b\\"},
		{"TERM=xterm-kitty", "\x1b]99;i=reprise-1:e=1:d=0;YTti\x1b\\\x1b]99;i=reprise-1:e=1:d=1:p=body;NDsxOzUw\x1b\\"},
		{"TERM=tmux-256color", "\a"},
		{"TERM=linux", "\a"},
	} {
		t.Run(tt.env, func(t *testing.T) {
			alerted(t, func(cfg *ui.Config) { cfg.Env = append(cfg.Env, tt.env) }, func(c *client, hidden panes.PaneID) {
				c.sent()
				c.workspace.happened.Add(alert.Alert{Pane: hidden, Kind: alert.Message, Title: title, Words: body})
				if got := c.sent(); !strings.Contains(got, tt.want) {
					t.Errorf("sent %q, want %q in it", got, tt.want)
				}
				c.sees("claude in tab 2: a;b: 4;1;50", "2 claude *")
			})
		})
	}
}

func TestNotificationForms(t *testing.T) {
	for env, c := range map[string][2]string{ // a body alone; one that would be a command
		"TERM=xterm":       {"\x1b]9;done\x1b\\", "\x1b]9; 4;1\x1b\\"},
		"TERM=rxvt":        {"\x1b]777;notify;;done\x1b\\", "\x1b]777;notify;;4;1\x1b\\"},
		"TERM=xterm-kitty": {"\x1b]99;i=reprise-7:e=1:d=1;ZG9uZQ==\x1b\\", "\x1b]99;i=reprise-7:e=1:d=1;NDsx\x1b\\"},
	} {
		form := ui.FormOf([]string{env})
		for i, body := range []string{"done", "4;1"} {
			if got := form("", body, 7); got != c[i] {
				t.Errorf("%s: %q is %q, want %q", env, body, got, c[i])
			}
		}
	}
}

// Nothing of a program reaches the terminal unparsed, whatever it puts into a
// notification.
func TestNotificationsAreTextAlone(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		c.sent()
		c.prints(hidden, "\x1b]9;evil\x01\u009b31m\u202e\u009c text\x1b\\")
		got := c.sent()
		if !strings.Contains(got, "\x1b]9;evil31m text\x1b\\") || strings.Contains(got, "\u009b") {
			t.Errorf("sent %q", got)
		}
	})
	alerted(t, func(cfg *ui.Config) { cfg.ASCII = true }, func(c *client, hidden panes.PaneID) {
		c.sent()
		c.prints(hidden, "\x1b]9;für\x1b\\")
		if got := c.sent(); !strings.Contains(got, "\x1b]9;f?r\x1b\\") {
			t.Errorf("sent %q", got)
		}
	})
}

func TestWhatBecomesOfAgentsIsSaidIfNobodySeesIt(t *testing.T) {
	for _, tt := range []struct {
		alert.Alert
		bar, mark string
		doing     agent.Doing
		seen      string // the mark once it was seen
	}{
		{alert.Alert{Kind: alert.Done}, "claude is done in tab 2", "2 claude ✓", agent.TurnDone, "2 claude  "},
		{alert.Alert{Kind: alert.Waiting}, "claude waits for you in tab 2", "2 claude !", agent.AsksPermission, "2 claude ! "},
		{alert.Alert{Kind: alert.Waiting, Guess: true}, "claude may wait for you in tab 2", "2 claude !", agent.AsksPermission, "2 claude ! "},
		{alert.Alert{Kind: alert.Exit, Words: "claude ended with exit 1"}, "claude ended with exit 1 in tab 2", "2 claude ◦", "", "2 claude  "},
		{alert.Alert{Kind: alert.Failure, Words: "Could not resume claude: its folder is gone. Bring it back, then retry."}, "✗ Could not resume claude: its folder is gone.", "2 claude ✗", "", "2 claude  "},
	} {
		t.Run(tt.bar, func(t *testing.T) {
			alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
				tt.Pane = hidden
				v := c.agents.View(hidden)
				v.Status = agent.Status{Doing: tt.doing, By: agent.ByHook}
				c.agents.set(v)
				c.workspace.happened.Add(tt.Alert)
				c.sees(tt.bar, tt.mark)
				c.press("ctrl+b", "2")
				c.sees(tt.seen)
				c.wait(11 * time.Second)
				c.workspace.happened.Add(tt.Alert)
				c.misses(tt.bar)
				c.sees(tt.seen)
			})
		})
	}
}

func TestKindsAndQuietHours(t *testing.T) {
	now := func() int { at := time.Now().Local(); return at.Hour()*60 + at.Minute() }
	for _, tt := range []struct {
		name             string
		set              func(*alert.Settings)
		rung, said, mark bool
	}{
		{"all", func(*alert.Settings) {}, true, true, true},
		{"bells off", func(s *alert.Settings) { s.Off = alert.Bell.Set() }, false, false, false},
		{"others off", func(s *alert.Settings) { s.Off = alert.Message.Set() | alert.Done.Set() }, true, true, true},
		{"quiet", func(s *alert.Settings) { s.Quiet = alert.Hours{From: now(), To: (now() + 60) % (24 * 60)} }, false, false, true},
		{"quiet later", func(s *alert.Settings) {
			s.Quiet = alert.Hours{From: (now() + 60) % (24 * 60), To: (now() + 120) % (24 * 60)}
		}, true, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			alerted(t, func(cfg *ui.Config) { tt.set(&cfg.Alerts) }, func(c *client, hidden panes.PaneID) {
				c.sent()
				c.prints(hidden, "\a")
				if got := rings(c.sent()) > 0; got != tt.rung {
					t.Errorf("rung: %v", got)
				}
				screen := c.screen()
				if got := strings.Contains(screen, "rang"); got != tt.said {
					t.Errorf("said: %v", got)
				}
				if got := strings.Contains(screen, "claude *"); got != tt.mark {
					t.Errorf("marked: %v", got)
				}
				c.press("ctrl+b", "~")
				c.sees("* bell   claude in tab 2 rang") // the log has it all the same
			})
		})
	}
}

// With the setting on, agents call across windows.
func TestAgentsCallTheDesktop(t *testing.T) {
	alerted(t, func(cfg *ui.Config) { cfg.Alerts.Desktop = true }, func(c *client, hidden panes.PaneID) {
		c.sent()
		c.workspace.happened.Add(alert.Alert{Pane: hidden, Kind: alert.Done})
		if got := c.sent(); strings.Contains(got, "\x1b]9;") {
			t.Errorf("sent %q to who sits before it", got)
		}
		c.event(pump.Event{Ev: uv.BlurEvent{}})
		c.workspace.happened.Add(alert.Alert{Pane: hidden, Kind: alert.Waiting})
		if got := c.sent(); !strings.Contains(got, "\x1b]9;claude waits for you in tab 2\x1b\\") {
			t.Errorf("sent %q", got)
		}
	})
}

func TestANewClientIsNotToldOfTheOld(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		c.prints(hidden, "\a")
		d := c.beside("late", func(*ui.Config) {})
		defer d.m.Close()
		d.settle()
		if n := rings(string(d.out.all)); n != 0 {
			t.Errorf("rung %d times for what was before", n)
		}
		d.sees("2 claude *")
		d.misses("rang")
		d.press("ctrl+b", "~")
		d.sees("claude in tab 2 rang")
	})
}

func TestMonitors(t *testing.T) {
	monitor := func(c *client, action string) {
		c.press("ctrl+b", "?")
		for _, r := range action {
			c.press(string(r))
		}
		c.press("enter")
		c.settle()
	}
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		c.prints(hidden, "x")
		c.misses("*")
		c.press("ctrl+b", "2")
		monitor(c, "monitor-activity")
		c.sees("You are told of activity in claude.")
		c.prints(hidden, "seen")
		c.press("ctrl+b", "1")
		c.wait(6 * time.Second)
		c.misses("*", "active")
		c.prints(hidden, "x")
		c.sees("2 claude *", "claude in tab 2 is active")
		c.wait(11 * time.Second)
		c.prints(hidden, "more")
		c.misses("is active") // until it is looked at
		c.press("ctrl+b", "2")
		monitor(c, "monitor-activity")
		c.sees("You are no longer told of activity in claude.")
		c.press("ctrl+b", "1")
		c.wait(6 * time.Second)
		c.prints(hidden, "x")
		c.misses("*", "active")
	})
	alerted(t, func(cfg *ui.Config) { cfg.Alerts.Silence = 10 * time.Second }, func(c *client, hidden panes.PaneID) {
		c.press("ctrl+b", "2")
		monitor(c, "monitor-tab-silence")
		c.sees("You are told of silence in this tab.")
		c.press("ctrl+b", "1")
		c.prints(hidden, "x")
		c.wait(6 * time.Second)
		c.prints(hidden, "x")
		c.wait(6 * time.Second)
		c.misses("silent")
		c.wait(5 * time.Second)
		c.sees("2 claude *", "claude in tab 2 is silent")
		now := time.Now()
		c.wait(now.Truncate(time.Minute).Add(2 * time.Minute).Sub(now)) // the clock's minute
		c.settle()
		was := c.updates
		c.wait(50 * time.Second)
		if n := c.updates - was; n > 0 {
			t.Errorf("a silent pane is looked at %d times within a minute", n)
		}
	})
}

func TestTheMessageLog(t *testing.T) {
	alerted(t, func(*ui.Config) {}, func(c *client, hidden panes.PaneID) {
		c.prints(c.host.Layout().Panes()[0], "\a") // of who types there: no news
		c.press("ctrl+b", "~")
		c.sees("Nothing has happened yet.")
		c.press("esc")
		c.misses("Messages")
		first := time.Now().Local().Format("15:04")
		c.press("ctrl+b", "R")
		c.wait(time.Minute)
		c.workspace.happened.Add(alert.Alert{Pane: hidden, Kind: alert.Done})
		c.settle()
		c.press("ctrl+b", "~")
		c.sees("Messages", first+"            This pane has no saved session to resume.", "▌ "+time.Now().Local().Format("15:04")+"   ✓ done   claude is done in tab 2")
		c.wait(time.Second)
		c.workspace.happened.Add(alert.Alert{Pane: hidden, Kind: alert.Bell}) // who reads the newest line goes on to newer ones
		c.sees("▌ "+time.Now().Local().Format("15:04")+"   * bell", "━ 3 ━")
		c.press("k", "enter")
		if c.m.Focus() != hidden {
			t.Error("enter does not go to the pane of the line")
		}
		c.misses("Messages")
		c.press("ctrl+b", "~", "home")
		c.workspace.happened.Add(alert.Alert{Pane: hidden, Kind: alert.Exit, Words: "claude ended"})
		c.sees("▌ "+first, "claude ended")
		c.press("enter") // of no pane
		if c.m.Focus() != hidden {
			t.Error("a line of no pane moves the focus")
		}
	})
	run(t, 1, func(c *client) {
		c.press("ctrl+b", "~")
		c.sees("Nothing has happened yet.")
		c.press("down", "enter")
		c.misses("Nothing")
	})
}

func TestTheMessageLogIsBounded(t *testing.T) {
	run(t, 1, func(c *client) {
		id := c.host.Layout().Panes()[0]
		for i := range 3 * alert.Keep {
			if i%2 == 0 {
				c.press("ctrl+b", "R")
			} else {
				c.workspace.happened.Add(alert.Alert{Pane: panes.PaneID(fmt.Sprint(id, i)), Kind: alert.Exit, Words: fmt.Sprintf("program %d ended", i)})
			}
			time.Sleep(time.Millisecond)
			c.drain()
		}
		c.press("ctrl+b", "~")
		c.sees("━ 200 ━", fmt.Sprintf("program %d ended", 3*alert.Keep-1))
		c.press("home")
		c.misses("program 1 ended")
	})
}

// What happens is told to the clients of the session where it happens.
func TestAlertsAreOfTheSessionThatIsShown(t *testing.T) {
	runServer(t, 2, func(c *client, s *server) {
		here, there := c.host.Layout().Panes()[0], s.other.Layout().Panes()[0]
		fail := func(of *workspace, p panes.PaneID) {
			of.happened.Add(alert.Alert{Pane: p, Kind: alert.Failure, Words: "Could not resume " + of.name})
			c.settle()
		}
		c.event(pump.Event{Ev: uv.BlurEvent{}})
		c.settle()
		fail(s.site, there)
		c.misses("Could not")
		fail(c.workspace, here)
		c.sees("Could not resume reprise")
		c.event(pump.Event{Ev: uv.FocusEvent{}})
		c.press("ctrl+b", ":")
		c.fill("website")
		c.press("enter")
		c.settle()
		c.sees("website › 1 vim")
		if s.site.happened.Unseen(there) != 0 {
			t.Error("what is in sight now stays unseen")
		}
		c.wait(11 * time.Second)
		fail(c.workspace, here)
		if c.workspace.happened.Unseen(here) == 0 {
			t.Error("the session that was left is still in sight")
		}
		c.misses("Could not")
		c.press("ctrl+b", "~")
		c.sees("✗ failed   Could not resume website")
		c.misses("Could not resume reprise")
	})
}
