package panes

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// tmuxText writes a tree as tmux does.
func tmuxText(n *Node, numbers map[PaneID]int, size Size) string {
	cell := fmt.Sprintf("%dx%d,0,0", size.Cols, size.Rows)
	if n.leaf() {
		return fmt.Sprintf("%s,%d", cell, numbers[n.Pane])
	}
	var parts []string
	for _, c := range n.Children {
		part := Size{Cols: c.Weight, Rows: size.Rows}
		if n.Down {
			part = Size{Cols: size.Cols, Rows: c.Weight}
		}
		parts = append(parts, tmuxText(c, numbers, part))
	}
	marks := "{}"
	if n.Down {
		marks = "[]"
	}
	return cell + marks[:1] + strings.Join(parts, ",") + marks[1:]
}

func summed(s string) string { return fmt.Sprintf("%04x,%s", tmuxChecksum(s), s) }

func named(number int) PaneID { return PaneID(fmt.Sprintf("p%d", number)) }

func TestParseTmuxLayout(t *testing.T) {
	// As tmux 3.3a printed them.
	for s, want := range map[string]string{
		"aafd,120x40,0,0,0": "p0",
	} {
		n, err := ParseTmuxLayout(s, named)
		if err != nil || fmt.Sprint(n.panes(nil)) != "["+want+"]" {
			t.Errorf("%s: %v, %v", s, n, err)
		}
	}
	n, err := ParseTmuxLayout(summed("90x30,0,0{45x30,0,0,1,44x30,46,0[44x15,46,0,2,44x14,46,16{20x14,46,16,3,23x14,67,16,4}]}"), named)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(n.panes(nil)); got != "[p1 p2 p3 p4]" || n.Down || !n.Children[1].Down || n.Children[0].Weight != 45 || n.Children[1].Children[1].Weight != 14 {
		t.Errorf("%s: %+v", got, n)
	}
	// A split in the direction of the one around it is flattened, one of one goes.
	n, err = ParseTmuxLayout(summed("90x30,0,0{45x30,0,0{22x30,0,0,1,22x30,23,0,2},44x30,46,0[44x30,46,0,3]}"), named)
	if err != nil || len(n.Children) != 3 {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestParseTmuxLayoutRefuses(t *testing.T) {
	deep := strings.Repeat("9x9,0,0{9x9,0,0[", 40) + "9x9,0,0,1" + strings.Repeat("]}", 40)
	many := "9x9,0,0{" + strings.Repeat("1x1,0,0,1,", 300) + "1x1,0,0,1}"
	for _, s := range []string{
		"", ",", "aafd", "aafd,", "aafe,120x40,0,0,0", "zzzz,120x40,0,0,0", "aafd,120x40,0,0,0 ",
		summed(""), summed("90x30"), summed("90x30,0,0"), summed("90x30,0,0{"), summed("90x30,0,0{1x1,0,0,1"), summed("90x30,0,0{1x1,0,0,1]"),
		summed("90x30,0,0{}"), summed("90x30,0,0,1,2"), summed("-1x30,0,0,1"), summed("99999999999x1,0,0,1"), summed(deep), summed(many),
		summed("90x30,0,0{1x1,0,0,1,1x1,0,0,1}"), // one pane twice
		summed(strings.Repeat("9", maxTmuxLayout)),
	} {
		if n, err := ParseTmuxLayout(s, named); !errors.Is(err, ErrTmuxLayout) {
			t.Errorf("%.60q: %v, %v", s, n, err)
		}
	}
}

// Whatever tree of ours is written as tmux does is read as it was.
func TestParseTmuxLayoutOfAnyTree(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		numbers := map[PaneID]int{}
		var grow func(depth int, down bool) *Node
		grow = func(depth int, down bool) *Node {
			w := 1 + rng.IntN(200)
			if depth == 0 || rng.IntN(3) == 0 {
				id := named(len(numbers))
				numbers[id] = len(numbers)
				return &Node{Pane: id, Weight: w}
			}
			n := &Node{Down: down, Weight: w}
			for range 2 + rng.IntN(3) {
				n.Children = append(n.Children, grow(depth-1, !down))
			}
			return n
		}
		want := grow(4, seed%2 == 0)
		want.Weight = 1
		got, err := ParseTmuxLayout(summed(tmuxText(want, numbers, Size{Cols: 200, Rows: 50})), named)
		if len(numbers) > MaxPanes {
			continue
		}
		if err != nil || tmuxText(got, numbers, Size{Cols: 200, Rows: 50}) != tmuxText(want, numbers, Size{Cols: 200, Rows: 50}) {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func FuzzParseTmuxLayout(f *testing.F) {
	f.Add("90x30,0,0{45x30,0,0,1,44x30,46,0[44x15,46,0,2,44x14,46,16,3]}")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseTmuxLayout(summed(s), named)
		if err != nil {
			return
		}
		l := Layout{Tabs: []Tab{{ID: "t", Root: n}}}
		if _, err := EncodeLayout(l); err != nil {
			t.Errorf("%q cannot be kept: %v", s, err)
		}
	})
}
