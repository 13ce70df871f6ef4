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

var presets = []panes.Preset{panes.EvenRight, panes.EvenDown, panes.MainLeft, panes.MainTop, panes.Tiled, panes.Stacked}

func TestPresets(t *testing.T) {
	area := panes.Size{Cols: 102, Rows: 40}
	four := splits(t, area, "a", "a right b", "b down c", "c right d")
	for p, want := range map[panes.Preset]string{
		panes.EvenRight: "=25 |1 =25 |1 =24 |1 =25\na25 |1 b25 |1 c24 |1 d25",
		panes.EvenDown:  "=102\na102\n=102\nb102\n=102\nc102\n=102\nd102",
		panes.MainLeft:  "=61 |1 =40\na61 |1 b40\na61 |1 =40\na61 |1 c40\na61 |1 =40\na61 |1 d40",
		panes.MainTop:   "=102\na102\n=33 |1 =34 |1 =33\nb33 |1 c34 |1 d33",
		panes.Stacked:   "=102\na102\n=102",
		panes.Tiled:     "=51 |1 =50\na51 |1 b50\n=51 |1 =50\nc51 |1 d50",
	} {
		l, err := four.Preset("a", p, area)
		if err != nil {
			t.Errorf("%d: %v", p, err)
			continue
		}
		if got := short(picture(t, only(l), area)); got != want {
			t.Errorf("%d: got\n%s\nwant\n%s", p, got, want)
		}
	}
}

func TestNextPresetBeginsWithTheFirst(t *testing.T) {
	area := panes.Size{Cols: 200, Rows: 40}
	l, err := splits(t, area, "a", "a right b", "b down c", "c right d", "d down e").NextPreset("a", area)
	if err != nil || strings.Count(short(picture(t, only(l), area)), "|1") != 2*4 {
		t.Errorf("%v:\n%s", err, short(picture(t, only(l), area)))
	}
}

// Whatever panes stood there, and wherever: they tile the area, they are the same
// ones in the same order, and no pane is smaller than the smallest.
func TestPresetsKeepPanes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fitted := 0
	for range 150 {
		area := panes.Size{Cols: 30 + r.IntN(300), Rows: 8 + r.IntN(100)}
		l := grown(r, area)
		all := l.Panes()
		for _, p := range presets {
			spread, err := l.Preset("a", p, area)
			if err != nil {
				if !errors.Is(err, panes.ErrNoRoom) || !slices.Equal(spread.Panes(), all) {
					t.Fatalf("%v: %v has %v", err, spread.Panes(), all)
				}
				continue
			}
			fitted++
			sound(t, spread, all, area)
		}
		next, err := l.NextPreset("a", area)
		if err == nil {
			sound(t, next, all, area)
		} else if !errors.Is(err, panes.ErrNoRoom) {
			t.Fatal(err)
		}
		a, b := all[r.IntN(len(all))], all[r.IntN(len(all))]
		swapped, err := l.Swap(a, b)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(all)
		want[slices.Index(all, a)], want[slices.Index(all, b)] = b, a
		sound(t, swapped, want, area)
		back, err := swapped.Swap(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(l, back); d != "" {
			t.Fatalf("swapped twice:\n%s", d)
		}
	}
	if fitted < 150 {
		t.Errorf("only %d had room: the test does not test much", fitted)
	}
}

// grown is a layout of some panes, split at random.
func grown(r *rand.Rand, area panes.Size) panes.Layout {
	var l panes.Layout
	for i := range 1 + r.IntN(9) {
		p := panes.PaneID("")
		if all := l.Panes(); len(all) > 0 {
			p = all[r.IntN(len(all))]
		}
		made := panes.PaneID(string(rune('a' + i)))
		if next, err := l.Split(p, made, panes.Direction(r.IntN(4)), area); err == nil {
			l = next
		}
		if next, err := l.WithMeta(made, panes.PaneMeta{Dir: "/" + string(made)}); err == nil {
			l = next
		}
	}
	return l
}

// sound checks that a layout has these panes in this order, tiles the area, is one
// that can be saved, and keeps what is known of them.
func sound(t *testing.T, l panes.Layout, all []panes.PaneID, area panes.Size) {
	t.Helper()
	if got := l.Panes(); !slices.Equal(got, all) {
		t.Fatalf("panes %v, want %v", got, all)
	}
	if !only(l).Fits(area) {
		t.Fatalf("%v do not fit %v", all, area)
	}
	pic := picture(t, only(l), area) // fails where two overlap or leave the area
	for _, row := range strings.Split(strings.TrimSpace(pic), "\n") {
		if strings.HasPrefix(row, "|") || strings.HasSuffix(row, "|") || strings.Contains(row, "||") {
			t.Fatalf("a gap:\n%s", pic)
		}
	}
	for _, p := range all {
		if l.Meta[p].Dir != "/"+string(p) {
			t.Fatalf("what is known of %s is lost: %+v", p, l.Meta[p])
		}
	}
	b, err := panes.EncodeLayout(l)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := panes.DecodeLayout(b)
	if err != nil {
		t.Fatalf("it cannot be saved: %v", err)
	}
	if d := cmp.Diff(l, saved); d != "" {
		t.Fatalf("it is saved as another:\n%s", d)
	}
}

func TestNextPresetGoesThroughAll(t *testing.T) {
	area := panes.Size{Cols: 202, Rows: 400}
	steps := []string{"a"}
	for n := 1; n <= 7; n++ {
		l := splits(t, area, steps...)
		steps = append(steps, fmt.Sprintf("%c down %c", 'a'+n-1, 'a'+n))
		var seen []string
		var first panes.Layout
		for range presets {
			next, err := l.NextPreset("a", area)
			if err != nil {
				t.Fatal(err)
			}
			l = next
			if first.Tabs == nil {
				first = l
			}
			if pic := picture(t, only(l), area); !slices.Contains(seen, pic) {
				seen = append(seen, pic)
			}
		}
		want := map[int]int{1: 1, 2: 3}[n]
		if want == 0 {
			want = len(presets)
		}
		if len(seen) != want {
			t.Errorf("%d panes: %d ways to stand, want %d", n, len(seen), want)
		}
		// A border that was moved does not change which one it is.
		moved := l.Grow("a", panes.Right, 3, area)
		a, errA := l.NextPreset("a", area)
		b, errB := moved.NextPreset("a", area)
		if errA != nil || errB != nil || picture(t, only(a), area) != picture(t, only(b), area) {
			t.Errorf("%d panes: a moved border leads elsewhere (%v, %v)", n, errA, errB)
		}
	}
}

func TestPresetsWithoutRoom(t *testing.T) {
	area := panes.Size{Cols: 62, Rows: 40}
	four := splits(t, area, "a", "a down b", "b down c", "c down d")
	if _, err := four.Preset("a", panes.EvenRight, area); !errors.Is(err, panes.ErrNoRoom) {
		t.Errorf("four side by side in 62 columns: %v", err)
	}
	// From below one another to the main one at the left: what lies between has no
	// room, and neither is it asked for.
	next, err := four.NextPreset("a", area)
	if err != nil {
		t.Fatal(err)
	}
	want, err := four.Preset("a", panes.MainLeft, area)
	if err != nil || picture(t, only(next), area) != picture(t, only(want), area) {
		t.Errorf("%v:\n%s", err, picture(t, only(next), area))
	}
	tight := panes.Size{Cols: 30, Rows: 7}
	stack, err := four.Preset("a", panes.Stacked, tight)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stack.NextPreset("a", tight); !errors.Is(err, panes.ErrNoRoom) {
		t.Errorf("nothing else has room: %v", err)
	}
	if _, err := four.Preset("x", panes.EvenDown, area); !errors.Is(err, panes.ErrNoTab) {
		t.Errorf("in no tab: %v", err)
	}
	if _, err := four.NextPreset("x", area); !errors.Is(err, panes.ErrNoTab) {
		t.Errorf("the next one in no tab: %v", err)
	}
	if _, err := four.Swap("a", "x"); !errors.Is(err, panes.ErrNoPane) {
		t.Errorf("swap with none: %v", err)
	}
}
