package panes_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"reprise/panes"
	"reprise/panes/vt"
)

// A search goes on where the last one ended: what came since is found, nothing is
// found twice, and nothing at all when it is told to stop.
func TestFindGoesOn(t *testing.T) {
	h := newHost(t)
	term := start(t, h, "sh", "-c", `i=0; while [ $i -lt 2000 ]; do echo "line $i end"; i=$((i+1)); done; read x; echo "line 2000 end"; read x`)
	seen := func(line string) func() bool {
		return func() bool { return len(found(t, term, line)) == 1 }
	}
	waitFor(t, "the first lines", seen("line 1999 end"))
	p, err := vt.NewPattern(`line \d+5 end`, true)
	if err != nil {
		t.Fatal(err)
	}
	var spans []vt.Span
	take := func(s vt.Span) { spans = append(spans, s) }
	first := term.Find(t.Context(), p, 0, take)
	x, _ := term.Extent()
	if !first.OK || len(spans) != 199 || first.Next != x.Screen || first.From != 0 {
		t.Fatalf("%d matches, %+v of %+v", len(spans), first, x)
	}
	for i, s := range spans {
		if want := uint64(10*i + 15); s.From != (vt.Pos{Line: want}) || s.To.Col != len(fmt.Sprintf("line %d end", want))-1 {
			t.Fatalf("match %d is %+v", i, s)
		}
	}
	if err := term.Send([]byte("\r")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the last line", seen("line 2000 end"))
	spans = nil
	if again := term.Find(t.Context(), p, first.Next, take); !again.OK || again.From != first.Next || again.Next <= first.Next {
		t.Errorf("%+v after %+v", again, first)
	}
	for _, s := range spans {
		if s.From.Line < first.Next {
			t.Errorf("line %d was searched again", s.From.Line)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if f := term.Find(stopped, p, 0, take); f.OK {
		t.Error("a search that was stopped reached the end")
	}
	if err := term.Resize(panes.Size{Cols: 33, Rows: 5}); err != nil {
		t.Fatal(err)
	}
	if f := term.Find(t.Context(), p, 0, take); f.Cuts == first.Cuts {
		t.Error("another width is not told")
	}
	var s vt.Screen
	if x, top, ok := term.Window(&s, 3); !ok || top != max(3, x.First) || s.Rows != 5 {
		t.Errorf("window at %d of %+v", top, x)
	}
}

func found(t *testing.T, term *panes.Terminal, text string) (out []vt.Span) {
	t.Helper()
	p, err := vt.NewPattern(text, false)
	if err != nil {
		t.Fatal(err)
	}
	term.Find(t.Context(), p, 0, func(s vt.Span) { out = append(out, s) })
	return out
}

// A terminal whose emulator has no lines says so.
func TestNoLines(t *testing.T) {
	h := fakeHost(t)
	term := start(t, h, "sleep", "100")
	var s vt.Screen
	_, has := term.Extent()
	_, _, shows := term.Window(&s, 0)
	_, prompt := term.Prompt(9, -1)
	_, _, output := term.Output(9, 0)
	if has || shows || prompt || output || found(t, term, "x") != nil {
		t.Errorf("extent %v, window %v, prompt %v", has, shows, prompt)
	}
}

// reads counts the rows that are read.
type reads struct {
	*vt.Emulator
	n atomic.Int64
}

func (r *reads) ReadLines(dst *vt.Lines, from uint64, n int) {
	r.Emulator.ReadLines(dst, from, n)
	r.n.Add(int64(dst.Next() - dst.From))
}

// The nearest match is found without a look at the lines behind it, and a search that
// finds none leaves next to nothing to be searched again.
func TestNearestReadsNoFurther(t *testing.T) {
	const lines = 100_000
	e := &reads{Emulator: vt.New(vt.Options{Cols: 40, Rows: 10, Scrollback: lines})}
	h := hostWith(t, panes.HostOptions{Emulator: func(panes.Size, func([]byte)) panes.Emulator { return e }})
	for i := range lines { // each fifth row is the second one of its line
		fmt.Fprintf(e, "line %d of many%s\r\n", i, strings.Repeat(" to and fro", i%4))
	}
	term := start(t, h, "sleep", "1000")
	for _, text := range []string{"line 99", "fro", "line 50000 of", "nowhere", "many"} {
		p, err := vt.NewPattern(text, false)
		if err != nil {
			t.Fatal(err)
		}
		var all []vt.Span
		e.n.Store(0)
		found := term.Find(t.Context(), p, 0, func(s vt.Span) { all = append(all, s) })
		whole := e.n.Load()
		x, _ := term.Extent()
		for _, line := range []uint64{0, x.First, x.First + 3, x.First + 511, x.First + 40_000, x.Screen, x.End - 1, x.End} {
			for _, step := range []int{1, -1} {
				for _, at := range append(around(all, line), vt.Pos{Line: line, Col: 7}) {
					e.n.Store(0)
					got := term.Nearest(t.Context(), p, at, step)
					if got.Cuts != found.Cuts || !got.OK {
						t.Fatalf("%q: %+v", text, got)
					}
					want, ok := nearestOf(all, at, step)
					if got.Found != ok || got.Match != want {
						t.Fatalf("%q from %v by %d: %+v, want %v", text, at, step, got, want)
					}
					if !ok && got.Next < x.Screen-4 {
						t.Errorf("%q: all from %d on is searched again, of %+v", text, got.Next, x)
					}
					far := max(want.From.Line, at.Line) - min(want.From.Line, at.Line)
					if n := uint64(e.n.Load()); ok && want.From != at && at.Before(want.From) == (step > 0) && n > far+far/50+1024 {
						t.Errorf("%q from %v by %d: %d rows for %d (a whole search: %d)", text, at, step, n, far, whole)
					}
				}
			}
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	p, _ := vt.NewPattern("x", false)
	if term.Nearest(stopped, p, vt.Pos{}, 1).OK {
		t.Error("a search that was stopped reached the end")
	}
}

// around are the matches next to a line.
func around(all []vt.Span, line uint64) (at []vt.Pos) {
	for i, s := range all {
		if s.From.Line >= line {
			for _, s := range all[max(0, i-1):min(len(all), i+2)] {
				at = append(at, s.From)
			}
			break
		}
	}
	return at
}

// nearestOf is Nearest by a look at all matches.
func nearestOf(all []vt.Span, at vt.Pos, step int) (vt.Span, bool) {
	if len(all) == 0 {
		return vt.Span{}, false
	}
	if step > 0 {
		for _, s := range all {
			if at.Before(s.From) {
				return s, true
			}
		}
		return all[0], true
	}
	for _, s := range slices.Backward(all) {
		if s.From.Before(at) {
			return s, true
		}
	}
	return all[len(all)-1], true
}
