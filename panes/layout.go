package panes

// Direction is a side of a pane.
type Direction int

// Directions.
const (
	Right Direction = iota
	Down
	Left
	Up
)

// Smallest pane: its grid, without the title row (look.md §8).
const (
	MinCols = 20
	MinRows = 3
)

// Layout is the tree of a workspace's panes; the zero Layout is empty. It is a
// value: methods return a changed copy.
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

// Node is a pane or a split of two or more nodes.
type Node struct {
	Pane     PaneID  `json:"pane,omitempty"`
	Down     bool    `json:"down,omitempty"` // children lie below one another
	Children []*Node `json:"children,omitempty"`
	Weight   int     `json:"weight"` // share of the parent's extent, in cells when last arranged
}

// Rect is a rectangle of cells.
type Rect struct{ X, Y, W, H int }

// Placed is where a pane stands: Title is its title row (H 0 if it has none),
// Grid the cells of its program.
type Placed struct {
	Pane        PaneID
	Title, Grid Rect
}

// Arrange places every pane in an area, as look.md §2 says: each pane has a
// title row on top, neighbours share one column, a pane alone has no chrome.
func (l Layout) Arrange(area Size) []Placed { panic("written next") }

// Neighbour is the pane beside p in a direction, "" if there is none. Of several,
// the one that overlaps p's middle (tmux's rule: wraps round at the edge).
func (l Layout) Neighbour(p PaneID, dir Direction, area Size) PaneID { panic("written next") }

// Panes lists the panes in reading order.
func (l Layout) Panes() []PaneID { panic("written next") }

// EncodeLayout and DecodeLayout are its form on disk: versioned JSON. DecodeLayout
// refuses what it does not understand with an error; it starts nothing.
func EncodeLayout(l Layout) ([]byte, error) { panic("written next") }
func DecodeLayout(b []byte) (Layout, error) { panic("written next") }
