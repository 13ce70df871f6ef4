package kinds

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"reprise/agent"
)

// signs are how to tell by what a program shows what it does, without its hooks.
type signs struct {
	titles  []title
	screens []look
}

// title is how a title begins while a program does something. spinner stands for any
// of the characters of a spinner.
type title struct {
	begins string
	doing  agent.Doing
}

// look is how a screen looks while a program does something: one of its last two rows of
// text begins with foot, which no text above it can have, and each of rows begins one of
// those above. What draws boxes is left out.
type look struct {
	doing agent.Doing
	foot  string
	rows  []string
	// below is how many rows more the program always draws below the foot.
	below int
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

// boxes are characters that boxes are drawn with.
const boxes = " │┃|─━═╭╮╰╯┌┐└┘├┤╴╶▌▐"

// Screen is agent.Expressive's.
func (s signs) Screen(shown []string) agent.Doing {
	if len(s.screens) == 0 {
		return agent.DoingUnknown
	}
	var rows []string
	for _, row := range shown {
		if row = strings.Trim(row, boxes); row != "" {
			rows = append(rows, row)
		}
	}
	for _, l := range s.screens {
		if l.fits(rows) {
			return l.doing
		}
	}
	return agent.DoingUnknown
}

func (l look) fits(rows []string) bool {
	rows = rows[:max(0, len(rows)-l.below)]
	foot := -1
	for i := max(0, len(rows)-2); i < len(rows); i++ {
		if begins(rows[i], l.foot) {
			foot = i
		}
	}
	if foot < 0 {
		return false
	}
	for _, want := range l.rows {
		if !slices.ContainsFunc(rows[:foot], func(row string) bool { return begins(row, want) }) {
			return false
		}
	}
	return true
}

// signDoings are the words that a description may say a title or a screen tells.
var signDoings = []agent.Doing{agent.Working, agent.AsksPermission, agent.AsksAnswer, agent.TurnDone, agent.TurnFailed, agent.Idle, agent.Quiet}

// customSigns reads the titles and screens of a description: "working: ✦ ",
// "permission: Esc to cancel | Do you want to", with "permission+1:" where one more row
// is drawn below.
func customSigns(titles, screens []string) (s signs, err error) {
	for _, t := range titles {
		doing, begins, err := sign("titles", t)
		if err != nil {
			return signs{}, err
		}
		s.titles = append(s.titles, title{begins, doing})
	}
	for _, l := range screens {
		rest, below := cutBelow(l)
		doing, text, err := sign("screens", rest)
		if err != nil {
			return signs{}, err
		}
		rows := strings.Split(text, "|")
		for i := range rows {
			rows[i] = strings.TrimLeft(rows[i], " \t")
			if i < len(rows)-1 {
				rows[i] = strings.TrimSuffix(rows[i], " ") // that in front of the |
			}
			if rows[i] == "" {
				return signs{}, fmt.Errorf("screens: %q has an empty row", l)
			}
		}
		s.screens = append(s.screens, look{doing, rows[0], rows[1:], below})
	}
	return s, nil
}

// cutBelow takes off how many rows are drawn below a foot: "permission+1: how it looks".
func cutBelow(l string) (rest string, below int) {
	word, looks, _ := strings.Cut(l, ":")
	word = strings.TrimSpace(word)
	if at := len(word) - len("+1"); at > 0 && word[at] == '+' && word[at+1] >= '1' && word[at+1] <= '9' {
		return word[:at] + ":" + looks, int(word[at+1] - '0')
	}
	return l, 0
}

// sign reads one of them: what it tells, and how that looks.
func sign(key, s string) (doing agent.Doing, looks string, err error) {
	word, looks, ok := strings.Cut(s, ":")
	doing = agent.Doing(strings.TrimSpace(word))
	if looks = strings.TrimPrefix(looks, " "); !ok || !slices.Contains(signDoings, doing) || strings.TrimSpace(looks) == "" {
		return "", "", fmt.Errorf(`%s: %q is not of the form "working: how it begins"; a word is one of working, permission, answer, done, failed, idle, quiet`, key, s)
	}
	return doing, looks, nil
}
