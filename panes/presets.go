package panes

import "slices"

// Preset is a way to spread panes over an area.
type Preset int

// Presets, in the order in which NextPreset goes through them.
const (
	EvenRight Preset = iota // side by side
	EvenDown                // below one another
	MainLeft                // the first pane at the left, the others below one another
	MainTop                 // the first pane on top, the others side by side
	Tiled                   // in rows of as many panes, about
	Stacked                 // one open, the others a title row each
	presets
)

// mainShare is how much of the area the first pane has where it is the main one,
// and the others have the rest of wholeShare.
const (
	mainShare  = 3
	wholeShare = 5
)

// Preset spreads the panes of a tab, which stay in reading order. ErrNoTab.
// ErrNoRoom: one of them would be smaller than the smallest in the area.
func (l Layout) Preset(tab TabID, p Preset, area Size) (Layout, error) {
	at := l.index(tab)
	if at < 0 {
		return l, ErrNoTab
	}
	if l.Tabs[at].Root.leaf() {
		return l, nil
	}
	spread := l.Clone()
	t := &spread.Tabs[at]
	t.Root = spreads[p](t.Root.panes(nil))
	if !t.Fits(area) {
		return l, ErrNoRoom
	}
	return spread, nil
}

// NextPreset spreads the panes of a tab in the way that follows the one in which
// they stand; the first one, if they stand in none. Ways that look the same for so
// many panes, or for which there is no room, are left out. ErrNoTab. ErrNoRoom:
// there is none for any other.
func (l Layout) NextPreset(tab TabID, area Size) (Layout, error) {
	i := l.index(tab)
	if i < 0 {
		return l, ErrNoTab
	}
	root := l.Tabs[i].Root
	if root.leaf() {
		return l, nil
	}
	all := root.panes(nil)
	at := presetOf(root, all)
	for step := range presets {
		p := (at + 1 + step) % presets
		if next, err := l.Preset(tab, p, area); err == nil && p != at && presetOf(next.Tabs[i].Root, all) == p {
			return next, nil
		}
	}
	return l, ErrNoRoom
}

// presetOf is the first way in which panes stand so; -1: they stand in none.
func presetOf(root *Node, all []PaneID) Preset {
	for p := range presets {
		if sameShape(root, spreads[p](all)) {
			return p
		}
	}
	return -1
}

var spreads = [presets]func([]PaneID) *Node{
	EvenRight: func(all []PaneID) *Node { return even(all, false) },
	EvenDown:  func(all []PaneID) *Node { return even(all, true) },
	MainLeft:  func(all []PaneID) *Node { return besideMain(all, false) },
	MainTop:   func(all []PaneID) *Node { return besideMain(all, true) },
	Tiled:     tiled,
	Stacked:   stacked,
}

// even is panes of the same size; one alone is no split.
func even(all []PaneID, down bool) *Node {
	if len(all) == 1 {
		return &Node{Pane: all[0], Weight: 1}
	}
	n := &Node{Down: down, Weight: 1}
	for _, p := range all {
		n.Children = append(n.Children, &Node{Pane: p, Weight: 1})
	}
	return n
}

func besideMain(all []PaneID, down bool) *Node {
	first, others := even(all[:1], down), even(all[1:], !down)
	first.Weight, others.Weight = mainShare, wholeShare-mainShare
	return &Node{Down: down, Children: []*Node{first, others}, Weight: 1}
}

// tiled is tmux's: as many rows as columns, or one more; the last row has what is
// left.
func tiled(all []PaneID) *Node {
	rows, cols := 1, 1
	for rows*cols < len(all) {
		if rows++; rows*cols < len(all) {
			cols++
		}
	}
	if cols == 1 {
		return even(all, true)
	}
	n := &Node{Down: true, Weight: 1}
	for row := range slices.Chunk(all, cols) {
		n.Children = append(n.Children, even(row, false))
	}
	return n
}

func stacked(all []PaneID) *Node {
	n := even(all, true)
	n.Stack = true
	return n
}

// Stack lists the panes of the stack in which a pane stands, from the top; nil: it
// stands in none.
func (t Tab) Stack(p PaneID) []PaneID {
	path := t.Root.path(p)
	if n := len(path); n > 1 && path[n-2].Stack {
		return path[n-2].panes(nil)
	}
	return nil
}

// Stacked reports whether there is a stack in the tab.
func (t Tab) Stacked() bool { return t.Root.stacked() }

func (n *Node) stacked() bool {
	return n != nil && (n.Stack || slices.ContainsFunc(n.Children, (*Node).stacked))
}

// sameShape reports whether two trees differ in nothing but sizes.
func sameShape(a, b *Node) bool {
	return a.Pane == b.Pane && (a.leaf() || a.Down == b.Down && a.Stack == b.Stack) && slices.EqualFunc(a.Children, b.Children, sameShape)
}

// Swap lets two panes change places, those of two tabs too. ErrNoPane: one is not
// in the layout.
func (l Layout) Swap(a, b PaneID) (Layout, error) {
	from, to := l.holder(a), l.holder(b)
	if from < 0 || to < 0 {
		return l, ErrNoPane
	}
	l = l.Clone()
	slotA, slotB := l.Tabs[from].slot(a), l.Tabs[to].slot(b)
	*slotA, *slotB = b, a
	return l, nil
}

// Spread is Layout.Preset.
func (h *Host) Spread(tab TabID, p Preset, area Size) error {
	return h.edit(func(l Layout) (Layout, error) { return l.Preset(tab, p, area) })
}

// SpreadNext is Layout.NextPreset.
func (h *Host) SpreadNext(tab TabID, area Size) error {
	return h.edit(func(l Layout) (Layout, error) { return l.NextPreset(tab, area) })
}

// Swap is Layout.Swap.
func (h *Host) Swap(a, b PaneID) error {
	return h.edit(func(l Layout) (Layout, error) { return l.Swap(a, b) })
}
