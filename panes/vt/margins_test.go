package vt_test

import (
	"fmt"
	"strings"
	"testing"

	"reprise/panes/vt"
)

// letters is five rows of five letters, region the margins around the middle nine.
const (
	letters = "abcde\r\nfghij\r\nklmno\r\npqrst\r\nuvwxy"
	region  = "\x1b[?69h\x1b[2;4s\x1b[2;4r"
	free    = "\x1b[r\x1b[?69l"
)

// TestMargins holds what xterm and the VT420 do at the margins: what moves, what
// stays, and where the cursor ends. Rows are separated by |.
func TestMargins(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		x, y           int // from 1, as programs count
	}{
		{"SU in the region", letters + region + "\x1b[2;3H\x1b[2S", "abcde|fqrsj|k   o|p   t|uvwxy", 3, 2},
		{"SU from outside", letters + region + "\x1b[1;1H\x1b[2S", "abcde|fqrsj|k   o|p   t|uvwxy", 1, 1},
		{"SU by more than there is", letters + region + "\x1b[99S", "abcde|f   j|k   o|p   t|uvwxy", 1, 1},
		{"SU between the sides", letters + "\x1b[?69h\x1b[2;4s\x1b[2S", "almne|fqrsj|kvwxo|p   t|u   y", 1, 1},
		{"SD", letters + region + "\x1b[2T", "abcde|f   j|k   o|pghit|uvwxy", 1, 1},
		{"IL", letters + region + "\x1b[2;3H\x1b[L", "abcde|f   j|kghio|plmnt|uvwxy", 2, 2},
		{"IL by more", letters + region + "\x1b[3;3H\x1b[99L", "abcde|fghij|k   o|p   t|uvwxy", 2, 3},
		{"IL above the region", letters + region + "\x1b[1;1H\x1b[L", "abcde|fghij|klmno|pqrst|uvwxy", 1, 1},
		{"IL beside the region", letters + region + "\x1b[3;5H\x1b[L", "abcde|fghij|klmno|pqrst|uvwxy", 5, 3},
		{"DL", letters + region + "\x1b[2;3H\x1b[2M", "abcde|fqrsj|k   o|p   t|uvwxy", 2, 2},
		{"ICH", letters + region + "\x1b[3;3H\x1b[@", "abcde|fghij|kl mo|pqrst|uvwxy", 3, 3},
		{"ICH beside the region", letters + region + "\x1b[3;1H\x1b[9@", "abcde|fghij|klmno|pqrst|uvwxy", 1, 3},
		{"DCH", letters + region + "\x1b[3;3H\x1b[P", "abcde|fghij|kln o|pqrst|uvwxy", 3, 3},
		{"ECH knows no margins", letters + region + "\x1b[3;3H\x1b[9X", "abcde|fghij|kl|pqrst|uvwxy", 3, 3},
		{"EL knows no margins", letters + region + "\x1b[3;3H\x1b[K", "abcde|fghij|kl|pqrst|uvwxy", 3, 3},
		{"ED knows no margins", letters + region + "\x1b[3;3H\x1b[1J", "||   no|pqrst|uvwxy", 3, 3},
		{"DECIC", letters + region + "\x1b[3;3H\x1b['}", "abcde|fg hj|kl mo|pq rt|uvwxy", 3, 3},
		{"DECIC outside", letters + region + "\x1b[1;3H\x1b['}", "abcde|fghij|klmno|pqrst|uvwxy", 3, 1},
		{"DECDC", letters + region + "\x1b[3;2H\x1b[2'~", "abcde|fi  j|kn  o|ps  t|uvwxy", 2, 3},
		{"SL", letters + region + "\x1b[3;3H\x1b[ @", "abcde|fhi j|kmn o|prs t|uvwxy", 3, 3},
		{"SR", letters + region + "\x1b[3;3H\x1b[2 A", "abcde|f  gj|k  lo|p  qt|uvwxy", 3, 3},
		{"DECBI at the left margin", letters + region + "\x1b[3;2H\x1b6", "abcde|f ghj|k lmo|p qrt|uvwxy", 2, 3},
		{"DECBI left of it", letters + region + "\x1b[3;1H\x1b6", "abcde|fghij|klmno|pqrst|uvwxy", 1, 3},
		{"DECBI beside the region", letters + "\x1b[?69h\x1b[3;5s\x1b[1;2H\x1b6", "abcde|fghij|klmno|pqrst|uvwxy", 1, 1},
		{"DECFI at the right margin", letters + region + "\x1b[3;4H\x1b9", "abcde|fhi j|kmn o|prs t|uvwxy", 4, 3},
		{"DECFI right of it", letters + region + "\x1b[3;5H\x1b9", "abcde|fghij|klmno|pqrst|uvwxy", 6, 3},
		{"IND at the bottom", letters + region + "\x1b[4;3H\x1bD", "abcde|flmnj|kqrso|p   t|uvwxy", 3, 4},
		{"IND at the bottom, beside", letters + region + "\x1b[4;5H\x1bD", "abcde|fghij|klmno|pqrst|uvwxy", 5, 4},
		{"IND below the region", letters + region + "\x1b[5;3H\x1bD", "abcde|fghij|klmno|pqrst|uvwxy", 3, 6},
		{"RI at the top", letters + region + "\x1b[2;3H\x1bM", "abcde|f   j|kghio|plmnt|uvwxy", 3, 2},
		{"RI at the top, beside", letters + region + "\x1b[2;1H\x1bM", "abcde|fghij|klmno|pqrst|uvwxy", 1, 2},
		{"RI above the region", letters + region + "\x1b[1;3H\x1bM", "abcde|fghij|klmno|pqrst|uvwxy", 3, 1},
		{"NEL goes to the left margin", letters + region + "\x1b[2;3H\x1bE", "abcde|fghij|klmno|pqrst|uvwxy", 2, 3},
		{"CR in the region", letters + region + "\x1b[2;3H\r", "abcde|fghij|klmno|pqrst|uvwxy", 2, 2},
		{"CR left of the margin", "\x1b[?69h\x1b[5;9s\x1b[2;3H\r", "", 1, 2},
		{"CR left of the margin in origin mode", "\x1b[?69h\x1b[5;9s\x1b[?6h\x1b[?69l\x1b[?69h\x1b[5;9s\r", "", 5, 1},
		{"text wraps between the sides", "\x1b[?69h\x1b[2;4sabcdefgh", "abcd| efg| h", 3, 3},
		{"text without autowrap", "\x1b[?69h\x1b[5;9s\x1b[3;8H\x1b[?7labcdef", "||       af", 9, 3},
		{"text right of the margin", "\x1b[?69h\x1b[2;4s\x1b[1;8Habcdef", "       abc| def", 4, 2},
		{"REP wraps between the sides", "\x1b[?69h\x1b[2;4s\x1b[1;2Ha\x1b[3b", " aaa| a", 3, 2},
		{"IRM stops at the right margin", "\x1b[1;3Habcdef\x1b[?69h\x1b[3;8s\x1b[1;5H\x1b[4hX", "  abXcde", 6, 1},
		{"tab stops at the right margin", "\x1b[?69h\x1b[2;5s\x1b[1;3H\t\t", "", 5, 1},
		{"tab right of it", "\x1b[?69h\x1b[2;5s\x1b[1;6H\t", "", 9, 1},
		{"CUF stops at the right margin", "\x1b[?69h\x1b[2;5s\x1b[1;3H\x1b[9C", "", 5, 1},
		{"CUF right of it", "\x1b[?69h\x1b[2;5s\x1b[1;6H\x1b[99C", "", 10, 1},
		{"CUB stops at the left margin", "\x1b[?69h\x1b[3;5s\x1b[1;4H\x1b[9D", "", 3, 1},
		{"CUB left of it", "\x1b[?69h\x1b[3;5s\x1b[1;2H\x1b[9D", "", 1, 1},
		{"CUU stops at the top margin", "\x1b[3;5r\x1b[4;2H\x1b[9A", "", 2, 3},
		{"CUU above it", "\x1b[3;5r\x1b[2;2H\x1b[9A", "", 2, 1},
		{"CUD stops at the bottom margin", "\x1b[3;5r\x1b[4;2H\x1b[9B", "", 2, 5},
		{"CUD below it", "\x1b[2;3r\x1b[4;2H\x1b[9B", "", 2, 6},
		{"CNL and CPL", "\x1b[3;5H\x1b[2E\x1b[3C\x1b[F", "", 1, 4},
		{"CUP in origin mode", "\x1b[?69h\x1b[3;5s\x1b[2;4r\x1b[?6h\x1b[9;9HX\x1b[1;1HY", "| " + " Y||    X", 4, 2},
		{"VPA and CHA in origin mode", "\x1b[?69h\x1b[3;5s\x1b[2;4r\x1b[?6h\x1b[2d\x1b[2G", "", 4, 3},
		{"margins must be apart", "\x1b[3;3r\x1b[6;1H\n", "", 1, 6},
		{"DECSTBM homes", "\x1b[3;3H\x1b[2;4r", "", 1, 1},
		{"DECSTR keeps the place, not the margins", region + "\x1b[3;3H\x1b[!p\x1b[9D", "", 1, 3},
		{"reverse wrap needs a wrapped line", "\x1b[?45h0123456789\r\n\b", "0123456789", 1, 2},
		{"reverse wrap", "\x1b[?45h0123456789ab\x1b[4D", "0123456789|ab", 9, 1},
		{"reverse wrap of a pending wrap", "\x1b[?45h0123456789\bX", "012345678X", 10, 1},
		{"reverse wrap without autowrap", "\x1b[?45;1045h\x1b[?7l\x1b[2;1H\b", "", 1, 2},
		{"extended reverse wrap", "\x1b[?1045h\x1b[2;1H\b", "", 10, 1},
		{"extended reverse wrap goes to the bottom margin", "\x1b[?1045h\x1b[2;5r\x1b[2;1H\b", "", 10, 5},
		{"extended reverse wrap between the sides", "\x1b[?1045h\x1b[?69h\x1b[3;5s\x1b[3;3H\b", "", 5, 2},
		{"extended reverse wrap from the left edge", "\x1b[?1045h\x1b[?69h\x1b[3;5s\x1b[3;1H\b", "", 5, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := vt.New(vt.Options{Cols: 10, Rows: 6})
			fmt.Fprint(e, c.in)
			var s vt.Screen
			e.Snapshot(&s)
			got := strings.Split(strings.TrimRight(viewText(&s), "\n"), "\n")
			for i := range got {
				got[i] = strings.TrimSuffix(got[i], "↩")
			}
			if text := strings.Join(got, "|"); text != c.want {
				t.Errorf("%q shows %q, want %q", c.in, text, c.want)
			}
			if s.Cursor.X+1 != c.x || s.Cursor.Y+1 != c.y {
				t.Errorf("%q: cursor at %d,%d, want %d,%d", c.in, s.Cursor.X+1, s.Cursor.Y+1, c.x, c.y)
			}
			fmt.Fprint(e, free) // margins go without a trace
			var after vt.Screen
			e.Snapshot(&after)
			if viewText(&s) != viewText(&after) {
				t.Errorf("%q: resetting the margins changed the screen", c.in)
			}
		})
	}
}
