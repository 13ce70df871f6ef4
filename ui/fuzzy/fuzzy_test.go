package fuzzy_test

import (
	"slices"
	"strings"
	"testing"

	"reprise/ui/fuzzy"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		typed, text, also string
		hit               string // the letters that were found; "-": it does not match
	}{
		{"", "anything", "", ""},
		{"cla", "claude  Fix flaky test", "", "cla"},
		{"CLA", "claude", "", "-"},
		{"Fix", "claude  Fix flaky test", "", "Fix"},
		{"test cla", "claude  Fix flaky test", "", "clatest"},
		{"spr", "split-right", "", "spr"},
		{"splr", "split-right", "", "splr"},
		{"rs", "split-right", "", "-"},
		{"cfg", "reload config", "", "cfg"},
		{"srv", "the pane's border by five cells", "", "-"}, // scattered
		{"tns", "take no sides", "", "tns"},
		{"z", "split-right", "", "-"},
		{"é", "café", "", "é"},
		{"docs", "claude", "2 docs", ""},
		{"cla docs", "claude", "2 docs", "cla"},
		{"dcs", "claude", "2 docs", "-"}, // only as it stands in what is not shown
		{"ab", "a" + strings.Repeat(".", 100) + "b", "", "-"},
		{"aa", "aaa", "", "aa"},
		{"x", "", "", "-"},
		{"é\xff", "caf\xff", "", "-"},
	} {
		_, hits, ok := fuzzy.New(c.typed).Match(c.text, c.also)
		got := "-"
		if ok {
			got = ""
			for i, at := range hits {
				end := at + 1
				for end < len(c.text) && !slices.Contains(hits, end) && c.text[end]&0xc0 == 0x80 {
					end++
				}
				if i > 0 && hits[i-1] >= at {
					t.Errorf("%q in %q: hits %v", c.typed, c.text, hits)
				}
				got += c.text[at:end]
			}
		}
		if got != c.hit {
			t.Errorf("%q in %q finds %q, want %q", c.typed, c.text, got, c.hit)
		}
	}
}

// What fits better comes first.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ typed, better, worse string }{
		{"pane", "pane 1", "close pane"},
		{"pane", "close pane", "japanese"},
		{"cl", "close", "cycle"},
		{"sr", "split-right", "super"},
		{"vim", "vim", "vim  ~/site"},
		{"tab", "new tab", "toggle a bar"},
		{"conf", "reload-config", "close other files"},
	} {
		m := fuzzy.New(c.typed)
		a, _, ok1 := m.Match(c.better, "")
		b, _, ok2 := m.Match(c.worse, "")
		if !ok1 || ok2 && a <= b {
			t.Errorf("%q: %q has %d (%v), %q has %d (%v)", c.typed, c.better, a, ok1, c.worse, b, ok2)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("cl x", "claude", "text")
	f.Fuzz(func(t *testing.T, typed, text, also string) {
		_, hits, _ := fuzzy.New(typed).Match(text, also)
		for i, at := range hits {
			if at < 0 || at >= len(text) || i > 0 && hits[i-1] >= at {
				t.Errorf("%q in %q: hits %v", typed, text, hits)
			}
		}
	})
}
