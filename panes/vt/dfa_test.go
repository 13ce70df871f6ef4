package vt

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// scan is what a scanner finds of an expression in a line.
func scan(tb testing.TB, text, line string) (got [][]int) {
	tb.Helper()
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		tb.Fatal(err)
	}
	a := newAutomaton(tree.Simplify())
	if a == nil {
		tb.Fatalf("%s has no automaton", text)
	}
	newScanner(a, regexp.MustCompile(text)).line([]byte(line), func(from, to int) { got = append(got, []int{from, to}) })
	return got
}

// nonempty are the matches that package regexp finds, without empty ones.
func nonempty(text, line string) (want [][]int) {
	for _, m := range regexp.MustCompile(text).FindAllStringIndex(line, -1) {
		if m[0] < m[1] {
			want = append(want, m)
		}
	}
	return want
}

func TestScanner(t *testing.T) {
	lines := []string{"", "a", "aaa", "abab aabb", "xyz 123456 12345 1234567", "größe ÄÖ 日本語 e\u0301 ß K\u212a", "a.b|c*d", "foofoobar foobar", " \t x", "ABCabc"}
	for _, text := range []string{
		`[0-9]{6}`, `\d+`, `a+`, `a+?`, `(a|ab)(c|bcd)?`, `ab|aab`, `(a|ab|aabb)b`, `foo(foobar)?`, `(foo)+?bar`, `.`, `..`, `[^a]+`, `\s\S`, `x.*?z`, `.*b`,
		`(?i)abc`, `(?i)k`, `(?i)ß`, `\pL+`, `[\p{Han}]`, `é`, `[ä-ü]+`, `a{2,3}?`, `(?:a|b)*?b`, `(?s).`,
		`^a`, `b$`, `\bfoo`, `\Boo\B`, `^.*$`, `\b\d{5}\b`, `$`, `\bx|[a-c]`,
	} {
		for _, line := range lines {
			if got, want := scan(t, text, line), nonempty(text, line); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s in %q: %v, want %v", text, line, got, want)
			}
		}
	}
	// What may be empty is found where it is not: an empty match is none.
	for _, c := range []struct {
		text, line string
		want       [][]int
	}{
		{`a*`, "baab", [][]int{{1, 3}}},
		{`a*?`, "baab", [][]int{{1, 2}, {2, 3}}},
		{`(|ab)`, "cab", [][]int{{1, 3}}},
		{`(.*x)?`, "aaxa", [][]int{{0, 3}}},
	} {
		if got := scan(t, c.text, c.line); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s in %q: %v, want %v", c.text, c.line, got, c.want)
		}
	}
}

// Whatever the expression: a scanner finds what package regexp does.
func TestScannerAgreesWithRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var expr func(depth int) string
	expr = func(depth int) string {
		atoms := []string{"a", "b", "c", "ab", ".", "[ab]", "[^a]", "é", `\d`, `\w`}
		if depth == 0 {
			return atoms[r.IntN(len(atoms))]
		}
		switch r.IntN(6) {
		case 0:
			return "(?:" + expr(depth-1) + "|" + expr(depth-1) + ")"
		case 1:
			return "(?:" + expr(depth-1) + ")" + []string{"+", "+?", "{2}", "{1,3}", "{1,3}?"}[r.IntN(5)]
		case 2:
			return expr(depth-1) + "(?:" + expr(depth-1) + ")" + []string{"*", "*?", "?", "??"}[r.IntN(4)]
		case 3:
			return expr(depth-1) + []string{`\b`, `\B`, "$", ""}[r.IntN(4)]
		}
		return expr(depth-1) + expr(depth-1)
	}
	for range 2000 {
		text := expr(3)
		var line strings.Builder
		for range r.IntN(24) {
			line.WriteString([]string{"a", "b", "c", "1", " ", "é", "ab"}[r.IntN(7)])
		}
		if got, want := scan(t, text, line.String()), nonempty(text, line.String()); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%s in %q: %v, want %v", text, line.String(), got, want)
		}
	}
}

// A dfa that is full goes on, and one of too large an expression is not made.
func TestScannerOfManyStates(t *testing.T) {
	var line strings.Builder
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		line.WriteByte("ab"[r.IntN(2)])
	}
	const text = `a[ab]{11}c|b[ab]{12}aaaaaaaa`
	if got, want := scan(t, text, line.String()), nonempty(text, line.String()); len(want) == 0 || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
	tree, err := syntax.Parse(`(?:(?:abcdefghij){20}){10}`, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	if newAutomaton(tree.Simplify()) != nil {
		t.Error("an automaton of 2000 states")
	}
	p, err := NewPattern(`(?:(?:[ab]cdefghij){20}){10}|[xy]`, true)
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Cols: 20, Rows: 2})
	fmt.Fprint(e, "..x")
	var l Lines
	e.ReadLines(&l, 0, 10)
	n := 0
	p.Find(&l, func(Span) { n++ })
	if n != 1 {
		t.Errorf("%d matches without an automaton", n)
	}
}

// An expression that looks to the end of a line from each of its matches ends, and
// in the time of a few hundred lines.
func TestScannerIsBounded(t *testing.T) {
	line := strings.Repeat("a", 50_000)
	got := scan(t, `a(?:.*b)?`, line)
	if n := len(got); n < 100 || n > maxLooks+1 {
		t.Errorf("%d matches of a hostile line", n)
	}
}
