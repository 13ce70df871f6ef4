package panes_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
)

var stackArea = panes.Size{Cols: 100, Rows: 20}

// pile is a stack of four panes.
func pile(t *testing.T) panes.Layout {
	t.Helper()
	l, err := splits(t, panes.Size{Cols: 200, Rows: 40}, "a", "a right b", "b right c", "c right d").Preset("a", panes.Stacked, stackArea)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// rows says how many rows each pane's program has.
func rows(t panes.Tab, area panes.Size, front ...panes.PaneID) string {
	var b strings.Builder
	for _, p := range t.Arrange(area, front...) {
		b.WriteString(string(p.Pane))
		b.WriteByte('0' + byte(min(p.Grid.H, 40)))
	}
	return b.String()
}

func TestOneOfAStackIsOpen(t *testing.T) {
	for _, tt := range []struct {
		area  panes.Size
		front []panes.PaneID
		want  string
	}{
		{stackArea, nil, "a@b0c0d0"}, // '@' is sixteen
		{stackArea, []panes.PaneID{"c"}, "a0b0c@d0"},
		{stackArea, []panes.PaneID{"x", "d", "c"}, "a0b0c0d@"},
		{panes.Size{Cols: 20, Rows: 7}, []panes.PaneID{"b"}, "a0b3c0d0"}, // the smallest
		{panes.Size{Cols: 20, Rows: 2}, []panes.PaneID{"b"}, "a0b0c0d0"},
		{panes.Size{}, []panes.PaneID{"b"}, "a0b0c0d0"},
	} {
		tab := only(pile(t))
		if got := rows(tab, tt.area, tt.front...); got != tt.want {
			t.Errorf("%v of %v: %s, want %s", tt.front, tt.area, got, tt.want)
		}
		if fits := tab.Fits(tt.area); fits != (tt.area.Rows >= 7) {
			t.Errorf("fits into %v: %v", tt.area, fits)
		}
	}
}

func TestStacksAreChanged(t *testing.T) {
	type result struct {
		panes.Layout
		error
	}
	does := func(l panes.Layout, err error) result { return result{l, err} }
	for _, tt := range []struct {
		name string
		do   func(l panes.Layout) result
		want string // the picture with c in front
	}{
		{"split down", func(l panes.Layout) result { return does(l.Split("b", "e", panes.Down, stackArea)) }, "=100\nc100\n=100"},
		{
			"split right", func(l panes.Layout) result { return does(l.Split("b", "e", panes.Right, stackArea)) },
			"=50 |1 =49\n=50 |1 e49\nc50 |1 e49\n=50 |1 e49",
		},
		{"grow", func(l panes.Layout) result { return does(l.Grow("b", panes.Down, 3, stackArea), nil) }, "=100\nc100\n=100"},
		{"close", func(l panes.Layout) result { return does(l.Close("b"), nil) }, "=100\nc100\n=100"},
		{"close all but one", func(l panes.Layout) result { return does(l.Close("a").Close("b").Close("d"), nil) }, "c100"},
		{"break out", func(l panes.Layout) result {
			l, err := l.Break("b", "t2")
			return does(panes.Layout{Tabs: l.Tabs[:1]}, err)
		}, "=100\nc100\n=100"},
		{"swap", func(l panes.Layout) result { return does(l.Swap("a", "c")) }, "=100\nc100\n=100"},
		{"spread", func(l panes.Layout) result { return does(l.Preset("a", panes.EvenDown, stackArea)) }, "=100\na100\n=100\nb100\n=100\nc100\n=100\nd100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			was := pile(t)
			got := tt.do(was)
			if got.error != nil {
				t.Fatal(got.error)
			}
			if pic := short(picture(t, only(got.Layout), stackArea, "c")); pic != tt.want {
				t.Errorf("got\n%s\nwant\n%s", pic, tt.want)
			}
			if d := cmp.Diff(pile(t), was); d != "" {
				t.Errorf("what was there is changed:\n%s", d)
			}
		})
	}
}

// A stack in a column is no part of the split that it stands in, whatever goes.
func TestAStackBesideOthers(t *testing.T) {
	area := panes.Size{Cols: 100, Rows: 40}
	l, err := pile(t).Split("b", "e", panes.Right, area)
	if err == nil {
		l, err = l.Split("e", "f", panes.Down, area)
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err = l.MovePane("e", "c", panes.Down, area)
	if err != nil {
		t.Fatal(err)
	}
	if got := only(l).Stack("e"); !slices.Equal(got, []panes.PaneID{"a", "b", "c", "e", "d"}) {
		t.Errorf("the stack has %v", got)
	}
	if got := only(l).Stack("f"); got != nil {
		t.Errorf("a pane beside it has the stack %v", got)
	}
	if !only(l).Stacked() || only(l.Close("a").Close("b").Close("c").Close("d")).Stacked() {
		t.Error("the tab does not know whether it has a stack")
	}
	// From beside the open pane is met, not a title row.
	tab := only(l)
	if got := tab.Neighbour("f", panes.Left, area, "d"); got != "d" {
		t.Errorf("at the left is %q", got)
	}
	if got := tab.Neighbour("c", panes.Right, area); got != "f" {
		t.Errorf("at the right is %q", got)
	}
	for _, step := range []struct {
		p, want panes.PaneID
		dir     panes.Direction
	}{{"c", "e", panes.Down}, {"e", "c", panes.Up}, {"a", "d", panes.Up}, {"d", "a", panes.Down}} {
		if got := tab.Neighbour(step.p, step.dir, area); got != step.want {
			t.Errorf("%v of %s is %q, want %s", step.dir, step.p, got, step.want)
		}
	}
}

// Whatever is done to a layout with stacks and a floating pane: panes tile the area, keep their ids, and
// it can be saved.
func TestStacksStaySound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	stacks, floats := 0, 0
	for range 120 {
		area := panes.Size{Cols: 60 + r.IntN(200), Rows: 20 + r.IntN(80)}
		l := grown(r, area)
		if next, err := l.Preset("a", panes.Stacked, area); err == nil {
			l = next
		}
		for i := range 12 {
			all := l.Panes()
			p, q := all[r.IntN(len(all))], all[r.IntN(len(all))]
			made := panes.PaneID(string(rune('A' + i)))
			var err error
			was, dir := l, panes.Direction(r.IntN(4))
			switch r.IntN(7) {
			case 0:
				l = l.Grow(p, dir, r.IntN(9)-4, area)
			case 1:
				l, err = l.MovePane(p, q, dir, area)
			case 2:
				if len(all) > 2 {
					l = l.Close(p)
				}
			case 3:
				l, err = l.Swap(p, q)
			case 4:
				if l, err = l.Float("a", made); err == nil {
					l, err = l.WithMeta(made, panes.PaneMeta{Dir: "/" + string(made)})
				}
			default:
				if l, err = l.Split(p, made, dir, area); err == nil {
					l, err = l.WithMeta(made, panes.PaneMeta{Dir: "/" + string(made)})
				}
			}
			if err != nil {
				l = was
				continue
			}
			sound(t, l, l.Panes(), area)
			for _, front := range l.Panes() {
				picture(t, only(l), area, front)
				for _, at := range only(l).Arrange(area, front) {
					if at.Pane == front && (at.Grid.H < panes.MinRows || at.Grid.W < panes.MinCols) && len(l.Panes()) > 1 {
						t.Fatalf("%s is asked for and has %v", front, at.Grid) // a floating one is not among them
					}
				}
			}
			if only(l).Stacked() {
				stacks++
			}
			if only(l).Floating != "" {
				floats++
			}
		}
	}
	if stacks < 200 || floats < 200 {
		t.Errorf("only %d layouts had a stack, %d a floating pane: the test does not test much", stacks, floats)
	}
}
