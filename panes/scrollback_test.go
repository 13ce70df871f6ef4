package panes_test

import (
	"context"
	"fmt"
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
