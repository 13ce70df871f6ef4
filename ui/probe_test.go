package ui_test

import (
	"testing"

	"reprise/ui/pump"
)

// A terminal that does not tell where its cursor is answers that it is in the first
// row, and in the form of a key. While it is asked no such bytes are typed; once it
// has answered the last question they are the key again.
func TestAnswerInTheFirstRowIsNoKey(t *testing.T) {
	for name, s := range map[string]struct{ says, typed string }{
		"in the first row":            {"\x1b[1;1R", ""},
		"in the first row, elsewhere": {"\x1b[1;3R", ""},
		"once, then the key":          {"\x1b[1;1R\x1b[1;2R", "\x1b[1;2R"},
		"in another row":              {"\x1b[7;1R\x1b[1;2R", "\x1b[1;2R"},
		"never":                       {"\x1b[?62;22c\x1b[1;2R", "\x1b[1;2R"},
		"after other keys":            {"a\x1bOR\x1b[1;1R", "a\x1bOR"},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, 1, func(c *client) {
				c.m.Enter()
				pump.New(c.event).Feed([]byte(s.says))
				if got := c.programs[0].typed(); got != s.typed {
					t.Errorf("the program was sent %q, want %q", got, s.typed)
				}
			})
		})
	}
}
