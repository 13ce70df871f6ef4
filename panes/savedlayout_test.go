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
	tabs, err := l.NewTab("t-2", "d", "")
	if err != nil {
		t.Fatal(err)
	}
	if tabs, err = tabs.RenameTab("t-2", strings.Repeat("ä", 32)); err != nil {
		t.Fatal(err)
	}
	named, err := tabs.RenamePane("d", strings.Repeat("ä", 32))
	if err == nil {
		named, err = named.RenamePane("b", "review")
	}
	if err != nil {
		t.Fatal(err)
	}
	if tabs.Form() != 2 || named.Form() != 4 {
		t.Errorf("without a pane's name it has form %d, with one %d", tabs.Form(), named.Form())
	}
	for _, l := range []panes.Layout{l, tabs, named, {}} {
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
	tab := func(root *panes.Node) []panes.Tab { return []panes.Tab{{ID: "t", Root: root}} }
	for name, l := range map[string]panes.Layout{
		"twice":       {Tabs: tab(&panes.Node{Weight: 1, Children: []*panes.Node{leaf("a"), leaf("a")}})},
		"in two tabs": {Tabs: []panes.Tab{{ID: "t", Root: leaf("a")}, {ID: "u", Root: leaf("a")}}},
		"a tab twice": {Tabs: append(tab(leaf("a")), tab(leaf("b"))...)},
		"empty tab":   {Tabs: tab(nil)},
		"no tab id":   {Tabs: []panes.Tab{{Root: leaf("a")}}},
		"tab name":    {Tabs: []panes.Tab{{ID: "t", Name: "a\nb", Root: leaf("a")}}},
		"bad id":      {Tabs: tab(leaf("a/b"))},
		"no weight":   {Tabs: tab(&panes.Node{Pane: "a"})},
		"stray":       {Tabs: tab(leaf("a")), Meta: map[panes.PaneID]panes.PaneMeta{"b": {}}},
		"huge":        {Tabs: tab(leaf("a")), Meta: map[panes.PaneID]panes.PaneMeta{"a": {Title: strings.Repeat("x", 2<<20)}}},
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

// tabsOf is a saved layout of n tabs with as many panes each.
func tabsOf(n, each int) string {
	var tabs []string
	for i := range n {
		var leaves []string
		for j := range each {
			leaves = append(leaves, fmt.Sprintf(`{"pane":"p%d-%d","weight":1}`, i, j))
		}
		root := leaves[0]
		if each > 1 {
			root = fmt.Sprintf(`{"weight":1,"children":[%s]}`, strings.Join(leaves, ","))
		}
		tabs = append(tabs, fmt.Sprintf(`{"id":"t%d","root":%s}`, i, root))
	}
	return fmt.Sprintf(`{"version":2,"tabs":[%s]}`, strings.Join(tabs, ","))
}

var badLayouts = map[string]string{
	"empty":              ``,
	"no JSON":            `{"version":1`,
	"no object":          `[]`,
	"null":               `null`,
	"no version":         `{"root":{"pane":"a","weight":1}}`,
	"newer":              `{"version":5,"groups":[]}`,
	"root in tabs":       `{"version":2,"root":{"pane":"a","weight":1}}`,
	"tabs too early":     `{"version":1,"tabs":[]}`,
	"empty tab":          `{"version":2,"tabs":[{"id":"t"}]}`,
	"tab without id":     `{"version":2,"tabs":[{"root":{"pane":"a","weight":1}}]}`,
	"bad tab id":         `{"version":2,"tabs":[{"id":"../t","root":{"pane":"a","weight":1}}]}`,
	"tab twice":          `{"version":2,"tabs":[{"id":"t","root":{"pane":"a","weight":1}},{"id":"t","root":{"pane":"b","weight":1}}]}`,
	"pane in two tabs":   `{"version":2,"tabs":[{"id":"t","root":{"pane":"a","weight":1}},{"id":"u","root":{"pane":"a","weight":1}}]}`,
	"unknown in tab":     `{"version":2,"tabs":[{"id":"t","exec":"rm","root":{"pane":"a","weight":1}}]}`,
	"long tab name":      `{"version":2,"tabs":[{"id":"t","name":"` + strings.Repeat("a", 65) + `","root":{"pane":"a","weight":1}}]}`,
	"control in name":    `{"version":2,"tabs":[{"id":"t","name":"a\u001b[31mb","root":{"pane":"a","weight":1}}]}`,
	"turned name":        `{"version":2,"tabs":[{"id":"t","name":"a\u202eb","root":{"pane":"a","weight":1}}]}`,
	"65 tabs":            tabsOf(65, 1),
	"257 panes":          tabsOf(1, 257),
	"too many in all":    tabsOf(4, 65),
	"stack of before":    `{"version":2,"tabs":[{"id":"t","root":{"down":true,"stack":true,"weight":1,"children":[{"pane":"a","weight":1},{"pane":"b","weight":1}]}}]}`,
	"stack of splits":    `{"version":3,"tabs":[{"id":"t","root":{"down":true,"stack":true,"weight":1,"children":[{"pane":"a","weight":1},{"weight":1,"children":[{"pane":"b","weight":1},{"pane":"c","weight":1}]}]}}]}`,
	"stack across":       `{"version":3,"tabs":[{"id":"t","root":{"stack":true,"weight":1,"children":[{"pane":"a","weight":1},{"pane":"b","weight":1}]}}]}`,
	"stack of none":      `{"version":3,"tabs":[{"id":"t","root":{"pane":"a","stack":true,"weight":1}}]}`,
	"floating of before": `{"version":2,"tabs":[{"id":"t","floating":"b","root":{"pane":"a","weight":1}}]}`,
	"floating twice":     `{"version":3,"tabs":[{"id":"t","floating":"a","root":{"pane":"a","weight":1}}]}`,
	"floating bad id":    `{"version":3,"tabs":[{"id":"t","floating":"a/b","root":{"pane":"a","weight":1}}]}`,
	"floating alone":     `{"version":3,"tabs":[{"id":"t","floating":"a"}]}`,
	"name of before":     `{"version":3,"tabs":[{"id":"t","root":{"pane":"a","weight":1}}],"meta":{"a":{"dir":"/","name":"x"}}}`,
	"long pane name":     `{"version":4,"tabs":[{"id":"t","root":{"pane":"a","weight":1}}],"meta":{"a":{"dir":"/","name":"` + strings.Repeat("a", 65) + `"}}}`,
	"control in pane":    `{"version":4,"tabs":[{"id":"t","root":{"pane":"a","weight":1}}],"meta":{"a":{"dir":"/","name":"a\u001b[31mb"}}}`,
	"only null":          `{"version":1,"root":{"weight":1,"children":[null,null]}}`,
	"unknown field":      `{"version":1,"colour":"red"}`,
	"unknown in node":    `{"version":1,"root":{"pane":"a","weight":1,"exec":"rm"}}`,
	"unknown in meta":    `{"version":1,"root":{"pane":"a","weight":1},"meta":{"a":{"dir":"/","run":1}}}`,
	"trailing":           `{"version":1}{}`,
	"empty node":         `{"version":1,"root":{}}`,
	"null child":         `{"version":1,"root":{"weight":1,"children":[null,{"pane":"a","weight":1}]}}`,
	"split of one":       `{"version":1,"root":{"weight":1,"children":[{"pane":"a","weight":1}]}}`,
	"pane and split":     `{"version":1,"root":{"pane":"x","weight":1,"children":[{"pane":"a","weight":1},{"pane":"b","weight":1}]}}`,
	"same direction":     `{"version":1,"root":{"weight":1,"children":[{"pane":"a","weight":1},{"weight":1,"children":[{"pane":"b","weight":1},{"pane":"c","weight":1}]}]}}`,
	"twice":              `{"version":1,"root":{"weight":1,"children":[{"pane":"a","weight":1},{"pane":"a","weight":1}]}}`,
	"negative weight":    `{"version":1,"root":{"pane":"a","weight":-1}}`,
	"huge weight":        `{"version":1,"root":{"pane":"a","weight":999999999}}`,
	"float weight":       `{"version":1,"root":{"pane":"a","weight":1.5}}`,
	"bad id":             `{"version":1,"root":{"pane":"../a","weight":1}}`,
	"long id":            `{"version":1,"root":{"pane":"` + strings.Repeat("a", 65) + `","weight":1}}`,
	"leaf down":          `{"version":1,"root":{"pane":"a","down":true,"weight":1}}`,
	"stray meta":         `{"version":1,"root":{"pane":"a","weight":1},"meta":{"b":{"dir":"/"}}}`,
	"NUL in argv":        `{"version":1,"root":{"pane":"a","weight":1},"meta":{"a":{"dir":"/","argv":["a\u0000b"]}}}`,
	"too deep":           deep(40),
	"far too deep":       strings.Repeat(`{"version":`, 9000) + "1" + strings.Repeat("}", 9000),
	"larger than 1MiB":   `{"version":1}` + strings.Repeat(" ", 1<<20),
}

func TestDecodeLayoutRefuses(t *testing.T) {
	for name, s := range badLayouts {
		t.Run(name, func(t *testing.T) {
			l, err := panes.DecodeLayout([]byte(s))
			if !errors.Is(err, panes.ErrLayout) {
				t.Errorf("error %v", err)
			}
			if l.Tabs != nil || l.Meta != nil {
				t.Errorf("a layout comes with the error: %+v", l)
			}
		})
	}
	for name, s := range map[string]string{"deep enough": deep(20), "many tabs": tabsOf(64, 4)} {
		if _, err := panes.DecodeLayout([]byte(s)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A layout from before there were tabs is one tab, the same whenever it is read.
func TestLayoutWithoutTabs(t *testing.T) {
	const saved = `{"version":1,"root":{"weight":1,"children":[{"pane":"a","weight":3},{"pane":"b","weight":2}]},"meta":{"b":{"dir":"/w"}}}`
	want := panes.Layout{
		Tabs: []panes.Tab{{ID: "a", Root: &panes.Node{Weight: 1, Children: []*panes.Node{{Pane: "a", Weight: 3}, {Pane: "b", Weight: 2}}}}},
		Meta: map[panes.PaneID]panes.PaneMeta{"b": {Dir: "/w"}},
	}
	got, err := panes.DecodeLayout([]byte(saved))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if empty, err := panes.DecodeLayout([]byte(`{"version":1}`)); err != nil || empty.Tabs != nil {
		t.Errorf("an empty one: %+v, %v", empty, err)
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
	f.Add([]byte(tabsOf(2, 2)))
	f.Add([]byte(`{"version":1,"root":{"pane":"a","weight":3},"meta":{"a":{"dir":"/w","argv":["sh"]}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := panes.DecodeLayout(b)
		if err != nil {
			return
		}
		checkLayout(t, l, panes.Size{Cols: 200, Rows: 60})
		checkLayout(t, l, panes.Size{Cols: 7, Rows: 3})
		for _, p := range l.Panes() {
			tab, _ := l.TabOf(p)
			area := tab.Smallest()
			area.Cols *= 3
			area.Rows *= 3
			checkLayout(t, l.Grow(p, panes.Right, 5, area), area)
			checkLayout(t, l.Close(p), area)
			if next, err := l.Split(p, "made-by-the-fuzzer", panes.Down, area); err == nil {
				checkLayout(t, next, area)
			}
			if next, err := l.Break(p, "made-by-the-fuzzer"); err == nil {
				checkLayout(t, next, area)
			}
		}
	})
}
