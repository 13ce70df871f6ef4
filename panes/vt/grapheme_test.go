package vt

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// breakTests are the cases of Unicode's GraphemeBreakTest.txt, each a list of
// clusters: from Debian's unicode-data, else from the module of a segmenter that
// has them in its tests.
func breakTests(t *testing.T) [][]string {
	t.Helper()
	if b, err := os.ReadFile("/usr/share/unicode/auxiliary/GraphemeBreakTest.txt"); err == nil {
		var tests [][]string
		for line := range strings.SplitSeq(string(b), "\n") {
			line, _, _ = strings.Cut(line, "#")
			var clusters []string
			for c := range strings.SplitSeq(strings.ReplaceAll(line, "×", " "), "÷") {
				if c = codePoints(c); c != "" {
					clusters = append(clusters, c)
				}
			}
			if len(clusters) > 0 {
				tests = append(tests, clusters)
			}
		}
		return tests
	}
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/rivo/uniseg").Output()
	if err != nil {
		t.Skip("no GraphemeBreakTest.txt: install unicode-data")
	}
	b, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "graphemebreak_test.go"))
	if err != nil {
		t.Skip("no GraphemeBreakTest.txt: install unicode-data")
	}
	var tests [][]string
	for _, m := range regexp.MustCompile(`expected:\s*\[\]\[\]rune\{(.*?\})\}`).FindAllStringSubmatch(string(b), -1) {
		var clusters []string
		for c := range strings.SplitSeq(m[1], "}") {
			if c = codePoints(strings.NewReplacer("{", " ", ",", " ", "0x", "").Replace(c)); c != "" {
				clusters = append(clusters, c)
			}
		}
		tests = append(tests, clusters)
	}
	return tests
}

// codePoints is a string from hexadecimal numbers.
func codePoints(s string) string {
	var b strings.Builder
	for w := range strings.FieldsSeq(s) {
		v, _ := strconv.ParseUint(w, 16, 32)
		b.WriteRune(rune(v))
	}
	return b.String()
}

// TestGraphemeBreak prints the cases of GraphemeBreakTest: each cluster must be one
// cell.
func TestGraphemeBreak(t *testing.T) {
	passed, of := 0, 0
	for _, clusters := range breakTests(t) {
		text := strings.Join(clusters, "")
		if strings.ContainsFunc(text, unicode.IsControl) {
			continue // not text
		}
		of++
		e := New(Options{Cols: 80, Rows: 2})
		_, _ = e.Write([]byte(text))
		var sc Screen
		e.Snapshot(&sc)
		var got, want []string
		for _, c := range sc.Row(0) {
			if c != Blank && c.Rune != 0 {
				got = append(got, string(sc.AppendText(nil, c)))
			}
		}
		for _, c := range clusters {
			// What has no width and nothing to join has no cell.
			c = strings.TrimLeftFunc(c, func(r rune) bool { return runeWidth(r) == 0 })
			if c != "" && c != " " {
				want = append(want, c)
			}
		}
		if strings.Join(got, "|") == strings.Join(want, "|") {
			passed++
		} else {
			t.Logf("%+q: got %+q, want %+q", text, got, want)
		}
	}
	ratchet(t, "graphemes", passed, of)
}

// TestClusterCells prints clusters that widths are hard to tell of: each is one
// cell, or loses what has no meaning in it.
func TestClusterCells(t *testing.T) {
	for _, c := range []struct {
		in, text string
		width    int
	}{
		{"❤", "", 1},
		{"❤\ufe0f", "", 2},
		{"☎\ufe0e", "", 1},
		{"☔\ufe0e", "", 2}, // the width of its table, as the painter has it
		{"1\ufe0f\u20e3", "", 2},
		{"1\u20e3", "", 1},
		{"x\ufe0f", "x", 1}, // no emoji: the selector means nothing
		{"→\ufe0fx", "→", 1},
		{"e\u0301\ufe0f", "e\u0301", 1},
		{"漢\U000e0100", "", 2}, // another selector
		{"🖐🏻", "", 2},          // a narrow base with a skin tone
		{"🏌🏾\u200d♂\ufe0f", "", 2},
		{"a🏻", "", 1}, // no emoji either
		{"🏻", "", 2},
		{"🏳\ufe0f\u200d🌈", "", 2},
		{"👩\u200d❤\ufe0f\u200d💋\u200d👨", "", 2},
		{"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "", 2},
		{"🇩🇪", "", 2},
		{"🇩", "", 2},
		{"\u1112\u1161\u11ab", "", 2}, // jamo
		{"क्षि", "", 1},               // a conjunct
		{"\u0600a", "", 1},            // a prepended sign
		{"ｶﾞ", "", 1},
		{"か\u3099", "", 2},
	} {
		if c.text == "" {
			c.text = c.in
		}
		for _, bytewise := range []bool{false, true} {
			e := New(Options{Cols: 10, Rows: 1})
			if bytewise {
				for i := range len(c.in) {
					_, _ = e.Write([]byte{c.in[i]})
				}
			} else {
				_, _ = e.Write([]byte(c.in))
			}
			var s Screen
			e.Snapshot(&s)
			cell, width := s.Row(0)[0], 1
			if cell.Attr&Wide != 0 {
				width = 2
			}
			if got := string(s.AppendText(nil, cell)); got != c.text || width != c.width {
				t.Errorf("%+q is a cell %+q of width %d, want %+q of %d", c.in, got, width, c.text, c.width)
			}
		}
	}
}

// TestClusterWidth: what others are told is what cells have.
func TestClusterWidth(t *testing.T) {
	for text, want := range map[string]int{"a": 1, "漢": 2, "🖐🏻": 2, "❤": 1, "❤\ufe0f": 2, "\u0301": 0, "e\u0301": 1} {
		if got := ClusterWidth(text); got != want {
			t.Errorf("%+q has width %d, want %d", text, got, want)
		}
	}
}

// TestEmoji prints every emoji that Unicode recommends for general interchange:
// each must be one cell of two columns.
func TestEmoji(t *testing.T) {
	b, err := os.ReadFile("/usr/share/unicode/emoji/emoji-test.txt")
	if err != nil {
		t.Skip("no emoji-test.txt: install unicode-data")
	}
	n := 0
	for line := range strings.SplitSeq(string(b), "\n") {
		codes, status, _ := strings.Cut(line, ";")
		if !strings.HasPrefix(strings.TrimSpace(status), "fully-qualified") {
			continue
		}
		n++
		e := New(Options{Cols: 4, Rows: 1})
		text := codePoints(codes)
		_, _ = e.Write([]byte(text))
		var s Screen
		e.Snapshot(&s)
		if c := s.Row(0)[0]; string(s.AppendText(nil, c)) != text || c.Attr&Wide == 0 || s.Row(0)[2] != Blank {
			t.Errorf("%s is not one cell of two columns", line)
		}
	}
	t.Logf("%d emoji", n)
}
