package panes_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
)

func TestSavedLayout(t *testing.T) {
	area := panes.Size{Cols: 200, Rows: 60}
	l := splits(t, area, "a", "a right b", "b down c")
	l, err := l.WithMeta("b", panes.PaneMeta{Argv: []string{"claude", "--model", "x"}, Dir: "/w", Kind: "claude", Title: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []panes.Layout{l, {}} {
		b, err := panes.EncodeLayout(l)
		if err != nil {
			t.Fatal(err)
		}
		back, err := panes.DecodeLayout(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(l, back); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := l.WithMeta("x", panes.PaneMeta{}); !errors.Is(err, panes.ErrNoPane) {
		t.Errorf("meta of nobody: %v", err)
	}
}

func TestEncodeLayoutRefuses(t *testing.T) {
	leaf := func(p panes.PaneID) *panes.Node { return &panes.Node{Pane: p, Weight: 1} }
	for name, l := range map[string]panes.Layout{
		"twice":     {Root: &panes.Node{Weight: 1, Children: []*panes.Node{leaf("a"), leaf("a")}}},
		"bad id":    {Root: leaf("a/b")},
		"no weight": {Root: &panes.Node{Pane: "a"}},
		"stray":     {Root: leaf("a"), Meta: map[panes.PaneID]panes.PaneMeta{"b": {}}},
		"huge":      {Root: leaf("a"), Meta: map[panes.PaneID]panes.PaneMeta{"a": {Title: strings.Repeat("x", 2<<20)}}},
	} {
		if b, err := panes.EncodeLayout(l); err == nil {
			t.Errorf("%s: %.100s", name, b)
		}
	}
}

func deep(n int) string {
	leaf := func(i int) string { return fmt.Sprintf(`{"pane":"p%d","weight":1}`, i) }
	s := leaf(n)
	for i := range n {
		s = fmt.Sprintf(`{"down":%v,"weight":1,"children":[%s,%s]}`, i%2 == 0, leaf(i), s)
	}
	return fmt.Sprintf(`{"version":1,"root":%s}`, s)
}

var badLayouts = map[string]string{
	"empty":            ``,
	"no JSON":          `{"version":1`,
	"no object":        `[]`,
	"null":             `null`,
	"no version":       `{"root":{"pane":"a","weight":1}}`,
	"newer":            `{"version":2,"tabs":[]}`,
	"unknown field":    `{"version":1,"colour":"red"}`,
	"unknown in node":  `{"version":1,"root":{"pane":"a","weight":1,"exec":"rm"}}`,
	"unknown in meta":  `{"version":1,"root":{"pane":"a","weight":1},"meta":{"a":{"dir":"/","run":1}}}`,
	"trailing":         `{"version":1}{}`,
	"empty node":       `{"version":1,"root":{}}`,
	"null child":       `{"version":1,"root":{"weight":1,"children":[null,{"pane":"a","weight":1}]}}`,
	"split of one":     `{"version":1,"root":{"weight":1,"children":[{"pane":"a","weight":1}]}}`,
	"pane and split":   `{"version":1,"root":{"pane":"x","weight":1,"children":[{"pane":"a","weight":1},{"pane":"b","weight":1}]}}`,
	"same direction":   `{"version":1,"root":{"weight":1,"children":[{"pane":"a","weight":1},{"weight":1,"children":[{"pane":"b","weight":1},{"pane":"c","weight":1}]}]}}`,
	"twice":            `{"version":1,"root":{"weight":1,"children":[{"pane":"a","weight":1},{"pane":"a","weight":1}]}}`,
	"negative weight":  `{"version":1,"root":{"pane":"a","weight":-1}}`,
	"huge weight":      `{"version":1,"root":{"pane":"a","weight":999999999}}`,
	"float weight":     `{"version":1,"root":{"pane":"a","weight":1.5}}`,
	"bad id":           `{"version":1,"root":{"pane":"../a","weight":1}}`,
	"long id":          `{"version":1,"root":{"pane":"` + strings.Repeat("a", 65) + `","weight":1}}`,
	"leaf down":        `{"version":1,"root":{"pane":"a","down":true,"weight":1}}`,
	"stray meta":       `{"version":1,"root":{"pane":"a","weight":1},"meta":{"b":{"dir":"/"}}}`,
	"NUL in argv":      `{"version":1,"root":{"pane":"a","weight":1},"meta":{"a":{"dir":"/","argv":["a\u0000b"]}}}`,
	"too deep":         deep(40),
	"far too deep":     strings.Repeat(`{"version":`, 9000) + "1" + strings.Repeat("}", 9000),
	"larger than 1MiB": `{"version":1}` + strings.Repeat(" ", 1<<20),
}

func TestDecodeLayoutRefuses(t *testing.T) {
	for name, s := range badLayouts {
		t.Run(name, func(t *testing.T) {
			l, err := panes.DecodeLayout([]byte(s))
			if !errors.Is(err, panes.ErrLayout) {
				t.Errorf("error %v", err)
			}
			if l.Root != nil || l.Meta != nil {
				t.Errorf("a layout comes with the error: %+v", l)
			}
		})
	}
	if _, err := panes.DecodeLayout([]byte(deep(20))); err != nil {
		t.Errorf("deep enough: %v", err)
	}
}

// Whatever is read is refused, or is a layout that can be arranged, changed and
// written again.
func FuzzDecodeLayout(f *testing.F) {
	for _, s := range badLayouts {
		if len(s) < 1000 {
			f.Add([]byte(s))
		}
	}
	f.Add([]byte(deep(3)))
	f.Add([]byte(`{"version":1,"root":{"pane":"a","weight":3},"meta":{"a":{"dir":"/w","argv":["sh"]}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := panes.DecodeLayout(b)
		if err != nil {
			return
		}
		checkLayout(t, l, panes.Size{Cols: 200, Rows: 60})
		checkLayout(t, l, panes.Size{Cols: 7, Rows: 3})
		for _, p := range l.Panes() {
			area := l.Smallest()
			area.Cols *= 3
			area.Rows *= 3
			checkLayout(t, l.Grow(p, panes.Right, 5, area), area)
			checkLayout(t, l.Close(p), area)
			if next, err := l.Split(p, "made-by-the-fuzzer", panes.Down, area); err == nil {
				checkLayout(t, next, area)
			}
		}
	})
}
