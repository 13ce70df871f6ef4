package panes_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
)

// splits makes a layout from steps "pane dir new"; the first makes the root.
func splits(t *testing.T, area panes.Size, steps ...string) panes.Layout {
	t.Helper()
	var l panes.Layout
	for _, step := range steps {
		var p, dir, made string
		if f := strings.Fields(step); len(f) == 3 {
			p, dir, made = f[0], f[1], f[2]
		} else {
			made = f[0]
		}
		var err error
		if l, err = l.Split(panes.PaneID(p), panes.PaneID(made), directions[dir], area); err != nil {
			t.Fatalf("%s: %v", step, err)
		}
	}
	return l
}

var directions = map[string]panes.Direction{"": panes.Right, "right": panes.Right, "down": panes.Down, "left": panes.Left, "up": panes.Up}

// only is a layout's only tab.
func only(l panes.Layout) panes.Tab {
	if len(l.Tabs) != 1 {
		return panes.Tab{}
	}
	return l.Tabs[0]
}

// picture draws a tab: = titles, letters grids, | shared columns.
func picture(t *testing.T, l panes.Tab, area panes.Size, front ...panes.PaneID) string {
	t.Helper()
	rows := make([][]byte, area.Rows)
	for y := range rows {
		rows[y] = []byte(strings.Repeat("|", area.Cols))
	}
	fill := func(r panes.Rect, c byte) {
		if r.W < 0 || r.H < 0 || r.X < 0 || r.Y < 0 || r.X+r.W > area.Cols || r.Y+r.H > area.Rows {
			t.Fatalf("%+v is not inside %+v", r, area)
		}
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if rows[y][x] != '|' {
					t.Fatalf("%c and %c overlap at %d,%d", rows[y][x], c, x, y)
				}
				rows[y][x] = c
			}
		}
	}
	for _, p := range l.Arrange(area, front...) {
		fill(p.Title, '=')
		fill(p.Grid, p.Pane[0])
	}
	lines := make([]string, len(rows))
	for y, row := range rows {
		lines[y] = string(row)
	}
	return strings.Join(lines, "\n") + "\n"
}

// short prints a picture with runs of one letter as a letter and a count.
func short(pic string) string {
	var out []string
	for line := range strings.Lines(pic) {
		line = strings.TrimSuffix(line, "\n")
		var b strings.Builder
		for len(line) > 0 {
			n := len(line) - len(strings.TrimLeft(line, line[:1]))
			fmt.Fprintf(&b, "%c%d ", line[0], n)
			line = line[n:]
		}
		out = append(out, strings.TrimSpace(b.String()))
	}
	return strings.Join(slices.Compact(out), "\n")
}

func TestArrange(t *testing.T) {
	area := panes.Size{Cols: 83, Rows: 24}
	tests := []struct {
		name  string
		steps []string
		want  string
	}{
		{"alone", []string{"a"}, "a83"},
		{"beside", []string{"a", "a right b"}, "=41 |1 =41\na41 |1 b41"},
		{"below", []string{"a", "a down b"}, "=83\na83\n=83\nb83"},
		{"before", []string{"a", "a left b"}, "=41 |1 =41\nb41 |1 a41"},
		{"three beside", []string{"a", "a right b", "a right c"}, "=20 |1 =20 |1 =41\na20 |1 c20 |1 b41"},
		{"crossed", []string{"a", "a right b", "b down c"}, "=41 |1 =41\na41 |1 b41\na41 |1 =41\na41 |1 c41"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := short(picture(t, only(splits(t, area, tt.steps...)), area)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	if got := (panes.Tab{}).Arrange(area); len(got) != 0 {
		t.Errorf("an empty tab has %v", got)
	}
}

func TestSplitRefuses(t *testing.T) {
	area := panes.Size{Cols: 41, Rows: 8}
	one := splits(t, area, "a")
	two := splits(t, area, "a", "a right b")
	tests := []struct {
		name    string
		l       panes.Layout
		p, made panes.PaneID
		dir     panes.Direction
		area    panes.Size
		want    error
	}{
		{"fits", one, "a", "b", panes.Right, area, nil},
		{"fits below", one, "a", "b", panes.Down, area, nil},
		{"too narrow", one, "a", "b", panes.Right, panes.Size{Cols: 40, Rows: 8}, panes.ErrNoRoom},
		{"too low", one, "a", "b", panes.Down, panes.Size{Cols: 41, Rows: 7}, panes.ErrNoRoom},
		{"the others do not fit", two, "a", "c", panes.Down, panes.Size{Cols: 40, Rows: 80}, panes.ErrNoRoom},
		{"no area", one, "a", "b", panes.Down, panes.Size{}, panes.ErrNoRoom},
		{"negative area", one, "a", "b", panes.Down, panes.Size{Cols: -5, Rows: -5}, panes.ErrNoRoom},
		{"unknown pane", one, "x", "b", panes.Down, area, panes.ErrNoPane},
		{"first of some", one, "", "b", panes.Down, area, panes.ErrNoPane},
		{"none to split", panes.Layout{}, "a", "b", panes.Down, area, panes.ErrNoPane},
		{"the same twice", two, "a", "b", panes.Down, area, panes.ErrNoPane},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := tt.l.Clone()
			_, err := tt.l.Split(tt.p, tt.made, tt.dir, tt.area)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if diff := cmp.Diff(before, tt.l); diff != "" {
				t.Errorf("the receiver changed: %s", diff)
			}
		})
	}
}

func TestNeighbour(t *testing.T) {
	area := panes.Size{Cols: 123, Rows: 24}
	// a a a | b
	// d | e | c
	l := only(splits(t, area, "a", "a right b", "b down c", "a down d", "d right e"))
	tests := []struct {
		p    panes.PaneID
		dir  panes.Direction
		want panes.PaneID
	}{
		{"a", panes.Right, "b"},
		{"a", panes.Down, "d"}, // its middle is the column between d and e: the first of two as near
		{"a", panes.Up, "d"},
		{"a", panes.Left, "b"},
		{"b", panes.Left, "a"},
		{"b", panes.Up, "c"},
		{"c", panes.Left, "e"},
		{"c", panes.Right, "d"},
		{"e", panes.Left, "d"},
		{"e", panes.Right, "c"},
		{"e", panes.Up, "a"},
		{"d", panes.Left, "c"},
		{"d", panes.Down, "a"},
		{"x", panes.Down, ""},
	}
	for _, size := range []panes.Size{area, {Cols: 3, Rows: 2}} {
		for _, tt := range tests {
			if got := l.Neighbour(tt.p, tt.dir, size); got != tt.want {
				t.Errorf("%v: %s of %s is %q, want %q", size, tt.dir, tt.p, got, tt.want)
			}
		}
	}
	alone := only(splits(t, area, "a"))
	if got := alone.Neighbour("a", panes.Right, area); got != "" {
		t.Errorf("a pane alone has the neighbour %q", got)
	}
}

func widths(l panes.Layout, area panes.Size) string {
	var b strings.Builder
	for _, p := range only(l).Arrange(area) {
		fmt.Fprintf(&b, "%s %dx%d ", p.Pane, p.Grid.W, p.Grid.H)
	}
	return strings.TrimSpace(b.String())
}

func TestGrow(t *testing.T) {
	area := panes.Size{Cols: 122, Rows: 20}
	l := splits(t, area, "a", "a right b", "b right c") // 61, 30, 29
	rows := splits(t, area, "a", "a down b")
	tests := []struct {
		l    panes.Layout
		p    panes.PaneID
		dir  panes.Direction
		n    int
		want string
	}{
		{l, "a", panes.Right, 0, "a 61x19 b 30x19 c 29x19"},
		{l, "a", panes.Right, 3, "a 64x19 b 27x19 c 29x19"},
		{l, "a", panes.Right, -3, "a 58x19 b 33x19 c 29x19"},
		{l, "a", panes.Right, 15, "a 76x19 b 20x19 c 24x19"}, // b at its smallest: c gives
		{l, "a", panes.Right, 1000, "a 80x19 b 20x19 c 20x19"},
		{l, "a", panes.Right, -1000, "a 20x19 b 71x19 c 29x19"},
		{l, "a", panes.Left, 2, "a 59x19 b 32x19 c 29x19"}, // none at its left: the right one moves left
		{l, "b", panes.Left, 2, "a 59x19 b 32x19 c 29x19"},
		{l, "b", panes.Left, -2, "a 63x19 b 28x19 c 29x19"},
		{l, "c", panes.Right, 2, "a 61x19 b 32x19 c 27x19"},
		{l, "c", panes.Left, 12, "a 59x19 b 20x19 c 41x19"},
		{l, "a", panes.Down, 5, "a 61x19 b 30x19 c 29x19"},
		{l, "x", panes.Down, 5, "a 61x19 b 30x19 c 29x19"},
		{rows, "a", panes.Down, 2, "a 122x11 b 122x7"},
		{rows, "b", panes.Up, 20, "a 122x3 b 122x15"},
	}
	for _, tt := range tests {
		got := widths(tt.l.Grow(tt.p, tt.dir, tt.n, area), area)
		if got != tt.want {
			t.Errorf("grow %s %s by %d: %s, want %s", tt.p, tt.dir, tt.n, got, tt.want)
		}
	}
	if got := l.Grow("a", panes.Right, 3, panes.Size{Cols: 30, Rows: 3}); !cmp.Equal(got, l) {
		t.Error("it changed in an area that is too small")
	}
}

func TestCloseGivesRoomToTheOneBefore(t *testing.T) {
	area := panes.Size{Cols: 122, Rows: 20}
	l := splits(t, area, "a", "a right b", "b right c")
	for p, want := range map[panes.PaneID]string{
		"a": "b 92x19 c 29x19",
		"b": "a 92x19 c 29x19",
		"c": "a 61x19 b 60x19",
		"x": "a 61x19 b 30x19 c 29x19",
	} {
		if got := widths(l.Close(p), area); got != want {
			t.Errorf("close %s: %s, want %s", p, got, want)
		}
	}
	if got := l.Close("a").Close("b").Close("c"); got.Tabs != nil {
		t.Errorf("all closed: %+v", got)
	}
	// A split that is left alone in one of the same direction becomes part of it.
	area = panes.Size{Cols: 300, Rows: 60}
	l = splits(t, area, "a", "a right b", "b down c", "b right d")
	if got, want := widths(l, area), "a 150x59 b 74x29 d 74x29 c 149x29"; got != want {
		t.Fatalf("before: %s, want %s", got, want)
	}
	l = l.Close("c")
	if got, want := len(only(l).Root.Children), 3; got != want {
		t.Errorf("%d children, want %d", got, want)
	}
	if got, want := widths(l, area), "a 150x59 b 74x59 d 74x59"; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
}

// Weights stay within what may be saved, however large those were that were read.
func TestWeightsStayBounded(t *testing.T) {
	leaf := func(p panes.PaneID) *panes.Node { return &panes.Node{Pane: p, Weight: 1 << 16} }
	l := panes.Layout{Tabs: []panes.Tab{{ID: "t", Root: &panes.Node{Weight: 1, Children: []*panes.Node{
		leaf("a"),
		{Weight: 1 << 16, Down: true, Children: []*panes.Node{
			leaf("b"),
			{Weight: 1 << 16, Children: []*panes.Node{leaf("c"), leaf("d")}},
		}},
	}}}}}
	l = l.Close("b")
	if len(only(l).Root.Children) != 3 {
		t.Fatalf("not flattened: %+v", only(l).Root)
	}
	checkLayout(t, l, hostArea)
	if got, want := widths(l, panes.Size{Cols: 202, Rows: 10}), "a 100x9 c 50x9 d 50x9"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Whatever is done to a layout, its tabs cover their area without overlap, keep the
// smallest sizes, have the panes that they should, survive their form on disk, and
// what was split and closed again is as it was.
func TestLayoutProperties(t *testing.T) {
	for seed := range uint64(150) {
		walk := &walk{T: t, rnd: rand.New(rand.NewPCG(seed, 1))}
		walk.area = panes.Size{Cols: 20 + walk.rnd.IntN(250), Rows: 3 + walk.rnd.IntN(80)}
		walk.l = splits(t, walk.area, "p0")
		walk.panes = []panes.PaneID{"p0"}
		for step := range 40 {
			walk.step(step)
			checkLayout(t, walk.l, walk.area)
			if got := slices.Sorted(slices.Values(walk.l.Panes())); !slices.Equal(got, slices.Sorted(slices.Values(walk.panes))) {
				t.Errorf("it has the panes %v, want %v", got, walk.panes)
			}
			if t.Failed() {
				t.Fatalf("seed %d, step %d, area %v", seed, step, walk.area)
			}
		}
	}
}

// walk is a random walk through what can be done to a layout.
type walk struct {
	*testing.T
	rnd   *rand.Rand
	area  panes.Size
	l     panes.Layout
	panes []panes.PaneID // that it must have
}

func (w *walk) one() panes.PaneID { return w.panes[w.rnd.IntN(len(w.panes))] }

func (w *walk) tab() panes.TabID { return w.l.Tabs[w.rnd.IntN(len(w.l.Tabs))].ID }

// take takes on what a change made, unless it was refused for want of room.
func (w *walk) take(next panes.Layout, err error) bool {
	w.Helper()
	switch {
	case err == nil:
		w.l = next
	case !errors.Is(err, panes.ErrNoRoom):
		w.Error(err)
	case !cmp.Equal(next, w.l):
		w.Errorf("refused, and changed: %s", cmp.Diff(w.l, next))
	}
	return err == nil
}

func (w *walk) step(n int) {
	p, q, dir := w.one(), w.one(), panes.Direction(w.rnd.IntN(4))
	made, tab := panes.PaneID(fmt.Sprintf("p%d", n+1)), panes.TabID(fmt.Sprintf("t%d", n+1))
	switch w.rnd.IntN(11) {
	case 0, 1, 2:
		before := w.l
		if !w.take(w.l.Split(p, made, dir, w.area)) {
			return
		}
		w.panes = append(w.panes, made)
		if dir == panes.Right || dir == panes.Down {
			checkRestored(w.T, before, w.l.Close(made), w.area)
		}
	case 3:
		if len(w.panes) > 1 {
			w.l = w.l.Close(p)
			w.panes = slices.DeleteFunc(w.panes, func(o panes.PaneID) bool { return o == p })
		}
	case 4:
		w.l = w.l.Grow(p, dir, w.rnd.IntN(21)-10, w.area)
	case 5:
		w.area = panes.Size{Cols: w.rnd.IntN(300), Rows: w.rnd.IntN(90)}
	case 6:
		before := w.l
		w.take(w.l.NewTab(tab, made, w.tab()))
		w.panes = append(w.panes, made)
		if diff := cmp.Diff(before, w.l.Close(made)); diff != "" {
			w.Errorf("a new tab that is closed again: %s", diff)
		}
	case 7:
		w.take(w.l.RenameTab(w.tab(), fmt.Sprintf("name %d", n)))
	case 8:
		w.l = w.l.MoveTab(w.tab(), w.rnd.IntN(9)-2)
	case 9:
		if p != q {
			w.take(w.l.MovePane(p, q, dir, w.area))
		}
	case 10:
		w.take(w.l.Break(p, tab))
		if t, _ := w.l.TabOf(p); !slices.Equal(t.Panes(), []panes.PaneID{p}) {
			w.Errorf("%s was broken out into the tab %v", p, t.Panes())
		}
	}
}

func checkRestored(t *testing.T, before, after panes.Layout, area panes.Size) {
	t.Helper()
	for i, tab := range before.Tabs {
		if a, b := tab.Arrange(area), after.Tabs[i].Arrange(area); tab.Fits(area) && !cmp.Equal(a, b) {
			t.Errorf("split and close: %s", cmp.Diff(a, b))
		}
	}
}

func checkLayout(t *testing.T, l panes.Layout, area panes.Size) {
	t.Helper()
	for _, tab := range l.Tabs {
		checkTab(t, tab, area)
		if got, ok := l.Tab(tab.ID); !ok || !cmp.Equal(got, tab) {
			t.Errorf("by the id of tab %s one finds %+v", tab.ID, got)
		}
		for _, p := range tab.Panes() {
			if got, ok := l.TabOf(p); !ok || got.ID != tab.ID {
				t.Errorf("pane %s of tab %s is said to be in %q", p, tab.ID, got.ID)
			}
		}
	}
	b, err := panes.EncodeLayout(l)
	if err != nil {
		t.Fatal(err)
	}
	back, err := panes.DecodeLayout(b)
	if err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	if diff := cmp.Diff(l, back); diff != "" {
		t.Errorf("on disk and back: %s", diff)
	}
}

func checkTab(t *testing.T, l panes.Tab, area panes.Size) {
	t.Helper()
	pic := picture(t, l, area) // inside, no overlap
	placed := l.Arrange(area)
	if len(placed) == 0 || len(placed) != len(l.Panes()) {
		t.Errorf("%d panes are placed of %d", len(placed), len(l.Panes()))
	}
	if !l.Fits(area) {
		return
	}
	for _, p := range placed {
		if p.Grid.W < panes.MinCols || p.Grid.H < panes.MinRows {
			t.Errorf("%s is %v", p.Pane, p.Grid)
		}
		if want := min(len(placed)-1, 1); p.Title.H != want || p.Title.W != p.Grid.W || p.Title.X != p.Grid.X || p.Title.Y+p.Title.H != p.Grid.Y {
			t.Errorf("%s has the title %+v over %+v", p.Pane, p.Title, p.Grid)
		}
	}
	// What no pane covers is a column between two.
	for line := range strings.Lines(pic) {
		line = strings.TrimSuffix(line, "\n")
		if strings.Contains(line, "||") || strings.HasPrefix(line, "|") || strings.HasSuffix(line, "|") {
			t.Errorf("cells are left over: %s", line)
		}
	}
	for _, p := range placed {
		for _, d := range directions {
			if n := l.Neighbour(p.Pane, d, area); n == "" && hasOther(placed, p, d) || n == p.Pane {
				t.Errorf("%s of %s is %q", d, p.Pane, n)
			}
		}
	}
}

// hasOther reports whether p does not reach over the whole area along a direction.
func hasOther(placed []panes.Placed, p panes.Placed, d panes.Direction) bool {
	for _, o := range placed {
		if d == panes.Left || d == panes.Right {
			if o.Grid.X+o.Grid.W < p.Grid.X || o.Grid.X > p.Grid.X+p.Grid.W {
				return true
			}
		} else if o.Grid.Y+o.Grid.H < p.Grid.Y || o.Grid.Y > p.Grid.Y+p.Grid.H {
			return true
		}
	}
	return false
}

// Sizes follow the area and come back with it.
func TestResizeIsProportional(t *testing.T) {
	area := panes.Size{Cols: 202, Rows: 50}
	l := splits(t, area, "a", "a right b", "b right c")
	if got, want := widths(l, area), "a 101x49 b 50x49 c 49x49"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if got, want := widths(l, panes.Size{Cols: 402, Rows: 50}), "a 202x49 b 100x49 c 98x49"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := widths(l, panes.Size{Cols: 82, Rows: 50}), "a 40x49 b 20x49 c 20x49"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
