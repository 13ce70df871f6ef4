package frame

import (
	"fmt"
	"strconv"
	"strings"

	"reprise/ui/theme"
)

// run is a piece of text with one look.
type run struct {
	text  string
	token theme.Token
	bold  bool
	on    theme.Surface
}

func runsWidth(runs []run) int {
	n := 0
	for _, r := range runs {
		n += width(r.text)
	}
	return n
}

// Least widths of a title's parts before they go (look.md §8).
const (
	leastTask = 8
	leastDir  = 8
	leastName = 4
)

// whereGap parts what Pane.Where says; what follows it goes first.
const whereGap = "   "

// title is the two halves of a title row that together fit in n cells, with one
// space round each.
type title struct {
	name, task       string
	dir, glyph, word string
}

// fitTitle shortens what a title says to n cells. First goes the task, then the
// directory, then the state's word; then the name is cut. The glyph stays.
func fitTitle(p *Pane, n int, ascii bool) title {
	m := marks[p.State]
	t := title{name: p.Name, dir: p.Dir, glyph: m.show(ascii), word: m.word}
	if p.Word != "" {
		t.word = p.Word
	}
	queued := ""
	if p.Prompts > 0 {
		queued = fmt.Sprintf("%d queued", p.Prompts)
		if p.Barred {
			queued += ", held"
		}
		t.word = strings.TrimPrefix(t.word+", "+queued, ", ")
	}
	if p.Typed {
		t.dir = typedWords(ascii)
	}
	if p.Where != "" {
		t.dir, t.glyph, t.word = "", "", p.Where
		if first, _, more := strings.Cut(p.Where, whereGap); more && t.width() > n {
			t.word = first
		}
	}
	mark := cutMark
	if ascii {
		mark = cutASCII
	}
	if over := t.width() - n; over > 0 && p.Typed {
		t.dir, _, _ = strings.Cut(t.dir, " ")
	} else if over > 0 && t.dir != "" {
		t.dir = CutPath(t.dir, max(0, width(t.dir)-over), mark)
		if width(t.dir) < leastDir {
			t.dir = ""
		}
	}
	for _, shorter := range []string{queued, ""} { // the glyph says the rest
		if t.width() > n {
			t.word = shorter
		}
	}
	if over := t.width() - n; over > 0 {
		t.name = Cut(t.name, max(leastName, width(t.name)-over), mark)
	}
	if p.Task != "" {
		if room := n - t.width() - 2; room >= leastTask {
			t.task = Cut(p.Task, room, mark)
		}
	}
	return t
}

// typedWords say that a pane gets what is typed, together with others.
func typedWords(ascii bool) string {
	if ascii {
		return typedASCII + " typing here"
	}
	return typedMark + " typing here"
}

// width counts the spaces round the parts and one cell of rule between the
// halves.
func (t title) width() int {
	n := width(t.name) + 2
	if t.task != "" {
		n += width(t.task) + 2
	}
	state := strings.TrimSpace(t.glyph + " " + t.word)
	if t.dir == "" && state == "" {
		return n
	}
	n += width(t.dir) + width(state) + 3
	if t.dir != "" && state != "" {
		n += 2
	}
	return n
}

func (t title) halves(p *Pane) (l, r []run) {
	tok := theme.Muted
	if p.Focus {
		tok = theme.Text
	}
	l = append(l, run{text: " "})
	if p.Number > 0 {
		l = append(l, run{text: strconv.Itoa(p.Number), token: theme.Accent, bold: true}, run{text: " "})
	}
	l = append(l, run{text: t.name, token: tok, bold: p.Focus})
	if t.task != "" {
		l = append(l, run{text: "  "}, run{text: t.task, token: theme.Muted})
	}
	l = append(l, run{text: " "})
	m := marks[p.State]
	if p.Where != "" {
		m = mark{token: theme.Muted}
	}
	state := strings.TrimSpace(t.glyph + " " + t.word)
	if t.dir == "" && state == "" {
		return l, nil
	}
	r = append(r, run{text: " "})
	if t.dir != "" {
		dir := run{text: t.dir, token: theme.Muted}
		if p.Typed {
			dir.token, dir.bold = theme.Attn, true
		}
		r = append(r, dir)
	}
	if t.dir != "" && state != "" {
		r = append(r, run{text: "  "})
	}
	if state != "" {
		r = append(r, run{text: state, token: m.token, bold: m.bold})
	}
	return l, append(r, run{text: " "})
}

func (c *Composer) title(p *Pane) {
	if p.Title.H == 0 || p.Title.W < 3 || p.Title.Y >= c.top {
		return
	}
	n := p.Title.W - 2
	if p.Number > 0 {
		n -= len(strconv.Itoa(p.Number)) + 1
	}
	l, r := fitTitle(p, n, c.ascii).halves(p)
	x := p.Title.X + 1
	c.runs(x, p.Title.Y, p.Title.W-2, l)
	if w := runsWidth(r); w > 0 && w+runsWidth(l) <= p.Title.W-2 {
		c.runs(p.Title.X+p.Title.W-1-w, p.Title.Y, w, r)
	}
}
