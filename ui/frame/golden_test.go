package frame_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
	"reprise/panes/vt"
	"reprise/ui/frame"
	"reprise/ui/paint"
	"reprise/ui/theme"
)

var update = flag.Bool("update", false, "rewrite the golden screens")

var sizes = []panes.Size{{Cols: 20, Rows: 5}, {Cols: 60, Rows: 15}, {Cols: 80, Rows: 24}, {Cols: 120, Rows: 34}, {Cols: 160, Rows: 48}}

// screen is a program's screen with the given lines, of the size of a pane.
func screen(w, h int, lines ...string) *vt.Screen {
	s := &vt.Screen{Cols: w, Rows: h, Cells: make([]vt.Cell, w*h), Gen: make([]uint64, h)}
	for i := range s.Cells {
		s.Cells[i] = vt.Blank
	}
	for y := range h {
		s.Gen[y] = 1
		if y >= len(lines) {
			continue
		}
		x := 0
		for _, r := range lines[y] {
			if x == w {
				break
			}
			s.Cells[y*w+x] = vt.Cell{Rune: r, FG: vt.ColorIndexed | 2}
			x++
		}
	}
	s.Cursor = vt.Cursor{X: 2, Y: min(h-1, max(0, len(lines)-1)), Visible: true}
	return s
}

var claudeLines = []string{
	"● Bash(go test -race -run Claim ./agent -count 50)", "  └  ok  reprise/agent  4.112s", "",
	"● Reproduced. The second caller asks before the first", "  one's UPDATE has returned, so it sees a candidate.", "", "  └  Running…",
}
var shellLines = []string{"~/w/reprise main $ git status -sb", "## main...origin/main [ahead 2]", " M agent/coordinator.go", "", "~/w/reprise main $ "}

// place lays n panes out: alone, side by side, or in a square.
func place(n int, s panes.Size) []frame.Pane {
	w, h := s.Cols, s.Rows-1
	if n == 1 {
		return []frame.Pane{{Grid: panes.Rect{W: w, H: h}}}
	}
	at := func(x, y, w, h int) frame.Pane {
		return frame.Pane{Title: panes.Rect{X: x, Y: y, W: w, H: 1}, Grid: panes.Rect{X: x, Y: y + 1, W: w, H: h - 1}}
	}
	lw, th := (w-1)*11/20, h*11/20
	if n == 2 {
		return []frame.Pane{at(0, 0, lw, h), at(lw+1, 0, w-lw-1, h)}
	}
	return []frame.Pane{
		at(0, 0, lw, th), at(lw+1, 0, w-lw-1, th),
		at(0, th, lw, h-th), at(lw+1, th, w-lw-1, h-th),
	}
}

func hints(kv ...string) (h frame.Hints) {
	for i := 0; i+1 < len(kv); i += 2 {
		h[i/2] = frame.Hint{Key: kv[i], Verb: kv[i+1]}
	}
	return h
}

var failedKeys = hints("r", "retry", "d", "dismiss", "s", "shell here")

// base has n panes with programs, the first one focused.
func base(n int, s panes.Size) *frame.Scene {
	sc := &frame.Scene{Size: s, Panes: place(n, s), Bar: frame.Bar{Session: "reprise", Clock: "14:32", Branch: "main"}, Palette: theme.Resolve(theme.Ink(), theme.TrueColor)}
	who := []frame.Pane{
		{Name: "claude", Task: "Fix flaky resume test", Dir: "~/w/reprise", Focus: true},
		{Name: "codex", Task: "Sweep at start", Dir: "~/w/reprise/db"},
		{Name: "zsh", Task: "go test", Dir: "~/w/reprise"},
		{Name: "gemini", Task: "Migration notes", Dir: "~/w/docs"},
	}
	for i := range sc.Panes {
		p := &sc.Panes[i]
		who[i].Title, who[i].Grid = p.Title, p.Grid
		*p = who[i]
		lines := claudeLines
		if i > 0 {
			lines = shellLines
		}
		p.Screen = screen(p.Grid.W, max(1, p.Grid.H), lines...)
	}
	return sc
}

// dead lets a pane's program be gone, with a strip.
func dead(p *frame.Pane, st frame.State, word string, strip frame.State, words string, keys frame.Hints) {
	p.Dead, p.State, p.Word = true, st, word
	p.Strip = frame.Strip{State: strip, Words: words, Keys: keys}
}

type golden struct {
	name  string
	panes int
	set   func(*frame.Scene)
}

var goldens = []golden{
	{"first", 1, func(s *frame.Scene) {
		s.Panes[0] = frame.Pane{Grid: s.Panes[0].Grid, Focus: true, Name: "zsh", Dir: "~/w/reprise", Screen: screen(s.Size.Cols, s.Size.Rows-1, "~/w/reprise main $ ")}
		s.Bar.Prefix, s.Bar.Hint = "ctrl+b", hints("%", "split right", "d", "detach")
	}},
	{"two", 2, func(*frame.Scene) {}},
	{"four", 4, func(*frame.Scene) {}},
	{"four-focus-last", 4, func(s *frame.Scene) { s.Panes[0].Focus, s.Panes[3].Focus = false, true }},
	{"zoom", 1, func(s *frame.Scene) { s.Bar.Zoomed, s.Bar.Hidden = true, 3 }},
	{"prefix", 2, func(s *frame.Scene) { s.Bar.Chip = "ctrl+b" }},
	{"numbers", 4, func(s *frame.Scene) {
		for i := range s.Panes {
			s.Panes[i].Number = i + 1
		}
	}},
	{"stack", 4, func(s *frame.Scene) {
		w, open := s.Size.Cols, s.Size.Rows-1-4
		y := 0
		for i := range s.Panes {
			p, h := &s.Panes[i], 0
			if p.Focus = i == 1; p.Focus {
				h = open
			}
			p.Title, p.Grid = panes.Rect{Y: y, W: w, H: 1}, panes.Rect{Y: y + 1, W: w, H: h}
			p.Screen = screen(w, max(1, open), claudeLines...)
			y += 1 + h
		}
		s.Panes[3].State = frame.Permission
	}},
	{"scratch", 4, func(s *frame.Scene) { floating(s, 4) }},
	{"scratch-alone", 1, func(s *frame.Scene) {
		dead(&s.Panes[0], frame.Failed, "", frame.Failed, "claude ended with exit 1", failedKeys)
		floating(s, 1)
	}},
	{"scratch-confirm", 4, func(s *frame.Scene) {
		floating(s, 4)
		s.Sheet = frame.Sheet{Title: "Close this pane?", Text: "make is running in ~/w. Closing ends it.", Keys: hints("y", "close", "n", "keep")}
	}},
	{"broadcast", 4, func(s *frame.Scene) {
		for i := range s.Panes[:3] {
			s.Panes[i].Typed = true
		}
		s.Bar.Typed, s.Bar.Prefix, s.Bar.Hint = 3, "ctrl+b", hints("E", "stops it")
	}},
	{"broadcast-prefix", 2, func(s *frame.Scene) {
		s.Panes[1].Typed, s.Panes[1].State = true, frame.Permission
		s.Bar.Typed, s.Bar.Chip = 2, "ctrl+b"
	}},
	{"paste", 2, func(s *frame.Scene) {
		s.Bar.Chip = "confirm"
		s.Sheet = frame.Sheet{
			Title: "Paste 3 lines?", Text: "First line: rm -rf build && make", Keys: hints("y", "paste", "n", "drop"),
			Comfort: "zsh takes each line as if it were typed, with enter at its end.",
		}
	}},
	{"message", 2, func(s *frame.Scene) {
		s.Bar.Message, s.Bar.Failure = "No room to split: a pane needs 20x3. Close a pane or make the window larger.", true
	}},
	{"resuming", 4, func(s *frame.Scene) {
		dead(&s.Panes[0], frame.Resuming, "", frame.Resuming, "Resuming claude…", frame.Hints{})
		dead(&s.Panes[1], frame.Queued, "", frame.Queued, "Resuming codex… waiting for 2 others", hints("d", "dismiss"))
		dead(&s.Panes[2], frame.Queued, "", frame.Queued, "claude died; trying again in 5 s", hints("r", "now", "d", "dismiss"))
		dead(&s.Panes[3], frame.Saved, "", frame.Saved, "gemini session from 12 days ago", hints("r", "resume", "d", "dismiss"))
		s.Bar.Resuming = 1
	}},
	{"failed", 4, func(s *frame.Scene) {
		dead(&s.Panes[0], frame.Failed, "", frame.Failed, "Could not resume claude: its folder ~/w/reprise is gone. Bring it back, then retry.", failedKeys)
		dead(&s.Panes[1], frame.Paused, "", frame.Paused, "codex died 4 times while resuming (exit 1: no API key in auth.json)", failedKeys)
		dead(&s.Panes[2], frame.Elsewhere, "", frame.Elsewhere, "This session is open in another pane", hints("enter", "go", "x", "close"))
		dead(&s.Panes[3], frame.Exited, "", frame.Exited, "amp cannot be resumed: it keeps no session id", hints("d", "dismiss", "s", "shell here"))
		s.Bar.Failed = 2
	}},
	{"one-failed", 1, func(s *frame.Scene) {
		dead(&s.Panes[0], frame.Failed, "", frame.Failed, "Could not resume claude: process 4711 on pts/3 has this session open. End it there, then retry.", hints("r", "retry", "d", "dismiss", "s", "shell here", "o", "resume anyway"))
		s.Bar.Failed = 1
	}},
	{"ended", 4, func(s *frame.Scene) {
		dead(&s.Panes[0], frame.Failed, "", frame.Failed, "claude ended with exit 1", hints("r", "run again", "s", "shell here", "x", "close"))
		dead(&s.Panes[1], frame.Exited, "", frame.Exited, "codex ended", hints("enter", "shell", "r", "resume"))
		dead(&s.Panes[2], frame.Exited, "exited 1", frame.Exited, "zsh ended with exit 1, 14:31", hints("enter", "restart", "x", "close"))
		s.Panes[3].Strip = frame.Strip{State: frame.Fresh, Words: "gemini had no saved conversation; started fresh"}
		s.Bar.Failed = 1
	}},
	{"dismissed", 2, func(s *frame.Scene) { dead(&s.Panes[0], frame.Saved, "", 0, "", frame.Hints{}) }},
	{"cropped", 2, func(s *frame.Scene) { // panes of a larger client
		for i := range s.Panes {
			p := &s.Panes[i]
			p.Screen = screen(p.Grid.W+20, max(1, p.Grid.H)+4, claudeLines...)
			p.Screen.Cursor = vt.Cursor{X: p.Grid.W + 7, Y: max(1, p.Grid.H) + 1, Visible: true}
		}
		s.Bar.Clients, s.Bar.Message = 2, "pts/4 attached"
	}},
	{"padded", 2, func(s *frame.Scene) { // panes of a smaller one
		for i := range s.Panes {
			s.Panes[i].Screen = screen(18-i*5, 3+i*5, shellLines...)
		}
		s.Bar.Clients = 2
	}},
	{"read-only", 2, func(s *frame.Scene) { s.Bar.Chip, s.Bar.Clients = "read-only", 3 }},
	{"clients", 2, func(s *frame.Scene) {
		s.Bar.Chip, s.Bar.Clients = "clients", 3
		s.Sheet = frame.Sheet{Title: "Clients", Count: "3", Keys: hints("enter", "detach", "esc", "close"), List: &frame.List{
			Rows: [][]string{{"pts/3", "120x34", "", "this one"}, {"pts/4 from 10.0.0.7", "80x24"}, {"pts/11", "200x50", "read-only"}}, Selected: 1,
		}}
	}},
	{"clients-many", 2, func(s *frame.Scene) {
		l := &frame.List{Selected: 30}
		for i := range 60 {
			l.Rows = append(l.Rows, []string{fmt.Sprintf("pts/%d", i), "80x24"})
		}
		s.Sheet = frame.Sheet{Title: "Clients", Count: "60", Keys: hints("enter", "detach", "esc", "close"), List: l}
	}},
	{"tabs", 2, func(s *frame.Scene) {
		s.Tabs = []frame.Tab{{Name: "heart", Current: true}, {Name: "docs"}, {Name: "infra", Mark: frame.Question}}
	}},
	{"tabs-marks", 4, func(s *frame.Scene) {
		s.Tabs = []frame.Tab{
			{Name: "heart", Mark: frame.Permission},
			{Name: "docs and some more words", Mark: frame.Failed},
			{Name: "infra", Mark: frame.Done, Current: true},
			{Name: "site", Mark: frame.Question},
			{},
		}
		s.Bar.Failed, s.Bar.Resuming = 1, 2
	}},
	{"tabs-alone", 1, func(s *frame.Scene) {
		s.Panes[0].State = frame.Failed
		s.Tabs = []frame.Tab{{Name: "claude", Mark: frame.Failed, Current: true}, {Name: "zsh"}}
		s.Bar.Failed = 1
	}},
	{"tabs-many", 2, func(s *frame.Scene) { manyTabs(s); s.Bar.Failed = 12 }},
	{"tabs-many-message", 2, func(s *frame.Scene) {
		manyTabs(s)
		s.Bar.Message, s.Bar.Failure = "Could not open a tab: a session has at most 64 tabs and 256 panes. Close some.", true
	}},
	{"tabs-list", 2, func(s *frame.Scene) {
		s.Tabs = []frame.Tab{{Name: "heart", Current: true}, {Name: "docs", Mark: frame.Failed}}
		s.Bar.Chip = "tabs"
		s.Sheet = frame.Sheet{Title: "Tabs", Count: "2", Keys: hints("enter", "go", "m", "move pane here", "esc", "close"), List: &frame.List{
			Rows: [][]string{{"1", "heart", "2 panes", ""}, {"2", "docs", "1 pane", "failed"}}, Selected: 1,
		}}
	}},
	{"move", 2, func(s *frame.Scene) {
		s.Bar.Chip = "move"
		s.Sheet = frame.Sheet{Title: "Move the pane to", Count: "4", Keys: hints("enter", "move", "esc", "close"), List: &frame.List{
			Rows: [][]string{{"tab", "2 docs", "1 pane"}, {"tab", "a new one", ""}, {"session", "website", "4 panes"}, {"session", "a new one…", ""}}, Selected: 2,
		}}
	}},
	{"prompt", 2, func(s *frame.Scene) {
		s.Tabs = []frame.Tab{{Name: "heart", Current: true}, {Name: "docs"}}
		s.Bar.Chip = "rename"
		s.Sheet = frame.Sheet{
			Title: "Rename tab 1", Comfort: "Left empty, it is called by what runs in it.", Keys: hints("enter", "rename", "esc", "close"),
			Input: frame.Input{On: true, Text: "heart of it", Cursor: len("heart")},
		}
	}},
	{"prompt-long", 2, func(s *frame.Scene) {
		text := strings.Repeat("words ", 40)
		s.Sheet = frame.Sheet{Title: "Rename tab 1", Count: "1 to 3", Keys: hints("enter", "rename", "esc", "close"), Input: frame.Input{On: true, Text: text, Cursor: len(text) - 3}}
	}},
	{"confirm", 2, func(s *frame.Scene) {
		s.Bar.Chip = "confirm"
		s.Sheet = frame.Sheet{Title: "Close this pane?", Text: "claude is running in ~/w/reprise. Closing ends it; it will not resume by itself.", Comfort: "The conversation stays in claude's own history.", Keys: hints("y", "close", "n", "keep")}
	}},
}

// floating puts a pane over the others of a scene.
func floating(s *frame.Scene, n int) {
	for i := range s.Panes {
		s.Panes[i].Focus = false
	}
	at := panes.Tab{Floating: "f"}.PlaceFloating(panes.Size{Cols: s.Size.Cols, Rows: s.Size.Rows - 1})
	s.Panes = append(s.Panes[:n], frame.Pane{
		Title: at.Title, Grid: at.Grid, Name: "zsh", Dir: "~/w/reprise", Focus: true, Over: true, Screen: screen(at.Grid.W, max(1, at.Grid.H), shellLines...),
	})
}

// manyTabs has as many tabs as there can be, one in the middle shown.
func manyTabs(s *frame.Scene) {
	for i := range panes.MaxTabs {
		s.Tabs = append(s.Tabs, frame.Tab{Name: fmt.Sprintf("work %d", i+1), Current: i == 39})
	}
	s.Tabs[38].Mark, s.Tabs[39].Mark = frame.Done, frame.Failed
}

func TestGoldenScreens(t *testing.T) {
	for _, g := range goldens {
		for _, size := range sizes {
			name := fmt.Sprintf("%s-%dx%d", g.name, size.Cols, size.Rows)
			t.Run(name, func(t *testing.T) {
				var b strings.Builder
				for _, variant := range []string{"none", "ascii", "truecolor"} {
					s := base(g.panes, size)
					g.set(s)
					switch variant {
					case "none":
						s.Palette = theme.Resolve(theme.Ink(), theme.NoColor)
					case "ascii":
						s.ASCII = true
					}
					grid, cur := new(frame.Composer).Frame(s)
					fmt.Fprintf(&b, "== %s, cursor %d,%d %v\n", variant, cur.X, cur.Y, cur.Visible)
					if variant == "truecolor" {
						b.WriteString(looks(grid))
					} else {
						b.WriteString(text(grid))
					}
				}
				compare(t, filepath.Join("testdata", "golden", name+".txt"), b.String())
			})
		}
	}
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, d)
	}
}

// text is a grid's characters, row by row.
func text(g *paint.Grid) string {
	var b strings.Builder
	for y := range g.H {
		var row []byte
		for x := range g.W {
			row = g.AppendText(row, g.Cells[y*g.W+x])
		}
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}

// looks is a map of a grid's looks, a letter for each, and what they mean.
func looks(g *paint.Grid) string {
	letters := map[string]byte{}
	var order []string
	var b strings.Builder
	for y := range g.H {
		for x := range g.W {
			c := g.Cells[y*g.W+x]
			l := fmt.Sprintf("fg %s bg %s attr %d", color(c.FG), color(c.BG), c.Attr)
			if _, ok := letters[l]; !ok {
				letters[l] = ".abcdefghijklmnopqrstuvwxyz"[len(letters)]
				order = append(order, l)
			}
			b.WriteByte(letters[l])
		}
		b.WriteByte('\n')
	}
	for _, l := range order {
		fmt.Fprintf(&b, "%c %s\n", letters[l], l)
	}
	return b.String()
}

func color(c vt.Color) string {
	switch {
	case c&vt.ColorRGB != 0:
		return fmt.Sprintf("#%06x", uint32(c&0xffffff))
	case c&vt.ColorIndexed != 0:
		return fmt.Sprint(uint32(c & 0xff))
	}
	return "-"
}
