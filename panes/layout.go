package panes

import (
	"errors"
	"maps"
	"slices"
)

// ErrNoRoom says that a split would make a pane smaller than MinCols × MinRows.
var ErrNoRoom = errors.New("no room to split")

// Direction is a side of a pane.
type Direction int

// Directions.
const (
	Right Direction = iota
	Down
	Left
	Up
)

// vertical says that the direction is up or down.
func (d Direction) vertical() bool { return d == Down || d == Up }

// forward says that the direction is that in which children are listed.
func (d Direction) forward() bool { return d == Right || d == Down }

// Smallest pane: its grid, without the title row (look.md §8).
const (
	MinCols = 20
	MinRows = 3
)

// Layout is the tree of a workspace's panes; the zero Layout is empty. It is a
// value: methods return a changed copy, and nothing changes a tree in place.
type Layout struct {
	Root *Node
	// Meta has what must be known to open a pane again, by pane.
	Meta map[PaneID]PaneMeta
}

// PaneMeta is what a pane showed, to open it again.
type PaneMeta struct {
	Argv  []string `json:"argv,omitempty"` // empty: the person's shell
	Dir   string   `json:"dir"`
	Kind  string   `json:"kind,omitempty"` // agent kind's name
	Title string   `json:"title,omitempty"`
}

// Node is a pane or a split of two or more nodes. A split's children are never
// splits in the same direction: those are flattened into it.
type Node struct {
	Pane     PaneID  `json:"pane,omitempty"`
	Down     bool    `json:"down,omitempty"` // children lie below one another
	Children []*Node `json:"children,omitempty"`
	Weight   int     `json:"weight"` // share of the parent's extent, in cells when last arranged
}

// Panes lists the panes in reading order.
func (l Layout) Panes() []PaneID { return l.Root.panes(nil) }

func (n *Node) panes(list []PaneID) []PaneID {
	if n == nil {
		return list
	}
	if n.leaf() {
		return append(list, n.Pane)
	}
	for _, c := range n.Children {
		list = c.panes(list)
	}
	return list
}

func (l Layout) has(p PaneID) bool { return l.Root.path(p) != nil }

func (n *Node) leaf() bool { return len(n.Children) == 0 }

// path is the way from n to a pane's node, both included; nil: it is not there.
func (n *Node) path(p PaneID) []*Node {
	switch {
	case n == nil:
		return nil
	case n.leaf():
		if n.Pane == p {
			return []*Node{n}
		}
		return nil
	}
	for _, c := range n.Children {
		if rest := c.path(p); rest != nil {
			return append([]*Node{n}, rest...)
		}
	}
	return nil
}

// Clone is a deep copy.
func (l Layout) Clone() Layout {
	c := Layout{Root: l.Root.clone(), Meta: maps.Clone(l.Meta)}
	for p, m := range c.Meta {
		m.Argv = slices.Clone(m.Argv)
		c.Meta[p] = m
	}
	return c
}

func (n *Node) clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Children = nil
	for _, child := range n.Children {
		c.Children = append(c.Children, child.clone())
	}
	return &c
}

// WithMeta records what a pane shows. ErrNoPane: it is not in the layout.
func (l Layout) WithMeta(p PaneID, m PaneMeta) (Layout, error) {
	if !l.has(p) {
		return l, ErrNoPane
	}
	l = l.Clone()
	if l.Meta == nil {
		l.Meta = map[PaneID]PaneMeta{}
	}
	m.Argv = slices.Clone(m.Argv)
	l.Meta[p] = m
	return l, nil
}

// String is the direction as people say it.
func (d Direction) String() string {
	return [...]string{Right: "right", Down: "down", Left: "left", Up: "up"}[d&3]
}
