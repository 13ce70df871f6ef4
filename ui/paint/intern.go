package paint

import (
	"unicode"
	"unicode/utf8"

	"reprise/panes/vt"
)

const (
	// minEntries is how many clusters or links a table holds before it is rebuilt
	// for the first time. No screen of text has as many that differ.
	minEntries = 4096
	maxEntries = 1<<16 - 1 // what a cell can number as a link
	// maxText bounds a table's text, in bytes.
	maxText = 4 << 20
	// maxCluster is well over the longest emoji sequence (35 bytes) and what the
	// emulator lets through; maxLink is what browsers take.
	maxCluster = 128
	maxLink    = 2083
)

// table numbers texts, from 0 on.
type table struct {
	text  []string
	index map[string]int
	bytes int
	limit int  // how many entries make a rebuild due
	full  bool // an entry was refused
}

// find is the number of text, which is added if need be; false if the table is
// full.
func (t *table) find(text string) (int, bool) {
	if id, ok := t.index[text]; ok {
		return id, true
	}
	if len(t.text) >= maxEntries || t.bytes+len(text) > maxText {
		t.full = true
		return 0, false
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	id := len(t.text)
	t.text, t.index[text] = append(t.text, text), id
	t.bytes += len(text)
	return id, true
}

func (t *table) due() bool { return t.full || len(t.text) >= max(t.limit, minEntries) }

func (t *table) at(id int) (string, bool) {
	if id < 0 || id >= len(t.text) {
		return "", false
	}
	return t.text[id], true
}

// Intern is the rune that stands for the text of one cell: the code point itself,
// or a number in the grid's table. Text that could do harm on a terminal (controls,
// broken UTF-8, more than 128 bytes) is U+FFFD. The rune is good until the next
// Frame, Clear or Resize, unless it is in a cell.
func (g *Grid) Intern(text string) rune {
	r, n := utf8.DecodeRuneInString(text)
	if n == len(text) {
		switch {
		case n == 0:
			return ' '
		case unicode.IsControl(r), r >= vt.ClusterBase && r <= vt.ClusterEnd:
			return utf8.RuneError
		}
		return r
	}
	if id, ok := g.clusters.index[text]; ok {
		return vt.ClusterBase + rune(id)
	}
	if !harmless(text, maxCluster) {
		return utf8.RuneError
	}
	id, ok := g.clusters.find(text)
	if !ok {
		return utf8.RuneError
	}
	g.widths = append(g.widths, uint8(vt.ClusterWidth(text)))
	return vt.ClusterBase + rune(id)
}

// Link is the number of a hyperlink's target for cells of this grid; 0 if it could
// do harm on a terminal or there is no room. It is good as long as a rune of
// Intern.
func (g *Grid) Link(target string) uint16 {
	if id, ok := g.links.index[target]; ok {
		return uint16(id) + 1
	}
	if target == "" || !harmless(target, maxLink) {
		return 0
	}
	id, ok := g.links.find(target)
	if !ok {
		return 0
	}
	return uint16(id) + 1
}

func harmless(s string, limit int) bool {
	if len(s) > limit || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return false
		}
	}
	return true
}

// tidy rebuilds the tables when they have grown, so that entries that no cell uses
// go. Numbers then change their meaning, and painters must repaint.
func (g *Grid) tidy() {
	if !g.clusters.due() && !g.links.due() {
		return
	}
	clusters, links := g.clusters, g.links
	g.reset()
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Rune >= vt.ClusterBase && c.Rune <= vt.ClusterEnd {
			text, _ := clusters.at(int(c.Rune - vt.ClusterBase))
			c.Rune = g.Intern(text)
		}
		if c.Link != 0 {
			target, _ := links.at(int(c.Link) - 1)
			c.Link = g.Link(target)
		}
	}
	// A table that is in use to the full is not rebuilt at every entry.
	g.clusters.limit = 2 * len(g.clusters.text)
	g.links.limit = 2 * len(g.links.text)
}

// reset empties the tables.
func (g *Grid) reset() {
	g.clusters, g.links, g.widths = table{}, table{}, nil
	g.gen++
}

// tables reports whether cells of g may refer to its tables.
func (g *Grid) tables() bool { return len(g.clusters.text) > 0 || len(g.links.text) > 0 }

// AppendText appends what c, a cell of g, shows: nothing for the second half of a
// wide cell.
func (g *Grid) AppendText(b []byte, c vt.Cell) []byte {
	switch {
	case c.Rune == 0:
		return b
	case c.Rune >= vt.ClusterBase && c.Rune <= vt.ClusterEnd:
		if text, ok := g.clusters.at(int(c.Rune - vt.ClusterBase)); ok {
			return append(b, text...)
		}
		return utf8.AppendRune(b, utf8.RuneError)
	}
	return utf8.AppendRune(b, c.Rune)
}

// Target is where link leads; "" for 0 and for numbers that are not g's.
func (g *Grid) Target(link uint16) string {
	target, _ := g.links.at(int(link) - 1)
	return target
}
