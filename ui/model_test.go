package ui_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/agent"
	"reprise/panes"
	"reprise/ui"
	"reprise/ui/pump"
)

func TestKeysGoToTheFocusedProgram(t *testing.T) {
	run(t, 2, func(c *client) {
		c.press("h", "i", "ctrl+c", "enter", "up")
		if got, want := c.programs[0].typed(), "hi\x03\r\x1b[A"; got != want {
			t.Errorf("the first program was sent %q, want %q", got, want)
		}
		c.press("ctrl+b", "o", "x")
		if got := c.programs[1].typed(); got != "x" {
			t.Errorf("the second program was sent %q", got)
		}
		c.press("ctrl+b", ";", "ctrl+b", "ctrl+b")
		if got := c.programs[0].typed(); got != "\x02" {
			t.Errorf("the prefix pressed twice sends %q", got)
		}
	})
}

func TestPrefixTable(t *testing.T) {
	run(t, 1, func(c *client) {
		first := c.m.Focus()
		c.press("ctrl+b", "%")
		c.settle()
		second := c.m.Focus()
		if second == first || len(c.host.Layout().Panes()) != 2 {
			t.Fatalf("no second pane after a split:\n%s", c.screen())
		}
		c.did("launch /")
		c.press("ctrl+b", `"`)
		c.settle()
		third := c.m.Focus()
		for _, step := range []struct {
			keys []string
			want panes.PaneID
		}{
			{[]string{"ctrl+b", "up"}, second},
			{[]string{"ctrl+b", "left"}, first},
			{[]string{"ctrl+b", ";"}, second},
			{[]string{"ctrl+b", "down"}, third},
			{[]string{"ctrl+b", "o"}, first},
			{[]string{"ctrl+b", "q", "3"}, third},
			{[]string{"ctrl+b", "q", "9"}, third},
		} {
			c.press(step.keys...)
			c.settle()
			if c.m.Focus() != step.want {
				t.Errorf("after %q the focus is at the wrong pane", step.keys)
			}
		}
		c.press("ctrl+b", "z")
		c.sees("zoom +2")
		c.press("ctrl+b", "z")
		c.misses("zoom")
		if c.saved < 2 {
			t.Errorf("the layout was saved %d times after two splits", c.saved)
		}
	})
}

func TestSplitIsRefusedWithoutRoom(t *testing.T) {
	runWith(t, 1, func(cfg *ui.Config) { cfg.Size = panes.Size{Cols: 120, Rows: 8} }, func(c *client) {
		c.press("ctrl+b", `"`)
		c.sees("No room to split: a pane needs 20x3. Zoom out or use a new tab (ctrl+b c).")
		c.wait(5 * time.Second)
		c.misses("No room")
		if n := len(c.host.Layout().Panes()); n != 1 {
			t.Errorf("%d panes", n)
		}
	})
}

func TestSplitGivesUpThePaneIfNothingStarts(t *testing.T) {
	run(t, 1, func(c *client) {
		c.agents.failing = errTest
		c.press("ctrl+b", "%")
		c.sees("Could not open a shell: the disk is full")
		if n := len(c.host.Layout().Panes()); n != 1 {
			t.Errorf("%d panes are left", n)
		}
	})
}

func TestResizeRepeatsForHalfASecond(t *testing.T) {
	run(t, 2, func(c *client) {
		width := func() int {
			c.settle()
			return c.programs[0].size.Cols
		}
		was := width()
		c.press("ctrl+b", "ctrl+right")
		c.press("ctrl+right")
		c.press("alt+right")
		if got := width(); got != was+7 {
			t.Errorf("the pane grew by %d columns, want 7", got-was)
		}
		c.wait(600 * time.Millisecond)
		c.press("ctrl+right")
		if got := width(); got != was+7 {
			t.Errorf("after the time is over the key still resizes")
		}
		if got := c.programs[0].typed(); got != "\x1b[1;5C" {
			t.Errorf("the program was sent %q", got)
		}
		c.wait(time.Second)
		if c.saved == 0 {
			t.Error("a border was moved and not saved")
		}
		c.press("ctrl+b", "ctrl+right", "y")
		if got := c.programs[0].typed(); got != "y" {
			t.Errorf("another key within the time sends %q", got)
		}
	})
}

func TestCloseAsksOnlyIfSomethingIsLost(t *testing.T) {
	run(t, 2, func(c *client) {
		id := c.m.Focus()
		c.agents.set(agent.PaneView{Pane: id, Kind: "claude", Label: "claude", Dir: "/home/me/w"})
		c.press("ctrl+b", "x")
		c.sees("Close this pane?", "claude is running in ~/w. Closing ends it; it will not resume by itself.", "y close   n keep", " confirm ")
		c.press("enter", "q", "ctrl+b")
		c.sees("Close this pane?")
		c.press("n")
		c.misses("Close this pane?")
		c.did()
		c.press("ctrl+b", "x", "y")
		c.settle()
		c.did("end")
		if slices.Contains(c.host.Layout().Panes(), id) {
			t.Error("the pane is still there")
		}
		if c.programs[0].typed() != "" {
			t.Error("the answer went to the program")
		}
		c.press("ctrl+b", "x") // an idle shell: nothing is lost, and it was the last one
		c.settle()
		c.did("end")
		if !c.quit || c.saved == 0 {
			t.Errorf("after the last pane: quit %v, saved %d times", c.quit, c.saved)
		}
	})
}

func TestCloseThatFailsClosesNothing(t *testing.T) {
	run(t, 2, func(c *client) {
		c.agents.failing = errTest
		c.press("ctrl+b", "x")
		c.sees("could not close the pane: the disk is full")
		if n := len(c.host.Layout().Panes()); n != 2 {
			t.Errorf("%d panes are left", n)
		}
	})
}

func TestQuitSavesAndDisposesNothing(t *testing.T) {
	run(t, 2, func(c *client) {
		c.press("ctrl+b", "d")
		c.drain()
		if !c.quit || c.saved != 1 {
			t.Errorf("quit %v, saved %d times", c.quit, c.saved)
		}
		c.did()
	})
}

func TestPastesReachTheProgramTheyBeganIn(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[0].out <- []byte("paste\n")
		c.settle()
		c.event(pump.Event{Paste: true, Start: true})
		c.event(pump.Event{Paste: true, Raw: []byte("one ")})
		c.press("ctrl+b", "o")
		c.event(pump.Event{Paste: true, Raw: []byte("two")})
		c.event(pump.Event{Paste: true, End: true})
		if got := c.programs[0].typed(); got != "\x1b[200~one two\x1b[201~" {
			t.Errorf("the program was sent %q", got)
		}
		if got := c.programs[1].typed(); got != "" {
			t.Errorf("the other program was sent %q", got)
		}
	})
}

func TestFullInputIsSaid(t *testing.T) {
	run(t, 1, func(c *client) {
		p := c.programs[0]
		p.mu.Lock()
		p.stuck = true
		p.mu.Unlock()
		run := uv.KeyPressEvent{Code: uv.KeyExtended, Text: strings.Repeat("x", 32<<10)}
		for range 40 {
			c.event(pump.Event{Ev: run})
		}
		c.sees("zsh is not reading; 1 MiB of input waits. Keys typed now are dropped until it reads.")
	})
}

func TestMouse(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[1].out <- []byte("mouse\n")
		c.settle()
		second := c.host.Layout().Panes()[1]
		at := func(x, y int) uv.Mouse { return uv.Mouse{X: x, Y: y, Button: uv.MouseLeft} }
		c.event(pump.Event{Ev: uv.MouseClickEvent(at(100, 0))}) // its title row
		if c.m.Focus() != second {
			t.Error("a click on a title does not move the focus")
		}
		if got := c.programs[1].typed(); got != "" {
			t.Errorf("a click on a title sends %q", got)
		}
		left := 120 - c.programs[1].size.Cols
		c.event(pump.Event{Ev: uv.MouseClickEvent(at(left+4, 3))})
		c.event(pump.Event{Ev: uv.MouseMotionEvent(at(2, 5))}) // dragged out to the left
		c.event(pump.Event{Ev: uv.MouseReleaseEvent(at(2, 5))})
		if got, want := c.programs[1].typed(), "\x1b[<0;5;3M\x1b[<32;1;5M\x1b[<0;1;5m"; got != want {
			t.Errorf("the program was sent %q, want %q", got, want)
		}
		c.event(pump.Event{Ev: uv.MouseClickEvent(at(3, 3))})
		if got := c.programs[0].typed(); got != "" {
			t.Errorf("a program that did not ask was sent %q", got)
		}
	})
}

func TestProgramsLearnOfTheFocus(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[0].out <- []byte("focus\n")
		c.settle()
		c.press("ctrl+b", "o")
		c.press("ctrl+b", "o")
		if got := c.programs[0].typed(); got != "\x1b[O\x1b[I" {
			t.Errorf("the program was told %q", got)
		}
		if term := c.host.Shown(c.host.Layout().Panes()[0]); !term.LastKey().IsZero() {
			t.Error("the focus counts as typing")
		}
		c.press("k", "ctrl+b", "o")
		c.press("ctrl+b", "o")
		c.event(pump.Event{Ev: uv.BlurEvent{}})
		c.event(pump.Event{Ev: uv.FocusEvent{}})
		if got := c.programs[0].typed(); got != "k\x1b[O\x1b[I\x1b[O\x1b[I" {
			t.Errorf("the program was told %q", got)
		}
	})
}

func TestAnIdleScreenWritesNothing(t *testing.T) {
	run(t, 4, func(c *client) {
		c.wait(time.Minute) // the first clock
		was := c.out.writes
		c.wait(60 * time.Second)
		if n := c.out.writes - was; n > 1 {
			t.Errorf("%d writes in an idle minute", n)
		}
	})
}

// A terminal that had another size for a moment is drawn anew: it may have cut rows and
// forgotten its scroll region.
func TestASizeThatCameBackIsDrawnAnew(t *testing.T) {
	run(t, 2, func(c *client) {
		was := c.out.writes
		c.resized(120, 34) // the Program tells the size when it starts
		if n := c.out.writes - was; n > 0 {
			t.Errorf("the size of the start makes %d frames", n)
		}
		c.programs[0].out <- []byte("hello\n")
		c.settle()
		c.out.all = nil
		c.resized(120, 34)
		if got := string(c.out.all); !strings.Contains(got, "\x1b[r") || !strings.Contains(got, "hello") {
			t.Errorf("written: %q", got)
		}
	})
}

func TestAFloodIsDrawnAtMost60TimesASecond(t *testing.T) {
	run(t, 2, func(c *client) {
		was := c.out.writes
		for range 1000 {
			c.programs[0].out <- []byte("x\n")
			c.drain()
			time.Sleep(time.Millisecond)
		}
		c.settle()
		if n := c.out.writes - was; n > 63 {
			t.Errorf("%d writes in a second", n)
		}
	})
}

func TestOutputAfterQuietIsDrawnAtOnce(t *testing.T) {
	run(t, 1, func(c *client) {
		c.wait(time.Second)
		for _, part := range []string{"echo", "of a key", "$ "} { // in portions
			c.programs[0].out <- []byte(part + "\n")
			c.drain() // no time passes
			if got := c.m.Screen(); !strings.Contains(got, part) {
				t.Errorf("not drawn at once:\n%s", got)
			}
		}
	})
}

// What a key did is shown at once, also while frames are held back.
func TestTheEchoOfAKeyDoesNotWait(t *testing.T) {
	for name, flood := range map[string]bool{"quiet": false, "flood": true} {
		run(t, 2, func(c *client) {
			c.wait(time.Second)
			was := c.out.writes
			for i := range 20 {
				time.Sleep(5 * time.Millisecond)
				if flood {
					c.programs[1].out <- []byte("x\n")
					c.drain()
				}
				c.press("k")
				echo := fmt.Sprintf("echo %d ", i)
				c.programs[0].out <- []byte(echo + "\n")
				c.drain() // no time passes
				if got := c.m.Screen(); !strings.Contains(got, echo) {
					t.Errorf("%s: key %d is not echoed at once", name, i)
				}
			}
			if n := c.out.writes - was; n > 20+7 {
				t.Errorf("%s: %d writes for 20 keys in a tenth of a second", name, n)
			}
		})
	}
}

func TestSmallClients(t *testing.T) {
	run(t, 3, func(c *client) {
		c.update(tea.WindowSizeMsg{Width: 50, Height: 20})
		c.sees("zoom +2")
		was := c.programs[0].size
		c.update(tea.WindowSizeMsg{Width: 29, Height: 20})
		c.sees("Too small", "29x20, needs 30x8", "Your panes run on.")
		if c.programs[0].size != was {
			t.Error("a refused size reached the program")
		}
		c.press("k")
		if got := c.programs[0].typed(); got != "k" {
			t.Errorf("keys do not go on: %q", got)
		}
		c.update(tea.WindowSizeMsg{Width: 120, Height: 34})
		c.misses("zoom", "Too small")
		for w := 1; w < 40; w += 3 {
			for h := 1; h < 14; h++ {
				c.update(tea.WindowSizeMsg{Width: w, Height: h})
				c.wait(20 * time.Millisecond)
			}
		}
	})
}

func TestFirstRunHint(t *testing.T) {
	used := 0
	runWith(t, 1, func(cfg *ui.Config) { cfg.PrefixUsed = func() { used++ } }, func(c *client) {
		c.sees("ctrl+b then ? shows every key")
		c.press("ctrl+b", "z", "ctrl+b", "z")
		c.misses("then")
		if used != 1 {
			t.Errorf("told %d times that the prefix was used", used)
		}
	})
}

func TestHostileTitles(t *testing.T) {
	run(t, 2, func(c *client) {
		c.programs[0].out <- []byte("title \x1b[31m\u202eevil\x07\u0085 " + strings.Repeat("x", 5000) + "\n")
		c.settle()
		if strings.ContainsAny(string(c.out.last), "\x07\u0085\u202e") {
			t.Error("a program's title reached the terminal as it is")
		}
		c.sees("evil")
	})
}

func TestAPanicEndsTheClientOnly(t *testing.T) {
	run(t, 1, func(c *client) {
		c.event(pump.Event{Ev: uv.MouseClickEvent{}})
		c.update(ui.Panic())
		c.drain()
		if !c.quit || c.m.Err() == nil {
			t.Errorf("quit %v, err %v", c.quit, c.m.Err())
		}
	})
}

func TestATerminalThatIsGoneEndsTheClient(t *testing.T) {
	run(t, 1, func(c *client) {
		c.out.err = errTest
		c.programs[0].out <- []byte("x\n")
		c.settle()
		if !c.quit || c.m.Err() != nil || c.saved != 1 {
			t.Errorf("quit %v, err %v, saved %d times", c.quit, c.m.Err(), c.saved)
		}
	})
}

func TestEveryKeyOnTheScreenIsBound(t *testing.T) {
	keymap, _ := ui.NewKeymap(ui.KeySettings{})
	keys, names := keymap.Bindings()
	all, helps := ui.Actions()
	seen := map[string]bool{}
	for i, k := range keys {
		if seen[k] {
			t.Errorf("%q is bound twice", k)
		}
		seen[k] = true
		if !slices.Contains(all, names[i]) || !keymap.Bound(k) {
			t.Errorf("%q is bound to %q, which is no action", k, names[i])
		}
	}
	for i, n := range all {
		if !strings.HasPrefix(n, "monitor-") && n != "reload-config" && !slices.Contains(names, n) { // tmux has r and m on something else
			t.Errorf("action %q has no key", n)
		}
		if helps[i] == "" {
			t.Errorf("action %q has no help", n)
		}
	}
	for _, h := range keymap.FirstHint() {
		if h.Key != "" && (!keymap.Bound(h.Key) || h.Verb == "") {
			t.Errorf("the first hint names %q", h.Key)
		}
	}
}

func TestKeyNames(t *testing.T) {
	for want, k := range map[string]uv.Key{
		"%":         {Code: '5', ShiftedCode: '%', Mod: uv.ModShift, Text: "%"},
		`"`:         {Code: '"', Mod: uv.ModShift},
		"R":         {Code: 'r', ShiftedCode: 'R', Mod: uv.ModShift},
		"x":         {Code: 'x', Text: "x", Mod: uv.ModNumLock},
		"ctrl+b":    {Code: 'b', Mod: uv.ModCtrl | uv.ModCapsLock},
		"alt+left":  {Code: uv.KeyLeft, Mod: uv.ModAlt},
		"enter":     {Code: uv.KeyEnter},
		"":          {Code: uv.KeyLeftShift, Mod: uv.ModShift},
		"space":     {Code: ' ', Text: " "},
		"shift+tab": {Code: uv.KeyTab, Mod: uv.ModShift},
	} {
		if got := ui.KeyName(k); got != want {
			t.Errorf("%+v is %q, want %q", k, got, want)
		}
	}
}

func TestTaskTitles(t *testing.T) {
	for in, want := range map[string]string{
		"✳ Fix flaky resume test": "Fix flaky resume test",
		"⠐ Fix":                   "Fix",
		"● ":                      "",
		"- a list":                "- a list",
		"日本語":                     "日本語",
		"a\nb\tc\x1b[31m":         "a b c[31m",
	} {
		if got := ui.Task(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestAnAgentsNoticeIsSaidOnce(t *testing.T) {
	run(t, 2, func(c *client) {
		v := agent.PaneView{Pane: c.m.Focus(), Kind: "claude", Label: "claude", Candidate: "t-1", Notice: "claude runs without hooks: it comes back by its folder."}
		c.agents.set(v)
		c.sees("claude runs without hooks")
		c.wait(10 * time.Second)
		c.misses("without hooks")
		v.Dir = "/elsewhere"
		c.agents.set(v)
		c.misses("without hooks")
		v.Candidate = "t-2"
		c.agents.set(v)
		c.sees("without hooks")
	})
}

func TestTheBranchFollowsTheFocusedPanesDirectory(t *testing.T) {
	repo := func(branch string) string {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/"+branch+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	one, two, none := repo("topic/one"), repo("two"), t.TempDir()
	run(t, 2, func(c *client) {
		c.misses("topic/one")
		c.programs[0].out <- []byte("dir " + one + "\n")
		c.sees("topic/one")
		c.programs[1].out <- []byte("dir " + two + "\n")
		c.settle()
		c.press("ctrl+b", "o")
		c.settle()
		c.misses("topic/one")
		c.sees("  two  ")
		c.programs[1].out <- []byte("dir " + none + "\n")
		c.settle()
		c.misses("  two  ")
	})
}

func TestAPaneThatWasJustOpenedHasTheFocus(t *testing.T) {
	runWith(t, 3, func(cfg *ui.Config) { cfg.Focus = panes.NewPaneID() }, func(c *client) {
		if got := c.m.Focus(); got != c.host.Layout().Panes()[0] {
			t.Errorf("a pane that is not there keeps the focus from the first: %q", got)
		}
	})
	runWith(t, 3, func(*ui.Config) {}, func(c *client) {
		ids := c.host.Layout().Panes()
		m := ui.New(ui.Config{Host: c.host, Resumer: c.agents, Launcher: c.agents, Out: c.out, Size: panes.Size{Cols: 120, Rows: 34}, Workspace: c.workspace, Focus: ids[2]})
		defer m.Close()
		m.Init()
		if m.Focus() != ids[2] {
			t.Error("the pane that was asked for has not the focus")
		}
	})
}

func TestNoticesAreSaidOneAfterTheOther(t *testing.T) {
	runWith(t, 1, func(cfg *ui.Config) { cfg.Notices = []string{"The first thing.", "The second thing."} }, func(c *client) {
		c.sees("The first thing.")
		c.misses("The second thing.")
		c.wait(10 * time.Second)
		c.sees("The second thing.")
		c.misses("The first thing.")
		c.wait(10 * time.Second)
		c.misses("thing.")
	})
}

// A shell that does not tell where it is shows its process's directory, a while
// after it printed something.
func TestTitlesFollowProcessesThatDoNotTell(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	home, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := "~/" + filepath.Base(dir) + " "
	runWith(t, 2, func(cfg *ui.Config) { cfg.Home = home }, func(c *client) {
		c.programs[0].mu.Lock()
		c.programs[0].pid = os.Getpid()
		c.programs[0].mu.Unlock()
		c.programs[0].out <- []byte("$ cd there\n")
		c.settle()
		c.misses(want)
		c.wait(time.Second)
		c.sees(want)
		was := c.out.writes
		c.wait(20 * time.Second)
		if c.out.writes != was {
			t.Error("it is asked and drawn without end")
		}
		c.programs[0].out <- []byte("dir /told\n")
		c.sees("/told")
		c.misses(want)
	})
}

func TestOneSaveRunsAtATimeAndTheLastChangeIsSaved(t *testing.T) {
	begun := 0
	var hold chan struct{}
	runWith(t, 2, func(cfg *ui.Config) {
		hold = make(chan struct{}) // of the bubble
		cfg.Save = func(context.Context) error { begun++; <-hold; return nil }
	}, func(c *client) {
		for range 5 {
			c.press("ctrl+b", "ctrl+right")
			c.settle()
		}
		if begun != 1 {
			t.Errorf("%d saves run at a time", begun)
		}
		close(hold)
		c.settle()
		if begun != 2 {
			t.Errorf("%d saves for what changed before and during the first, want 2", begun)
		}
	})
}
