package vt

import (
	"bytes"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// clusterBytes bounds what one cell can hold: the longest emoji sequences take
// about 35 bytes. Further marks are dropped.
const clusterBytes = 96

const (
	zwj        = 0x200D
	emojiStyle = 0xFE0F // variation selector 16
)

// runeWidth is the number of columns of a code point by itself, 0 to 2. The
// common scripts are decided here; the rest is asked of the table that the
// painter uses too, so that both agree.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r >= 0x2500 && r <= 0x259F: // box drawing, blocks
		return 1
	case isKanaOrHan(r), r >= 0xAC00 && r <= 0xD7A3:
		return 2
	}
	w := displaywidth.Rune(r)
	if w == 0 && r != zwj && opensCluster(r) {
		return 1 // a sign that stands before its letters is seen, even alone
	}
	return w
}

// clusterWidth is the number of columns of a cluster. A skin tone makes an emoji of
// the pictograph that it follows (UTS 51), whatever that is by itself.
func clusterWidth(s []byte) int {
	w := displaywidth.Bytes(s)
	if w == 1 && hasSkinTone(s) {
		if r, _ := utf8.DecodeRune(s); isPictograph(r) {
			return 2
		}
	}
	return w
}

// ClusterWidth is how many columns an emulator gives to a grapheme cluster, 0 to 2:
// whoever paints its cells must measure as it does.
func ClusterWidth(cluster string) int { return min(clusterWidth([]byte(cluster)), 2) }

func hasSkinTone(s []byte) bool { return bytes.ContainsFunc(s, isSkinTone) }

func isSkinTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// isPictograph reports whether r may be an emoji (Extended_Pictographic): a joiner
// binds those and nothing else.
func isPictograph(r rune) bool {
	return r >= 0xA9 && isOneCluster(append(utf8.AppendRune(nil, r), "\u200d\U0001F467"...))
}

// takesEmojiStyle reports whether the variation selector 16 has a meaning behind r:
// in the sequences that UTS 51 defines it follows a pictograph, a skin tone or the
// base of a keycap.
func takesEmojiStyle(r rune) bool {
	return r >= '0' && r <= '9' || r == '#' || r == '*' || isSkinTone(r) || isPictograph(r)
}

func isKanaOrHan(r rune) bool {
	return r >= 0x3400 && r <= 0x9FFF && (r < 0x4DC0 || r > 0x4DFF) || r >= 0x3041 && r <= 0x3096 || r >= 0x30A0 && r <= 0x30FF
}

// plainRanges hold no code point that extends a cluster of ordinary text, in
// ascending order: a quick no for most of what is printed.
var plainRanges = [...][2]rune{
	{0x370, 0x482},
	{0x48A, 0x590},
	{0x1E00, 0x200A},
	{0x2010, 0x2027},
	{0x2030, 0x205F},
	{0x2070, 0x20CF},
	{0x2100, 0x2CEE},
	{0x3041, 0x3096},
	{0x30A0, 0x30FF},
	{0x3400, 0xA66E},
	{0xAC00, 0xD7A3},
	{0xE000, 0xFAFF},
	{0x1F000, 0x1F1E5},
	{0x1F200, 0x1F3FA},
	{0x1F400, 0x1FAFF},
	{0x20000, 0x3FFFF},
}

// isPlain reports whether r cannot extend a cluster unless that ends in a way
// that opensCluster tells.
func isPlain(r rune) bool {
	if r < 0x300 || r >= 0x2500 && r <= 0x259F || r >= 0x4E00 && r <= 0x9FFF {
		return true
	}
	for _, p := range plainRanges {
		if r <= p[1] {
			return r >= p[0]
		}
	}
	return false
}

// opensCluster reports whether what follows r may join it though it is plain by
// itself: a joiner takes a pictograph, a prepended mark any letter, a leading jamo
// a syllable (UAX 29, GB6, GB9b and GB11).
func opensCluster(r rune) bool {
	switch {
	case r < 0x600, r >= 0x2010 && r < 0xA960:
		return false
	case r == zwj, r >= 0x1100 && r <= 0x115F, r >= 0xA960 && r <= 0xA97C:
		return true
	case r <= 0x605, r == 0x6DD, r == 0x70F, r == 0x890, r == 0x891, r == 0x8E2, r == 0xD4E:
		return true
	case r >= 0x110BD && r <= 0x11FFF:
		return isOneCluster(utf8.AppendRune(utf8.AppendRune(nil, r), 'a'))
	}
	return false
}

// isOneCluster reports whether s is exactly one extended grapheme cluster.
func isOneCluster(s []byte) bool {
	it := graphemes.FromBytes(s)
	return it.Next() && it.End() == len(s)
}
