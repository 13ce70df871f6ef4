package panes_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
)

// threeTabs has the tabs a (panes a, b), t2 (c) and t3 (d).
func threeTabs(t *testing.T) panes.Layout {
	t.Helper()
	l := splits(t, hostArea, "a", "a right b")
	for _, add := range []struct {
		tab  panes.TabID
		made panes.PaneID
	}{{"t2", "c"}, {"t3", "d"}} {
		var err error
		if l, err = l.NewTab(add.tab, add.made, ""); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// tabs says which panes stand in which tab.
func tabs(l panes.Layout) string {
	var all []string
	for _, t := range l.Tabs {
		name := string(t.ID)
		if t.Name != "" {
			name += " " + t.Name
		}
		all = append(all, fmt.Sprintf("%s%v", name, t.Panes()))
	}
	return strings.Join(all, " ")
}

func TestTabs(t *testing.T) {
	const was = "a[a b] t2[c] t3[d]"
	type result struct {
		panes.Layout
		error
	}
	does := func(l panes.Layout, err error) result { return result{l, err} }
	tests := []struct {
		name string
		do   func(l panes.Layout) result
		want string
		err  error
	}{
		{"new at the end", func(l panes.Layout) result { return does(l.NewTab("t4", "e", "")) }, was + " t4[e]", nil},
		{"new behind the first", func(l panes.Layout) result { return does(l.NewTab("t4", "e", "a")) }, "a[a b] t4[e] t2[c] t3[d]", nil},
		{"new behind none", func(l panes.Layout) result { return does(l.NewTab("t4", "e", "x")) }, was, panes.ErrNoTab},
		{"new that is there", func(l panes.Layout) result { return does(l.NewTab("t2", "e", "")) }, was, panes.ErrNoTab},
		{"new without an id", func(l panes.Layout) result { return does(l.NewTab("", "e", "")) }, was, panes.ErrNoTab},
		{"new with an old pane", func(l panes.Layout) result { return does(l.NewTab("t4", "a", "")) }, was, panes.ErrNoPane},
		{"new without a pane", func(l panes.Layout) result { return does(l.NewTab("t4", "", "")) }, was, panes.ErrNoPane},
		{"rename", func(l panes.Layout) result { return does(l.RenameTab("t2", "docs 日本")) }, "a[a b] t2 docs 日本[c] t3[d]", nil},
		{"rename none", func(l panes.Layout) result { return does(l.RenameTab("x", "docs")) }, was, panes.ErrNoTab},
		{"rename with a control", func(l panes.Layout) result { return does(l.RenameTab("t2", "a\x1bb")) }, was, panes.ErrTabName},
		{"rename with half a letter", func(l panes.Layout) result { return does(l.RenameTab("t2", "a\xff")) }, was, panes.ErrTabName},
		{"rename too long", func(l panes.Layout) result { return does(l.RenameTab("t2", strings.Repeat("x", 65))) }, was, panes.ErrTabName},
		{"move to the front", func(l panes.Layout) result { return does(l.MoveTab("t3", 0), nil) }, "t3[d] a[a b] t2[c]", nil},
		{"move by one", func(l panes.Layout) result { return does(l.MoveTab("a", 1), nil) }, "t2[c] a[a b] t3[d]", nil},
		{"move beyond the end", func(l panes.Layout) result { return does(l.MoveTab("a", 9), nil) }, "t2[c] t3[d] a[a b]", nil},
		{"move before the front", func(l panes.Layout) result { return does(l.MoveTab("t2", -9), nil) }, "t2[c] a[a b] t3[d]", nil},
		{"move none", func(l panes.Layout) result { return does(l.MoveTab("x", 0), nil) }, was, nil},
		{"swap over tabs", func(l panes.Layout) result { return does(l.Swap("a", "d")) }, "a[d b] t2[c] t3[a]", nil},
		{"swap with none", func(l panes.Layout) result { return does(l.Swap("a", "x")) }, was, panes.ErrNoPane},
		{"spread", func(l panes.Layout) result { return does(l.Preset("a", panes.EvenDown, hostArea)) }, was, nil},
		{"spread one", func(l panes.Layout) result { return does(l.Preset("t2", panes.EvenDown, hostArea)) }, was, nil},
		{"move a pane", func(l panes.Layout) result { return does(l.MovePane("a", "c", panes.Down, hostArea)) }, "a[b] t2[c a] t3[d]", nil},
		{"move a pane in its tab", func(l panes.Layout) result { return does(l.MovePane("a", "b", panes.Right, hostArea)) }, "a[b a] t2[c] t3[d]", nil},
		{"move a tab's only pane", func(l panes.Layout) result { return does(l.MovePane("c", "d", panes.Left, hostArea)) }, "a[a b] t3[c d]", nil},
		{"move without room", func(l panes.Layout) result {
			return does(l.MovePane("c", "d", panes.Left, panes.Size{Cols: 30, Rows: 9}))
		}, was, panes.ErrNoRoom},
		{"move to itself", func(l panes.Layout) result { return does(l.MovePane("c", "c", panes.Left, hostArea)) }, was, panes.ErrNoPane},
		{"move to none", func(l panes.Layout) result { return does(l.MovePane("c", "x", panes.Left, hostArea)) }, was, panes.ErrNoPane},
		{"move none at all", func(l panes.Layout) result { return does(l.MovePane("x", "c", panes.Left, hostArea)) }, was, panes.ErrNoPane},
		{"break", func(l panes.Layout) result { return does(l.Break("a", "t4")) }, "a[b] t4[a] t2[c] t3[d]", nil},
		{"break what is alone", func(l panes.Layout) result { return does(l.Break("c", "t4")) }, was, nil},
		{"break none", func(l panes.Layout) result { return does(l.Break("x", "t4")) }, was, panes.ErrNoPane},
		{"break into one that is there", func(l panes.Layout) result { return does(l.Break("a", "t2")) }, was, panes.ErrNoTab},
		{"close a tab's last pane", func(l panes.Layout) result { return does(l.Close("c"), nil) }, "a[a b] t3[d]", nil},
		{"split in another tab", func(l panes.Layout) result { return does(l.Split("c", "e", panes.Right, hostArea)) }, "a[a b] t2[c e] t3[d]", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := threeTabs(t)
			got := tt.do(l)
			if !errors.Is(got.error, tt.err) {
				t.Errorf("error %v, want %v", got.error, tt.err)
			}
			if s := tabs(got.Layout); s != tt.want {
				t.Errorf("%s, want %s", s, tt.want)
			}
			if diff := cmp.Diff(threeTabs(t), l); diff != "" {
				t.Errorf("the receiver changed: %s", diff)
			}
			checkLayout(t, got.Layout, hostArea)
		})
	}
}

// What a pane showed goes with it from tab to tab.
func TestMetaStaysWithItsPane(t *testing.T) {
	l, err := threeTabs(t).WithMeta("a", panes.PaneMeta{Dir: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	if l, err = l.MovePane("a", "c", panes.Down, hostArea); err == nil {
		l, err = l.Break("a", "t9")
	}
	if err == nil {
		l, err = l.RenamePane("a", "review")
	}
	if err == nil {
		l, err = l.MovePane("a", "c", panes.Right, panes.Size{Cols: 400, Rows: 100})
	}
	if err != nil || l.Meta["a"].Dir != "/w" || l.Meta["a"].Name != "review" {
		t.Errorf("got %+v, %v", l.Meta, err)
	}
	if l = l.Close("a"); l.Meta != nil {
		t.Errorf("after it was closed: %+v", l.Meta)
	}
}

// More than can be kept on disk is never made.
func TestLayoutsHaveAnEnd(t *testing.T) {
	l := splits(t, hostArea, "p0")
	var err error
	for i := 1; i < panes.MaxTabs; i++ {
		if l, err = l.NewTab(panes.TabID(fmt.Sprint("t", i)), panes.PaneID(fmt.Sprint("p", i)), ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.NewTab("more", "more", ""); !errors.Is(err, panes.ErrFull) {
		t.Errorf("a tab more: %v", err)
	}
	area := panes.Size{Cols: 900, Rows: 900}
	for i := len(l.Panes()); i < panes.MaxPanes; i++ {
		if l, err = l.Split(panes.PaneID(fmt.Sprint("p", i-64)), panes.PaneID(fmt.Sprint("p", i)), panes.Down, area); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Split("p3", "more", panes.Right, area); !errors.Is(err, panes.ErrFull) {
		t.Errorf("a pane more: %v", err)
	}
	if _, err := l.Break("p3", "more"); !errors.Is(err, panes.ErrFull) {
		t.Errorf("a tab more for one of the panes: %v", err)
	}
	if _, err := l.Close("p0").Close("p64").Close("p128").Close("p192").NewTab("more", "more", ""); err != nil {
		t.Errorf("after one was closed: %v", err)
	}
	checkLayout(t, l, area)
}
