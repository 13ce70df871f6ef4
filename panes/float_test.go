package panes_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
)

func TestFloatingPanes(t *testing.T) {
	l, err := threeTabs(t).Float("t2", "f")
	if err != nil {
		t.Fatal(err)
	}
	const was = "a[a b] t2[c f] t3[d]"
	for _, tt := range []struct {
		name string
		do   func() (panes.Layout, error)
		want string
		err  error
	}{
		{"nothing", func() (panes.Layout, error) { return l, nil }, was, nil},
		{"a second one", func() (panes.Layout, error) { return l.Float("t2", "g") }, was, panes.ErrNoPane},
		{"one that is there", func() (panes.Layout, error) { return l.Float("a", "d") }, was, panes.ErrNoPane},
		{"over no tab", func() (panes.Layout, error) { return l.Float("x", "g") }, was, panes.ErrNoTab},
		{"without a name", func() (panes.Layout, error) { return l.Float("a", "") }, was, panes.ErrNoPane},
		{"split it", func() (panes.Layout, error) { return l.Split("f", "g", panes.Right, hostArea) }, was, panes.ErrFloats},
		{"move to it", func() (panes.Layout, error) { return l.MovePane("a", "f", panes.Right, hostArea) }, was, panes.ErrFloats},
		{"split to its name", func() (panes.Layout, error) { return l.Split("c", "f", panes.Right, hostArea) }, was, panes.ErrNoPane},
		{"grow it", func() (panes.Layout, error) { return l.Grow("f", panes.Up, 3, hostArea), nil }, was, nil},
		{"close it", func() (panes.Layout, error) { return l.Close("f"), nil }, "a[a b] t2[c] t3[d]", nil},
		{"close what it is over", func() (panes.Layout, error) { return l.Close("c"), nil }, "a[a b] t2[f] t3[d]", nil},
		{"move it into its tab", func() (panes.Layout, error) { return l.MovePane("f", "c", panes.Left, hostArea) }, "a[a b] t2[f c] t3[d]", nil},
		{"move it elsewhere", func() (panes.Layout, error) { return l.MovePane("f", "d", panes.Right, hostArea) }, "a[a b] t2[c] t3[d f]", nil},
		{"move away what it is over", func() (panes.Layout, error) { return l.MovePane("c", "d", panes.Right, hostArea) }, "a[a b] t2[f] t3[d c]", nil},
		{"break it out", func() (panes.Layout, error) { return l.Break("f", "t4") }, "a[a b] t2[c] t4[f] t3[d]", nil},
		{"break out what it is over", func() (panes.Layout, error) { return l.Break("c", "t4") }, "a[a b] t2[f] t4[c] t3[d]", nil},
		{"swap it", func() (panes.Layout, error) { return l.Swap("a", "f") }, "a[f b] t2[c a] t3[d]", nil},
		{"spread", func() (panes.Layout, error) { return l.Preset("t2", panes.EvenDown, hostArea) }, was, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := l.Clone()
			got, err := tt.do()
			if !errors.Is(err, tt.err) || tabs(got) != tt.want {
				t.Errorf("%s, %v; want %s, %v", tabs(got), err, tt.want, tt.err)
			}
			if d := cmp.Diff(before, l); d != "" {
				t.Errorf("what was there is changed:\n%s", d)
			}
			b, err := panes.EncodeLayout(got)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := panes.DecodeLayout(b); err != nil || !cmp.Equal(got, back) {
				t.Errorf("it is not saved as it is: %v", err)
			}
		})
	}
}

func TestAFloatingPaneStandsInItsArea(t *testing.T) {
	tab := panes.Tab{Floating: "f"}
	for rows := range 60 {
		area := panes.Size{Cols: 80, Rows: rows}
		at := tab.PlaceFloating(area)
		if end := at.Grid.Y + at.Grid.H; end != rows || at.Title.Y < 0 || at.Title.Y+at.Title.H != at.Grid.Y || at.Grid.H < 0 || at.Grid.W != 80 {
			t.Errorf("in %d rows it stands at %+v", rows, at)
		}
		if rows > panes.MinRows && at.Grid.H < panes.MinRows {
			t.Errorf("in %d rows it has %d", rows, at.Grid.H)
		}
	}
	if at := (panes.Tab{}).PlaceFloating(panes.Size{Cols: 80, Rows: 24}); at != (panes.Placed{}) {
		t.Errorf("none stands at %+v", at)
	}
}
