package frame_test

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"reprise/ui/frame"
)

var hard = []string{
	"Fix flaky resume test", "日本語のテキスト", "e\u0301a\u0308o\u0302 combining", "👩‍👩‍👧‍👦 family 👍🏽 thumbs", "🇩🇪🇫🇷🇯🇵", "", " ", "a", "ab  cd   ef", "averyveryverylongwordwithoutanyspace",
}

// clusters splits a text as a terminal shows it.
func clusters(s string) map[string]bool {
	m := map[string]bool{}
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		m[g.Value()] = true
	}
	return m
}

func TestCuttingKeepsClusters(t *testing.T) {
	for _, s := range hard {
		whole := clusters(s)
		whole["…"] = true
		for n := range 40 {
			for name, got := range map[string]string{"Cut": frame.Cut(s, n, "…"), "CutPath": frame.CutPath(s, n, "…")} {
				if w := displaywidth.String(got); w > n {
					t.Errorf("%s(%q, %d) = %q, %d cells", name, s, n, got, w)
				}
				for g := displaywidth.StringGraphemes(got); g.Next(); {
					if !whole[g.Value()] {
						t.Errorf("%s(%q, %d) = %q cuts into %q", name, s, n, got, g.Value())
					}
				}
			}
			for rows := 1; rows < 4; rows++ {
				lines := frame.Wrap(s, n, rows, "…")
				if len(lines) > rows {
					t.Errorf("Wrap(%q, %d, %d) has %d lines", s, n, rows, len(lines))
				}
				for _, l := range lines {
					if displaywidth.String(l) > n {
						t.Errorf("Wrap(%q, %d, %d): %q is too long", s, n, rows, l)
					}
				}
			}
		}
	}
}

func TestSentencesBeginLines(t *testing.T) {
	s := "Could not resume claude: its folder ~/w is gone. Bring it back, then retry."
	for n, want := range map[int][]string{
		80: {s},
		55: {"Could not resume claude: its folder ~/w is gone.", "Bring it back, then retry."},
		40: {"Could not resume claude: its folder ~/w", "is gone. Bring it back, then retry."}, // else three
		30: {"Could not resume claude: its", "folder ~/w is gone.", "Bring it back, then retry."},
	} {
		if d := cmp.Diff(want, frame.Wrap(s, n, 3, "…")); d != "" {
			t.Errorf("width %d: %s", n, d)
		}
	}
	if d := cmp.Diff([]string{"One is. Two", "is there t…"}, frame.Wrap("One is. Two is there too.", 11, 2, "…")); d != "" {
		t.Error(d)
	}
}

func TestWrapLosesNothingThatFits(t *testing.T) {
	s := "Could not resume claude: its folder is gone. Bring it back, then retry."
	for n := 12; n < 80; n++ {
		if got := strings.Join(frame.Wrap(s, n, 20, "…"), " "); got != s {
			t.Errorf("width %d: %q", n, got)
		}
	}
	if d := cmp.Diff([]string{"one two", "three", "fourfo", "ur"}, frame.Wrap("one two three fourfour", 7, 9, "…")); d == "" {
		t.Error("a word that fits on a line was broken")
	}
	if d := cmp.Diff([]string{"one two", "three", "fourfou", "r"}, frame.Wrap("one two three fourfour", 7, 9, "…")); d != "" {
		t.Error(d)
	}
}
