package panes

import "testing"

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
		"pasted, then sent":       {[]string{"p\x1b[200~", "pa", "\x1b[201~", "\r"}, 0},
	} {
		var d draft
		for _, k := range c.keys {
			of := typed
			if len(k) > 1 && k[0] == 'p' {
				k, of = k[1:], pasted
			}
			d.take([]byte(k), of)
		}
		if got := d.left(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
