package frame

import (
	"reprise/ui/theme"
)

const (
	wideGap   = 3 // spaces between keys
	narrowGap = 2
	textX     = 3 // words begin in a strip's fourth cell
	maxWords  = 3 // rows of words
)

// shortVerbs are the verbs that shrink before keys wrap.
var shortVerbs = map[string]string{"shell here": "shell"}

func (h Hint) width() int { return width(h.Key) + 1 + width(h.Verb) }

func hintsWidth(keys []Hint, gap int) int {
	n := 0
	for i, k := range keys {
		if i > 0 {
			n += gap
		}
		n += k.width()
	}
	return n
}

// stripLayout is a strip's rows: words first, keys below or, if inline, at the
// right of the only row.
type stripLayout struct {
	words  []string
	keys   [][]Hint
	gap    int
	keyX   int
	inline bool
}

func (l stripLayout) rows() int {
	if l.inline {
		return 1
	}
	return len(l.words) + len(l.keys)
}

// layStrip fits a strip into w cells of a pane of h rows. Words may be cut, keys
// never: they wrap between one another, and if all else fails words give way.
func layStrip(s *Strip, w, h int, ascii bool) stripLayout {
	mark := cutMark
	if ascii {
		mark = cutASCII
	}
	words, keys := prose(s.Words, ascii), s.Keys.list()
	room := w - textX - 1
	if len(keys) == 0 {
		return stripLayout{words: []string{Cut(words, room, mark)}, inline: true}
	}
	if width(words)+narrowGap+hintsWidth(keys, wideGap) <= room {
		return stripLayout{words: []string{words}, keys: [][]Hint{keys}, gap: wideGap, keyX: w - 1 - hintsWidth(keys, wideGap), inline: true}
	}
	l := stripLayout{gap: wideGap, keyX: textX}
	l.layKeys(keys, w, h)
	rows := min(maxWords, max(1, h/2-len(l.keys)))
	if len(l.keys)+1 > h {
		rows = 0
	}
	l.words = Wrap(words, room, rows, mark)
	return l
}

func (l *stripLayout) layKeys(keys []Hint, w, h int) {
	room := w - textX
	if hintsWidth(keys, l.gap) > room {
		l.gap = narrowGap
	}
	if hintsWidth(keys, l.gap) > room {
		short := make([]Hint, len(keys))
		for i, k := range keys {
			if v, ok := shortVerbs[k.Verb]; ok {
				k.Verb = v
			}
			short[i] = k
		}
		keys = short
	}
	l.keys = wrapKeys(keys, room, l.gap)
	if len(l.keys)+1 > h {
		// The last resort in the smallest panes: two cells more by giving up
		// the alignment with the words.
		if k := wrapKeys(keys, w-1, l.gap); len(k) < len(l.keys) {
			l.keys, l.keyX = k, 1
		}
	}
}

// wrapKeys breaks a row of keys between keys into rows of n cells.
func wrapKeys(keys []Hint, n, gap int) [][]Hint {
	var rows [][]Hint
	start := 0
	for i := range keys {
		if i > start && hintsWidth(keys[start:i+1], gap) > n {
			rows = append(rows, keys[start:i])
			start = i
		}
	}
	return append(rows, keys[start:])
}

// stripRows is how many rows of a pane its strip covers.
func stripRows(p *Pane, ascii bool) int {
	if p.Strip.Words == "" || p.Grid.H < 1 || p.Grid.W < textX+2 {
		return 0
	}
	return min(p.Grid.H, layStrip(&p.Strip, p.Grid.W, p.Grid.H, ascii).rows())
}

func (c *Composer) strip(p *Pane) {
	n := stripRows(p, c.ascii)
	if n == 0 {
		return
	}
	l := layStrip(&p.Strip, p.Grid.W, p.Grid.H, c.ascii)
	x, y := p.Grid.X, p.Grid.Y+p.Grid.H-n
	for i := range n {
		c.fill(x, y+i, p.Grid.W, theme.OnSel)
	}
	m := marks[p.Strip.State]
	c.runs(x+1, y, 1, []run{{text: m.show(c.ascii), token: m.token, bold: m.bold, on: theme.OnSel}})
	for i, s := range l.words {
		c.runs(x+textX, y+i, p.Grid.W-textX, []run{{text: s, on: theme.OnSel}})
	}
	if !l.inline {
		y += len(l.words)
	}
	for i, row := range l.keys {
		if y+i >= p.Grid.Y+p.Grid.H {
			break
		}
		c.runs(x+l.keyX, y+i, p.Grid.W-l.keyX, hintRuns(row, l.gap, theme.OnSel))
	}
}

func hintRuns(keys []Hint, gap int, on theme.Surface) []run {
	var out []run
	for i, k := range keys {
		if i > 0 {
			out = append(out, run{text: "   "[:gap], on: on})
		}
		out = append(out,
			run{text: k.Key, token: theme.Accent, bold: true, on: on},
			run{text: " ", on: on},
			run{text: k.Verb, token: theme.Muted, on: on})
	}
	return out
}
