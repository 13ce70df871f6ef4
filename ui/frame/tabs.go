package frame

import (
	"slices"
	"strconv"

	"reprise/ui/theme"
)

// tabSpan is where a tab stands in the status bar.
type tabSpan struct{ tab, x, w int }

// TabAt is the place of the tab, from 0, that the last frame shows at a cell; false:
// there is none.
func (c *Composer) TabAt(x, y int) (tab int, ok bool) {
	if c.grid == nil || y != c.grid.H-1 {
		return 0, false
	}
	for _, t := range c.tabs {
		if x >= t.x && x < t.x+t.w {
			return t.tab, true
		}
	}
	return 0, false
}

// tabPart is a tab in the status bar: number, name, mark; the name may go.
func (c *Composer) tabPart(t *Tab, number int) part {
	return part{runs: c.tabRuns(t, number, t.Name), tab: number, short: c.tabRuns(t, number, ""), drop: dropNames}
}

func (c *Composer) tabRuns(t *Tab, number int, name string) []run {
	tok, on := theme.Muted, theme.OnBar
	if t.Current {
		tok, on = theme.Text, theme.OnSel
	}
	text := " " + strconv.Itoa(number)
	if name != "" {
		text += " " + name
	}
	runs := []run{{text: text, token: tok, bold: t.Current, on: on}}
	if m := marks[t.Mark]; t.Mark != Normal {
		runs = append(runs, run{text: " " + m.show(c.ascii), token: m.token, bold: m.bold, on: on})
	}
	return append(runs, run{text: " ", on: on})
}

// fold makes the left side fit into n cells when all that may go is gone: it cuts
// the name of the tab that is shown, then leaves out the tabs that are farthest from
// it.
func (c *Composer) fold(l []part, n int) []part {
	at := slices.IndexFunc(l, func(p part) bool { return p.tab > 0 && c.last.Tabs[p.tab-1].Current })
	sum := partsWidth(l, 0)
	if sum <= n || at < 0 {
		return l
	}
	shown := &c.last.Tabs[l[at].tab-1]
	if w := width(shown.Name); w > leastName && l[at].short != nil { // else it has gone
		sum -= runsWidth(l[at].runs)
		l[at].runs = c.tabRuns(shown, l[at].tab, Cut(shown.Name, max(leastName, w-(sum+runsWidth(l[at].runs)-n)), c.mark))
		sum += runsWidth(l[at].runs)
	}
	first, last := 0, len(l)-1
	var before, behind []part
	for mark := (part{runs: []run{bar(c.mark, theme.Muted, false)}}); sum > n && first < last; {
		side, gone := &behind, last
		if at-first > last-at {
			side, gone = &before, first
			first++
		} else {
			last--
		}
		sum -= runsWidth(l[gone].runs)
		if *side == nil {
			*side = []part{mark}
			sum += runsWidth(mark.runs)
		}
	}
	return slices.Concat(before, l[first:last+1], behind)
}
