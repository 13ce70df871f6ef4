package kinds

import (
	"strings"
	"unicode/utf8"

	"reprise/agent"
)

// signs are how to tell by what a program shows what it does, without its hooks.
type signs struct{ titles []title }

// title is how a title begins while a program does something. spinner stands for any
// of the characters of a spinner.
type title struct {
	begins string
	doing  agent.Doing
}

// spinner is any braille pattern: one of them is drawn after the other.
const spinner = "⠿"

func (s signs) Title(shown string) agent.Doing {
	for _, t := range s.titles {
		if begins(shown, t.begins) {
			return t.doing
		}
	}
	return agent.DoingUnknown
}

// begins is strings.HasPrefix, but spinner begins with any character of one.
func begins(s, with string) bool {
	if rest, spins := strings.CutPrefix(with, spinner); spins {
		r, n := utf8.DecodeRuneInString(s)
		return r >= 0x2800 && r <= 0x28ff && strings.HasPrefix(s[n:], rest)
	}
	return strings.HasPrefix(s, with)
}
