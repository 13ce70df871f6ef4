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
