package ui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

// more adds tabs with one pane each, behind the others, and runs a program in them.
func (c *client) more(n int) (ids []panes.PaneID) {
	c.t.Helper()
	for range n {
		id, err := c.host.NewTab("", "")
		if err != nil {
			c.t.Fatal(err)
		}
		c.start(id)
		ids = append(ids, id)
	}
	c.settle()
	return ids
}

// bar is the last row of the screen.
func (c *client) bar() string {
	rows := strings.Split(strings.TrimSuffix(c.screen(), "\n"), "\n")
	return rows[len(rows)-1]
}

func (c *client) barHas(want string) {
	c.t.Helper()
	if got := c.bar(); !strings.Contains(got, want) {
		c.t.Errorf("the bar is %q, want %q in it", got, want)
	}
}

// tabs says how many panes each tab has, and their names.
func (c *client) tabs() string {
	var all []string
	for _, t := range c.host.Layout().Tabs {
		all = append(all, fmt.Sprint(t.Name, len(t.Panes())))
	}
	return strings.Join(all, " ")
}

func (c *client) at(what string, want panes.PaneID) {
	c.t.Helper()
	c.settle()
	if got := c.m.Focus(); got != want {
		c.t.Errorf("%s: the focus is at pane %d, want %d", what, slices.Index(c.host.Layout().Panes(), got), slices.Index(c.host.Layout().Panes(), want))
	}
}

func TestTabKeys(t *testing.T) {
	run(t, 1, func(c *client) {
		first := c.m.Focus()
		c.barHas(" reprise › 1 zsh ")
		c.press("ctrl+b", "c")
		c.settle()
		c.did("launch /")
		second := c.m.Focus()
		if second == first || c.tabs() != "1 1" {
			t.Fatalf("after prefix c there are the tabs %q:\n%s", c.tabs(), c.screen())
		}
		if got, want := c.programs[1].spec.Size, (panes.Size{Cols: 120, Rows: 33}); got != want {
			t.Errorf("the new tab's shell was started in %v, want %v", got, want)
		}
		third := c.more(1)[0]
		for _, step := range []struct {
			keys []string
			want panes.PaneID
		}{
			{[]string{"n"}, third},
			{[]string{"n"}, first},
			{[]string{"p"}, third},
			{[]string{"p"}, second},
			{[]string{"l"}, third},
			{[]string{"l"}, second},
			{[]string{"1"}, first},
			{[]string{"3"}, third},
			{[]string{"9"}, third},
			{[]string{"0"}, third},
			{[]string{"l"}, first},
		} {
			c.press(append([]string{"ctrl+b"}, step.keys...)...)
			c.at(fmt.Sprint("after ", step.keys), step.want)
		}
		c.press("x")
		if got := c.programs[0].typed(); got != "x" {
			t.Errorf("the program of the tab that is shown was sent %q", got)
		}
	})
}

func TestNewTabsStandBesideTheOneThatIsShown(t *testing.T) {
	run(t, 1, func(c *client) {
		c.more(1)
		c.press("ctrl+b", "c")
		c.settle()
		if at := slices.Index(c.host.Layout().Panes(), c.m.Focus()); at != 1 {
			t.Errorf("the new tab stands at place %d, want 1", at)
		}
		c.more(8)
		c.press("ctrl+b", "0")
		c.at("after 0", c.host.Layout().Panes()[9])
	})
}

func TestATabIsNotOpenedIfNothingStarts(t *testing.T) {
	run(t, 1, func(c *client) {
		first := c.m.Focus()
		c.agents.failing = errTest
		c.press("ctrl+b", "c")
		c.sees("Could not open a shell: the disk is full")
		if c.tabs() != "1" {
			t.Errorf("there are the tabs %q", c.tabs())
		}
		c.at("after it failed", first)
	})
}

func TestTooManyTabs(t *testing.T) {
	run(t, 1, func(c *client) {
		for len(c.host.Layout().Tabs) < panes.MaxTabs {
			if _, err := c.host.NewTab("", ""); err != nil {
				t.Fatal(err)
			}
		}
		c.press("ctrl+b", "c")
		c.sees("Could not open a tab: a session has at most 64 tabs")
	})
}

func TestFocusAndZoomAreTheTabsOwn(t *testing.T) {
	run(t, 2, func(c *client) {
		ids := c.host.Layout().Panes()
		other := c.more(1)[0]
		c.press("ctrl+b", "o", "ctrl+b", "z", "ctrl+b", "n")
		c.at("in the second tab", other)
		c.misses("zoom")
		c.press("ctrl+b", "p")
		c.at("back in the first", ids[1])
		c.sees("zoom +1")
		c.press("ctrl+b", ";")
		c.at("the pane before", ids[0])
	})
}

// What a client does not show it does not resume, and its size is none of its
// business.
func TestHiddenTabsWait(t *testing.T) {
	run(t, 1, func(c *client) {
		hidden := c.more(1)[0]
		c.agents.set(agent.PaneView{Pane: hidden, State: agent.PaneDue, Candidate: "t-9", Kind: "claude", Label: "claude"})
		c.settle()
		if n := c.agents.resumed(); n != 0 {
			t.Fatal("a hidden tab was resumed")
		}
		for range 3 {
			c.press("ctrl+b", "2")
			c.settle()
			c.press("ctrl+b", "1")
			c.settle()
		}
		if n := c.agents.resumed(); n != 1 {
			t.Errorf("Resume was called %d times once the tab was shown", n)
		}
		looks := c.agents.looks
		if l := looks[len(looks)-1]; len(l.Visible) != 1 || l.Visible[0] == hidden {
			t.Errorf("what is told to be visible: %+v", l)
		}
	})
}

func TestATabHasTheSizeOfWhoShowsIt(t *testing.T) {
	run(t, 1, func(c *client) {
		c.more(1)
		d := c.beside("small", small)
		defer d.m.Close()
		sizes := func(what string, want ...panes.Size) {
			t.Helper()
			c.settle()
			d.settle()
			for i, w := range want {
				if got := c.programs[i].size; got != w {
					t.Errorf("%s: pane %d is %v, want %v", what, i, got, w)
				}
			}
		}
		large, little := panes.Size{Cols: 120, Rows: 33}, panes.Size{Cols: 60, Rows: 14}
		sizes("both at the first", large, panes.Size{Cols: 80, Rows: 24})
		d.press("ctrl+b", "2")
		sizes("one at each", large, little)
		d.press("k") // the small one was typed at last
		d.press("ctrl+b", "1")
		sizes("both at the first again", little, little)
		c.press("ctrl+b", "2")
		sizes("one at each, the other way", little, large)
		d.press("ctrl+b", "2", "k")
		sizes("both at the second", little, little)
		d.press("ctrl+b", "1")
		sizes("the small one left it", little, large)
	})
}

// Two clients show two tabs: what one does moves the other only as far as it must.
func TestClientsOnDifferentTabs(t *testing.T) {
	run(t, 2, func(c *client) {
		ids := c.host.Layout().Panes()
		second := c.more(1)[0]
		d := c.beside("other", func(cfg *ui.Config) { cfg.Focus = second })
		defer d.m.Close()
		d.at("attached at the pane of before", second)
		c.at("the first client", ids[0])
		c.press("a")
		d.press("b")
		if a, b := c.programs[0].typed(), c.programs[2].typed(); a != "a" || b != "b" {
			t.Errorf("the programs were sent %q and %q", a, b)
		}
		// The pane that has d's focus is broken out by c: d stays in its tab.
		d.press("ctrl+b", "1", "ctrl+b", "o")
		d.at("at the second pane", ids[1])
		c.press("ctrl+b", "o", "ctrl+b", "!")
		c.at("whoever breaks a pane out goes along", ids[1])
		d.at("the other one stays", ids[0])
		if c.tabs() != "1 1 1" {
			t.Errorf("the tabs are %q", c.tabs())
		}
		// A tab that goes with d's pane takes d along.
		d.press("ctrl+b", "2")
		d.at("in the new tab", ids[1])
		c.settle()
		c.press("ctrl+b", "w", "3", "m")
		c.at("moved", ids[1])
		d.at("moved along", ids[1])
		if c.tabs() != "1 2" {
			t.Errorf("the tabs are %q", c.tabs())
		}
		// A tab that is closed shows the one of before.
		d.press("ctrl+b", "1", "ctrl+b", "2")
		c.host.Close(ids[1])
		c.host.Close(second)
		d.at("after its tab was closed", ids[0])
		c.at("after its tab was closed", ids[0])
	})
}

func TestProgramsLearnOfTheTab(t *testing.T) {
	run(t, 1, func(c *client) {
		c.more(1)
		for _, p := range c.programs {
			p.out <- []byte("focus\n")
		}
		c.settle()
		c.press("ctrl+b", "n")
		c.settle()
		c.press("ctrl+b", "n")
		c.settle()
		if a, b := c.programs[0].typed(), c.programs[1].typed(); a != "\x1b[O\x1b[I" || b != "\x1b[I\x1b[O" {
			t.Errorf("the programs were told %q and %q", a, b)
		}
	})
}

func TestTabNames(t *testing.T) {
	run(t, 1, func(c *client) {
		agents := c.more(1)[0]
		c.agents.set(agent.PaneView{Pane: agents, Kind: "claude", Label: "claude"})
		c.barHas("› 1 zsh  2 claude ")
		c.press("ctrl+b", ",")
		c.sees("Rename tab 1", "❯", "Left empty, it is called by what runs in it.", "enter rename   esc close")
		c.press("h", "e", "a", "r", "t", "enter")
		c.barHas("› 1 heart  2 claude ")
		if c.saved == 0 {
			t.Error("the name was not saved")
		}
		c.press("ctrl+b", ",", "backspace", "backspace", "x", "esc")
		c.barHas("› 1 heart  2 claude ")
		c.press("ctrl+b", ",", "ctrl+u", "enter")
		c.barHas("› 1 zsh  2 claude ")
		// A paste is text, whatever it says.
		c.press("ctrl+b", ",")
		c.event(pump.Event{Paste: true, Start: true, Raw: []byte("a\x1b[31m\x00日本\n\u202eb\xff")})
		c.event(pump.Event{Paste: true, Raw: []byte(strings.Repeat("long", 100)), End: true})
		c.press("enter")
		c.settle()
		want := "a[31m日本b" + strings.Repeat("long", 100)
		if got := c.host.Layout().Tabs[0].Name; got != want[:panes.MaxTabName] {
			t.Errorf("the name is %q, want %q", got, want[:panes.MaxTabName])
		}
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("the program was sent %q", got)
		}
	})
}

func TestPromptsAreEdited(t *testing.T) {
	for keys, want := range map[string]string{
		"left left X":           "ab Xcd",
		"ctrl+a X":              "Xab cd",
		"home right X":          "aXb cd",
		"ctrl+a delete":         "b cd",
		"home ctrl+f ctrl+d":    "a cd",
		"left left ctrl+k":      "ab",
		"left ctrl+u X":         "Xd",
		"ctrl+w X":              "ab X",
		"ctrl+w ctrl+w X":       "X",
		"ctrl+a end backspace":  "ab c",
		"ctrl+a backspace left": "ab cd",
		"right delete X":        "ab cdX",
		"é backspace":           "ab cd",
		"ctrl+b ctrl+h":         "ab d",
		"ctrl+e ctrl+e X":       "ab cdX",
		"alt+x f":               "ab cdf",
	} {
		t.Run(keys, func(t *testing.T) {
			run(t, 1, func(c *client) {
				if err := c.host.RenameTab(c.host.Layout().Tabs[0].ID, "ab cd"); err != nil {
					t.Fatal(err)
				}
				c.settle()
				c.press("ctrl+b", ",")
				c.press(strings.Fields(keys)...)
				c.press("enter")
				c.settle()
				if got := c.host.Layout().Tabs[0].Name; got != want {
					t.Errorf("the name is %q, want %q", got, want)
				}
			})
		})
	}
}

// Characters of several code points are taken whole.
func TestPromptsKeepCharactersWhole(t *testing.T) {
	run(t, 1, func(c *client) {
		if err := c.host.RenameTab(c.host.Layout().Tabs[0].ID, "xe\u0301日"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		for _, want := range []string{"xe\u0301", "x", ""} {
			c.press("ctrl+b", ",", "backspace", "enter")
			c.settle()
			if got := c.host.Layout().Tabs[0].Name; got != want {
				t.Errorf("the name is %q, want %q", got, want)
			}
		}
	})
}

func TestMoveTab(t *testing.T) {
	run(t, 1, func(c *client) {
		c.more(2)
		first := c.m.Focus()
		c.press("ctrl+b", ".")
		c.sees("Move the tab to", "1 to 3", "enter move   esc close")
		c.press("3", "enter")
		c.at("moved", first)
		if at := slices.Index(c.host.Layout().Panes(), first); at != 2 {
			t.Errorf("the tab is at place %d", at)
		}
		c.press("ctrl+b", ".", "4", "enter")
		c.sees("There is no place 4: the tabs have 1 to 3.")
		c.press("ctrl+b", ".", "enter")
		c.sees("There is no place")
	})
}

func TestTabList(t *testing.T) {
	run(t, 2, func(c *client) {
		second := c.more(1)[0]
		c.die(agent.PaneView{State: agent.PaneFailed})
		c.press("ctrl+b", "w")
		c.sees("━ Tabs ━", "1   claude   2 panes   ✗ failed", "2   zsh      1 pane", "enter go   m move pane here   esc close")
		c.press("down", "enter")
		c.at("gone to", second)
		c.misses("━ Tabs ━")
		c.press("ctrl+b", "w", "k", "q")
		c.at("left", second)
		c.press("ctrl+b", "w", "m")
		c.sees("The pane is in this tab already.")
		c.press("ctrl+b", "w", "1", "m")
		c.settle()
		c.at("moved", second)
		if c.tabs() != "3" {
			t.Errorf("the tabs are %q", c.tabs())
		}
	})
}

func TestMoveAPaneWithoutRoom(t *testing.T) {
	runWith(t, 2, func(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 45, Rows: 8} }, func(c *client) {
		second := c.more(1)[0]
		c.press("ctrl+b", "2", "ctrl+b", "w", "1", "m")
		c.sees("No room to move the pane")
		c.at("it stays", second)
		if c.tabs() != "2 1" {
			t.Errorf("the tabs are %q", c.tabs())
		}
	})
}

func TestBreakPanes(t *testing.T) {
	run(t, 3, func(c *client) {
		first := c.m.Focus()
		c.press("ctrl+b", "!")
		c.at("broken out", first)
		if at := slices.Index(c.host.Layout().Panes(), first); at != 2 || c.tabs() != "2 1" {
			t.Errorf("the tabs are %q, and the pane stands at place %d", c.tabs(), at)
		}
		if got, want := c.programs[0].size, (panes.Size{Cols: 120, Rows: 33}); got != want {
			t.Errorf("the pane is %v, want %v", got, want)
		}
		c.press("ctrl+b", "!")
		c.sees("This pane has its tab for itself.")
		c.did() // nothing was started or ended
	})
}

func TestCloseTabAsksOnlyIfSomethingIsLost(t *testing.T) {
	run(t, 2, func(c *client) {
		ids := c.host.Layout().Panes()
		c.agents.set(agent.PaneView{Pane: ids[0], Kind: "claude", Label: "claude"})
		c.agents.set(agent.PaneView{Pane: ids[1], Kind: "codex", Label: "codex"})
		shell := c.more(1)[0]
		c.press("ctrl+b", "&")
		c.sees("Close this tab?", "claude and codex run in this tab. Closing ends them; agents among them will not resume by themselves.",
			"The conversations stay in the agents' own histories.", "y close   n keep")
		c.press("enter", "n")
		c.misses("Close this tab?")
		c.did()
		c.press("ctrl+b", "&", "y")
		c.settle()
		c.did("end", "end")
		if c.tabs() != "1" || c.quit {
			t.Errorf("the tabs are %q, quit is %v", c.tabs(), c.quit)
		}
		c.at("the other tab", shell)
		c.press("ctrl+b", "&") // an idle shell, and the last one
		c.settle()
		c.did("end")
		if !c.quit {
			t.Error("it stays after the last tab")
		}
	})
}

func TestCloseTabThatFailsClosesNothing(t *testing.T) {
	run(t, 2, func(c *client) {
		c.agents.failing = errTest
		c.press("ctrl+b", "&")
		c.sees("could not close the pane: the disk is full")
		if c.tabs() != "2" {
			t.Errorf("the tabs are %q", c.tabs())
		}
	})
}

func TestASessionThatIsOpenInAnotherTab(t *testing.T) {
	run(t, 1, func(c *client) {
		c.more(1)
		other := c.more(1)[0]
		id := c.die(agent.PaneView{State: agent.PaneElsewhere, Other: other})
		c.sees("This session is open in tab 3", "enter go   x close")
		c.host.MoveTab(c.host.Layout().Tabs[2].ID, 1)
		c.sees("This session is open in tab 2")
		c.press("enter")
		c.at("gone to", other)
		c.barHas("2 zsh")
		if err := c.host.MovePane(other, id, panes.Right, panes.Size{Cols: 120, Rows: 33}); err != nil {
			t.Fatal(err)
		}
		c.sees("This session is open in another pane")
	})
}

func TestTabsTellOfTheirWorstPane(t *testing.T) {
	run(t, 1, func(c *client) {
		hidden := c.more(2)
		c.barHas("1 zsh  2 zsh  3 zsh ")
		c.agents.set(agent.PaneView{Pane: hidden[0], State: agent.PanePaused, Candidate: "t-1", Kind: "claude", Label: "claude"})
		c.barHas("1 zsh  2 claude ✗  3 zsh ")
		c.agents.set(agent.PaneView{Pane: hidden[1], State: agent.PaneAsk, Candidate: "t-2", Kind: "claude", Label: "claude"})
		c.barHas("1 zsh  2 claude ✗  3 claude ")
	})
}

func TestTabsAreClicked(t *testing.T) {
	run(t, 1, func(c *client) {
		first := c.m.Focus()
		second := c.more(1)[0]
		if !strings.Contains(string(c.out.all), "\x1b[?1002h") {
			t.Error("the terminal tells of no click")
		}
		x := strings.Index(strings.ReplaceAll(c.bar(), "›", ">"), "2 zsh")
		for _, step := range []struct {
			x, y int
			want panes.PaneID
		}{{x, 33, second}, {x + 5, 33, second}, {x - 2, 33, first}, {x, 32, first}, {x, 33, second}, {1, 33, second}, {100, 33, second}} {
			c.event(pump.Event{Ev: uv.MouseClickEvent{X: step.x, Y: step.y, Button: uv.MouseLeft}})
			c.event(pump.Event{Ev: uv.MouseReleaseEvent{X: step.x, Y: step.y, Button: uv.MouseLeft}})
			c.at(fmt.Sprintf("a click at %d,%d", step.x, step.y), step.want)
		}
	})
}

func TestWhoOnlyLooksOnGoesFromTabToTab(t *testing.T) {
	run(t, 2, func(c *client) {
		c.more(1)
		was := c.host.Layout()
		d := c.beside("onlooker", onlooker)
		defer d.m.Close()
		for _, k := range []string{"c", "&", ",", ".", "!"} {
			d.press("ctrl+b", k)
			d.sees("This client only looks on")
			d.misses("Rename", "Close this", "Move the")
		}
		d.press("ctrl+b", "w", "2", "m")
		d.sees("This client only looks on")
		d.press("ctrl+b", "n")
		d.at("the next tab", c.host.Layout().Panes()[2])
		c.at("the other client", c.host.Layout().Panes()[0])
		if got := c.host.Layout(); fmt.Sprint(got.Tabs) == "" || len(got.Tabs) != len(was.Tabs) || !slices.Equal(got.Panes(), was.Panes()) {
			t.Errorf("the layout is %+v, was %+v", got, was)
		}
	})
}

// late is a launcher that waits before it starts anything.
type late struct {
	*agents
	hold chan struct{}
}

func (s late) Launch(ctx context.Context, r agent.LaunchRequest) error {
	<-s.hold
	return s.agents.Launch(ctx, r)
}

// A split of a pane whose shell is only about to start opens where that one will be.
func TestSplitsBeforeTheShellRuns(t *testing.T) {
	dir := t.TempDir()
	var hold chan struct{}
	runWith(t, 1, func(cfg *ui.Config) {
		hold = make(chan struct{})
		cfg.Launcher = late{cfg.Launcher.(*agents), hold}
	}, func(c *client) {
		c.programs[0].out <- []byte("dir " + dir + "\n")
		c.settle()
		c.press("ctrl+b", "%", "ctrl+b", `"`, "ctrl+b", "c")
		close(hold)
		c.settle()
		got := c.agents.taken()
		want := "launch " + dir
		if !slices.Equal(got, []string{want, want, want}) {
			t.Errorf("acts %q, want three times %q", got, want)
		}
	})
}
