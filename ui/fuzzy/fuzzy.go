// Package fuzzy says how well what a person typed fits a text: every word of it
// must be found, at best as it stands and where a word begins, else as letters in
// this order. It is pure; a Matcher is not safe for concurrent use.
package fuzzy

import (
	"slices"
	"strings"
	"unicode"
)

// Scores. What stands together is worth more than what begins a word, and that
// more than being at the front.
const (
	perLetter = 16
	atWord    = 12
	atFront   = 4
	perGap    = 4 // taken off for each letter that stands between
	atWhole   = 8 // what was typed is all of the text
	elsewhere = 4 // a word found in what is not shown
)

// most is how many letters may stand between two of a word, in the mean.
const most = 10

// Matcher looks for what was typed. The zero Matcher finds everything.
type Matcher struct {
	words []word
	text  []rune
	at    []int // of each rune of text, in bytes
}

// word is one word that was typed: upper case counts only if it has some.
type word struct {
	letters []rune
	exact   bool
}

// New makes a matcher of what was typed: words between blanks, in any order.
func New(typed string) *Matcher {
	m := &Matcher{}
	for _, w := range strings.Fields(typed) {
		letters := []rune(w)
		m.words = append(m.words, word{letters, slices.ContainsFunc(letters, unicode.IsUpper)})
	}
	return m
}

// Match tells how well a text fits: the higher the better; ok is false if a word is
// in neither text nor also. hits are the places in text, in bytes and ascending, of
// the letters that were found.
func (m *Matcher) Match(text, also string) (score int, hits []int, ok bool) {
	m.take(text)
	whole := len(m.words) == 1 && len(m.words[0].letters) == len(m.text)
	var missing []word
	for _, w := range m.words {
		n, found := w.find(m.text)
		if found == nil {
			missing = append(missing, w)
			continue
		}
		score += n
		for _, i := range found {
			hits = append(hits, m.at[i])
		}
	}
	if len(missing) > 0 {
		m.take(also)
	}
	for _, w := range missing {
		if _, found := w.together(m.text); found == nil {
			return 0, nil, false
		}
		score += elsewhere
	}
	if whole && len(missing) == 0 {
		score += atWhole
	}
	slices.Sort(hits)
	return score, slices.Compact(hits), true
}

func (m *Matcher) take(s string) {
	m.text, m.at = m.text[:0], m.at[:0]
	for i, r := range s {
		m.text, m.at = append(m.text, r), append(m.at, i)
	}
}

// find is where a word is in a text, letter by letter; nil: it is not.
func (w word) find(text []rune) (score int, at []int) {
	if score, at = w.together(text); at != nil {
		return score, at
	}
	return w.apart(text)
}

// together finds the word as it stands: the first place where it begins a word, else
// the first one.
func (w word) together(text []rune) (score int, at []int) {
	first := -1
	for i := 0; i+len(w.letters) <= len(text); i++ {
		if !w.here(text[i:]) {
			continue
		}
		if begins(text, i) {
			first = i
			break
		}
		if first < 0 {
			first = i
		}
	}
	if first < 0 {
		return 0, nil
	}
	for i := range w.letters {
		at = append(at, first+i)
	}
	return perLetter*len(w.letters) + place(text, first), at
}

func (w word) here(text []rune) bool {
	for i, r := range w.letters {
		if !w.same(r, text[i]) {
			return false
		}
	}
	return true
}

func (w word) same(typed, r rune) bool {
	return typed == r || !w.exact && typed == unicode.ToLower(r)
}

// none is where no letter follows.
const none = -1

// apart finds the letters of the word in their order, the first of them where a word
// begins, each other one in the same word of the text as the one before or where
// another begins: what people shorten is matched, scattered letters are not.
func (w word) apart(text []rune) (score int, at []int) {
	if len(w.letters) < 2 {
		return 0, nil
	}
	next := make([][]int, len(w.letters)) // by letter and place: where the letter behind it is
	for k := len(w.letters) - 1; k >= 0; k-- {
		next[k] = w.ahead(text, k, next)
	}
	for i := range text {
		if begins(text, i) && next[0][i] != none {
			for k := range w.letters {
				at = append(at, i)
				i = next[k][i]
			}
			break
		}
	}
	if at == nil {
		return 0, nil
	}
	gaps := at[len(at)-1] + 1 - at[0] - len(at)
	if gaps > most*len(at) {
		return 0, nil
	}
	score = perLetter * len(at) / 2
	for _, i := range at {
		score += place(text, i) / 2
	}
	return max(1, score-perGap*gaps/2), at
}

// ahead tells for each place of a text where the letter behind letter k is, if letter
// k is there and all others follow; for the last letter it is its own place.
func (w word) ahead(text []rune, k int, next [][]int) []int {
	to := make([]int, len(text))
	same, other := none, none // the nearest places of the letter behind: in this word, and where one begins
	for i := len(text) - 1; i >= 0; i-- {
		to[i] = none
		last := k == len(w.letters)-1
		if w.same(w.letters[k], text[i]) {
			switch {
			case last:
				to[i] = i
			case same != none:
				to[i] = same
			default:
				to[i] = other
			}
		}
		if !last && next[k+1][i] != none {
			same = i
		}
		if begins(text, i) {
			if same == i {
				other = i
			}
			same = none
		}
	}
	return to
}

// place is what it is worth to be at a place.
func place(text []rune, i int) (score int) {
	if begins(text, i) {
		score = atWord
	}
	if i == 0 {
		score += atFront
	}
	return score
}

// begins reports whether a word begins at a place.
func begins(text []rune, i int) bool {
	if i == 0 {
		return true
	}
	was, is := text[i-1], text[i]
	inWord := unicode.IsLetter(was) || unicode.IsDigit(was)
	return !inWord || unicode.IsLower(was) && unicode.IsUpper(is)
}
