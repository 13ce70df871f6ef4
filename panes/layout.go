package panes

import (
	"errors"
	"maps"
	"slices"
)

// What may be wrong with a change of a layout.
var (
	// ErrNoRoom: a pane would be smaller than MinCols × MinRows.
	ErrNoRoom = errors.New("no room to split")
	// ErrNoPane and ErrNoTab: the layout has no such one, or has it already where a
	// new one was to be made.
	ErrNoPane = errors.New("no such pane")
	ErrNoTab  = errors.New("no such tab")
	// ErrFloats: a floating pane cannot be split.
	ErrFloats = errors.New("the scratch pane cannot be split")
	// ErrFull: there are MaxTabs or MaxPanes.
	ErrFull = errors.New("no more tabs or panes are kept")
	// ErrTabName: longer than MaxTabName, or not printable.
	ErrTabName = errors.New("a tab cannot have that name")
	// ErrPaneName: longer than MaxPaneName, or not printable.
	ErrPaneName = errors.New("a pane cannot have that name")
)

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

// Most of a layout, so that it can be kept on disk: tabs, panes, and bytes in the
// name of a tab and of a pane.
const (
	MaxTabs     = 64
	MaxPanes    = 256
	MaxTabName  = 64
	MaxPaneName = 64
)

// Layout is a workspace's tabs, each with its panes; the zero Layout is empty. It
// is a value: methods return a changed copy, and nothing changes a tree in place.
type Layout struct {
	Tabs []Tab // in their order, none without a pane
	// Meta has what must be known to open a pane again, by pane.
	Meta map[PaneID]PaneMeta
}

// Tab is the panes that are seen together: a tree. It goes with its last pane.
type Tab struct {
	ID   TabID  `json:"id"`
	Name string `json:"name,omitempty"` // given by a person; "": it is called by what runs in it
	Root *Node  `json:"root"`
	// Floating is a pane that stands over the others when it is shown; "": none.
	Floating PaneID `json:"floating,omitempty"`
}

// PaneMeta is what a pane showed, to open it again.
type PaneMeta struct {
	Argv  []string `json:"argv,omitempty"` // empty: the person's shell
	Dir   string   `json:"dir"`
	Kind  string   `json:"kind,omitempty"` // agent kind's name
	Title string   `json:"title,omitempty"`
	Name  string   `json:"name,omitempty"` // given by a person, in place of the title
}

// Node is a pane or a split of two or more nodes. A split's children are never
// splits in the same direction: those are flattened into it.
type Node struct {
	Pane PaneID `json:"pane,omitempty"`
	Down bool   `json:"down,omitempty"` // children lie below one another
	// Stack says that of the children, which are panes below one another, one is open
	// and the others show their title rows: see Tab.Arrange. Weights mean nothing in it.
	Stack    bool    `json:"stack,omitempty"`
	Children []*Node `json:"children,omitempty"`
	Weight   int     `json:"weight"` // share of the parent's extent, in cells when last arranged
}

// Panes lists the panes of all tabs in reading order, a floating one as its tab's last.
func (l Layout) Panes() []PaneID {
	var list []PaneID
	for _, t := range l.Tabs {
		list = append(list, t.Panes()...)
	}
	return list
}

// Panes lists the tab's panes in reading order, a floating one last.
func (t Tab) Panes() []PaneID {
	list := t.Root.panes(nil)
	if t.Floating != "" {
		list = append(list, t.Floating)
	}
	return list
}

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

// Tab is a tab by its id; false: there is none.
func (l Layout) Tab(id TabID) (Tab, bool) { return l.tab(l.index(id)) }

// TabOf is the tab in which a pane stands; false: the layout has no such pane.
func (l Layout) TabOf(p PaneID) (Tab, bool) { return l.tab(l.holder(p)) }

func (l Layout) tab(at int) (Tab, bool) {
	if at < 0 {
		return Tab{}, false
	}
	return l.Tabs[at], true
}

// index is the place of a tab, holder that of the tab of a pane; -1: none.
func (l Layout) index(id TabID) int {
	return slices.IndexFunc(l.Tabs, func(t Tab) bool { return t.ID == id })
}

func (l Layout) holder(p PaneID) int {
	return slices.IndexFunc(l.Tabs, func(t Tab) bool { return t.has(p) })
}

func (l Layout) has(p PaneID) bool { return l.holder(p) >= 0 }

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
	c := Layout{Tabs: slices.Clone(l.Tabs), Meta: maps.Clone(l.Meta)}
	for i := range c.Tabs {
		c.Tabs[i].Root = c.Tabs[i].Root.clone()
	}
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

// RenamePane gives a pane a name; "": it is called as its program says again.
// ErrNoPane, ErrPaneName.
func (l Layout) RenamePane(p PaneID, name string) (Layout, error) {
	if !validName(name, MaxPaneName) {
		return l, ErrPaneName
	}
	m := l.Meta[p]
	m.Name = name
	return l.WithMeta(p, m)
}

// String is the direction as people say it.
func (d Direction) String() string {
	return [...]string{Right: "right", Down: "down", Left: "left", Up: "up"}[d&3]
}
