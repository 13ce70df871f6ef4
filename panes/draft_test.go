package panes

import (
	"encoding/json"
	"testing"
	"time"
)

// What stands in a program's line of input is told by the keys that went there.
func TestDraft(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string
		want int
	}{
		"nothing":                 {nil, 0},
		"text":                    {[]string{"f", "ix é"}, 5},
		"sent":                    {[]string{"f", "\r"}, 0},
		"sent, kitty keys":        {[]string{"f", "\x1b[13u"}, 0},
		"every key reported":      {[]string{"\x1b[102u", "\x1b[102;1:3u", "\x1b[105;2u", "\x1b[120;1:2u"}, 3},
		"text is reported, too":   {[]string{"\x1b[97;;97u", "\x1b[0;;233u", "\x1b[57441;2u"}, 2},
		"reported, taken back":    {[]string{"\x1b[97u", "\x1b[98u", "\x1b[127u", "\x1b[127;1:3u"}, 1},
		"reported, sent":          {[]string{"\x1b[97u", "\x1b[13u", "\x1b[13;1:3u"}, 0},
		"reported, a new line":    {[]string{"\x1b[97u", "\x1b[13;2u"}, 1},
		"reported, dropped":       {[]string{"\x1b[97u", "\x1b[99;5u"}, 0},
		"reported, num lock":      {[]string{"\x1b[97;129u", "\x1b[13;129u", "\x1b[98;129u"}, 1},
		"xterm's other keys":      {[]string{"\x1b[27;2;65~", "\x1b[27;5;97~", "\x1b[200u~", "\x1b[;;;u", "\x1b["}, 1},
		"text and enter":          {[]string{"fix\r"}, 0},
		"a new line is none":      {[]string{"f", "\x1b\r", "x"}, 2},
		"taken back":              {[]string{"a", "b", "\x7f", "\x7f", "\x7f"}, 0},
		"half taken back":         {[]string{"a", "b", "\x7f"}, 1},
		"dropped":                 {[]string{"a", "b", "\x03"}, 0},
		"line dropped":            {[]string{"a", "b", "\x15"}, 0},
		"keys that type nothing":  {[]string{"\x1b[A", "\x1b[Z", "\x1b", "\x01", "\x1bOB"}, 0},
		"typed after it was sent": {[]string{"a", "\r", "b"}, 1},
		"pasted":                  {[]string{"p\x1b[200~", "pa\r\nb", "\x1b[201~"}, 4},
		"pasted in one":           {[]string{"p\x1b[200~a\x1b[201~"}, 13},
		"pasted with an enter":    {[]string{"pls\r"}, 0},
		"pasted in one, a line":   {[]string{"p\x1b[200~a\r\x1b[201~"}, 14},
		"pasted, a whole line":    {[]string{"p\x1b[200~", "prm -rf old\r", "\x1b[201~"}, 11},
		"pasted, lines in pieces": {[]string{"p\x1b[200~", "pa\r", "p\r", "pb\r", "\x1b[201~"}, 5},
		"pasted, marks in it":     {[]string{"p\x1b[200~", "p\x1b[200~\r", "p\r", "\x1b[201~"}, 8},
		"typed while it comes in": {[]string{"p\x1b[200~", "pa", "\r", "\x03", "pb\r", "\x1b[201~"}, 5},
		"a mark that is none":     {[]string{"p\x1b[200~a\r"}, 0},
		"ctrl+j, a new line":      {[]string{"a", "\n", "b"}, 3},
		"pasted, then sent":       {[]string{"p\x1b[200~", "pa", "\x1b[201~", "\r"}, 0},
	} {
		var d draft
		for _, k := range c.keys {
			of := typed
			if len(k) > 1 && k[0] == 'p' {
				k, of = k[1:], pasted
			}
			d.take([]byte(k), of, time.Unix(0, 0))
		}
		if got := d.left(nil); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// Some programs empty their line when escape is pressed twice: soon, and nothing else in
// between.
func TestDraftIsDroppedByEscapes(t *testing.T) {
	const soon, late = 100 * time.Millisecond, time.Second
	for name, c := range map[string]struct {
		keys []string
		gap  time.Duration
		want int
	}{
		"twice":              {[]string{"a", "b", "\x1b", "\x1b"}, soon, 0},
		"once":               {[]string{"a", "b", "\x1b"}, soon, 2},
		"late":               {[]string{"a", "b", "\x1b", "\x1b"}, late, 2},
		"a key between":      {[]string{"a", "\x1b", "b", "\x1b"}, soon, 2},
		"then more":          {[]string{"a", "\x1b", "\x1b", "b"}, soon, 1},
		"kitty keys":         {[]string{"\x1b[97u", "\x1b[27u", "\x1b[27;1:3u", "\x1b[27u"}, soon, 0},
		"kitty keys, locked": {[]string{"\x1b[97;129u", "\x1b[27;129u", "\x1b[27;129u"}, soon, 0},
	} {
		var d draft
		begun := time.Unix(0, 0)
		now := begun
		for _, k := range c.keys {
			d.take([]byte(k), typed, now)
			now = now.Add(c.gap)
		}
		if got := d.left(&begun); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if name == "twice" && d.left(nil) != 2 {
			t.Errorf("%s: where it means nothing %d", name, d.left(nil))
		}
		if at := begun.Add(time.Minute); name == "twice" && d.left(&at) != 2 {
			t.Errorf("%s: before it rested %d", name, d.left(&at))
		}
	}
}

// An upgrade forgets nothing that is half typed, not even one from a version that tells
// less of it.
func TestDraftInAnUpgrade(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	var d draft
	for _, k := range []string{"a", "b", "\x1b", "\x1b", "c"} {
		d.take([]byte(k), typed, now)
	}
	d.take([]byte("\x1b[200~"), pasted, now)
	var x, read Handover
	d.handOver(&x)
	b, err := json.Marshal(x)
	if err == nil {
		err = json.Unmarshal(b, &read)
	}
	var next draft
	next.takeOver(read)
	next.take([]byte("d\r"), pasted, now)
	if before := now.Add(-time.Second); err != nil || next.left(nil) != 5 || next.left(&before) != 3 {
		t.Errorf("%v, %d and %d letters", err, next.left(nil), next.left(&before))
	}
	for name, x := range map[string]Handover{"of an older one": {Draft: 12}, "nonsense": {Draft: 12, Dropped: -3}} {
		var old draft
		old.takeOver(x)
		if old.left(nil) != 12 || old.left(&time.Time{}) != 12 {
			t.Errorf("%s: %d and %d letters", name, old.left(nil), old.left(&time.Time{}))
		}
	}
}
