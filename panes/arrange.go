package panes

import "slices"

// Rect is a rectangle of cells.
type Rect struct{ X, Y, W, H int }

// Placed is where a pane stands: Title is its title row (H 0 if it has none),
// Grid the cells of its program.
type Placed struct {
	Pane        PaneID
	Title, Grid Rect
}

// region is what a pane covers, title and grid.
func (p Placed) region() Rect {
	return Rect{X: p.Grid.X, Y: p.Title.Y, W: p.Grid.W, H: p.Title.H + p.Grid.H}
}

// Arrange places every pane of the tab in an area, as look.md §2 says: each pane has a
// title row on top, neighbours share one column, a pane alone has no chrome.
// Every cell of the area belongs to a title, a grid or a shared column. In an
// area that is too small (see Fits) panes become smaller than the smallest, down
// to nothing, but stay inside it and apart.
//
// Of a stack one pane is open: the first of front that stands in it, else its first;
// the others have a title row and a grid without rows.
func (t Tab) Arrange(area Size, front ...PaneID) []Placed {
	if t.Root == nil {
		return nil
	}
	whole := Rect{W: max(area.Cols, 0), H: max(area.Rows, 0)}
	if t.Root.leaf() {
		return []Placed{{Pane: t.Root.Pane, Title: Rect{W: whole.W}, Grid: whole}}
	}
	return t.Root.place(whole, front, nil)
}

func (n *Node) place(r Rect, front []PaneID, list []Placed) []Placed {
	switch {
	case n.leaf():
		title := Rect{X: r.X, Y: r.Y, W: r.W, H: min(r.H, 1)}
		grid := Rect{X: r.X, Y: r.Y + title.H, W: r.W, H: r.H - title.H}
		return append(list, Placed{Pane: n.Pane, Title: title, Grid: grid})
	case n.Stack:
		return n.placeStack(r, front, list)
	}
	end := r.X + r.W
	for i, extent := range n.divide(r.along(n.Down)) {
		part := r
		if n.Down {
			part.H = extent
			r.Y += extent
		} else {
			part.W = extent
			r.X = min(r.X+extent+1, end) // the shared column
		}
		list = n.Children[i].place(part, front, list)
	}
	return list
}

// placeStack gives the open pane all rows but one for each other.
func (n *Node) placeStack(r Rect, front []PaneID, list []Placed) []Placed {
	open := 0
	for _, p := range front {
		if i := slices.IndexFunc(n.Children, func(c *Node) bool { return c.Pane == p }); i >= 0 {
			open = i
			break
		}
	}
	end, spare := r.Y+r.H, max(r.H-len(n.Children), 0)
	for i, c := range n.Children {
		part := r
		part.H = min(1, end-r.Y)
		if i == open {
			part.H = min(1+spare, end-r.Y)
		}
		list = c.place(part, front, list)
		r.Y += part.H
	}
	return list
}

// along is the rectangle's extent in the direction of a split.
func (r Rect) along(down bool) int {
	if down {
		return r.H
	}
	return r.W
}

// borders is how many cells of a split's extent belong to none of its children.
func (n *Node) borders() int {
	if n.Down {
		return 0 // a title row belongs to its pane
	}
	return len(n.Children) - 1
}

// divide shares an extent among a split's children by weight, each with at least
// its smallest if there is enough. The sum is the extent without borders.
func (n *Node) divide(extent int) []int {
	room := max(extent-n.borders(), 0)
	least := make([]int, len(n.Children))
	sum := 0
	for i, c := range n.Children {
		least[i] = c.least(n.Down)
		sum += least[i]
	}
	sizes := make([]int, len(n.Children))
	if sum > room {
		n.share(sizes, room, make([]bool, len(sizes)))
		return sizes
	}
	// Who would fall below its smallest gets just that, and the rest is shared
	// again among the others; each turn settles at least one.
	fixed := make([]bool, len(sizes))
	for {
		n.share(sizes, room, fixed)
		again := false
		for i := range sizes {
			if !fixed[i] && sizes[i] < least[i] {
				fixed[i], again = true, true
				sizes[i] = least[i]
				room -= least[i]
			}
		}
		if !again {
			return sizes
		}
	}
}

// share gives room to the children that are not fixed, in proportion to their
// weights; the rounding is spread along them.
func (n *Node) share(sizes []int, room int, fixed []bool) {
	total := 0
	for i, c := range n.Children {
		if !fixed[i] {
			total += max(c.Weight, 1)
		}
	}
	weight, given := 0, 0
	for i, c := range n.Children {
		if fixed[i] {
			continue
		}
		weight += max(c.Weight, 1)
		upTo := int((int64(room)*int64(weight) + int64(total/2)) / int64(total))
		sizes[i], given = upTo-given, upTo
	}
}

// least is the smallest extent in which every pane of the node has its smallest
// size, with its title row.
func (n *Node) least(down bool) int {
	if n.leaf() {
		if down {
			return MinRows + 1
		}
		return MinCols
	}
	if n.Stack {
		if down {
			return MinRows + len(n.Children) // a title row each
		}
		return MinCols
	}
	sum, most := 0, 0
	for _, c := range n.Children {
		size := c.least(down)
		sum += size
		most = max(most, size)
	}
	if n.Down == down {
		return sum + n.borders()
	}
	return most
}

// Smallest is the least area in which every pane of the tab has its smallest size.
func (t Tab) Smallest() Size {
	switch {
	case t.Root == nil:
		return Size{Cols: 1, Rows: 1}
	case t.Root.leaf():
		return Size{Cols: MinCols, Rows: MinRows}
	}
	return Size{Cols: t.Root.least(false), Rows: t.Root.least(true)}
}

// Fits reports whether every pane has at least its smallest size in the area. A
// client that is smaller shows one pane zoomed (look.md §8).
func (t Tab) Fits(area Size) bool {
	least := t.Smallest()
	return area.Cols >= least.Cols && area.Rows >= least.Rows
}

// Neighbour is the pane beside p in a direction, "" if there is none. Of several,
// the one that overlaps p's middle (tmux's rule: wraps round at the edge). p's stack is
// open at p, others as Arrange does with front; beside a stack is its open pane.
func (t Tab) Neighbour(p PaneID, dir Direction, area Size, front ...PaneID) PaneID {
	// Panes of no size have no neighbours; who stands beside whom is the same
	// in a larger area.
	least := t.Smallest()
	area = Size{Cols: max(area.Cols, least.Cols), Rows: max(area.Rows, least.Rows)}
	placed := t.Arrange(area, append([]PaneID{p}, front...)...)
	var own Rect
	for _, o := range placed {
		if o.Pane == p {
			own = o.region()
		}
	}
	if own.W == 0 {
		return ""
	}
	// In a picture turned so that the direction is along x.
	turn := func(r Rect) Rect {
		if dir.vertical() {
			r = Rect{X: r.Y, Y: r.X, W: r.H, H: r.W}
		}
		return r
	}
	end, gap := area.Cols, 1
	if dir.vertical() {
		end, gap = area.Rows, 0
	}
	me := turn(own)
	edge := me.X + me.W + gap // where a neighbour starts
	if !dir.forward() {
		edge = me.X - gap // where one ends
	}
	if edge >= end && dir.forward() {
		edge = 0
	} else if edge <= 0 && !dir.forward() {
		edge = end
	}
	best, away := PaneID(""), 0
	for _, o := range placed {
		r := turn(o.region())
		closed := o.Grid.H == 0 && !dir.vertical()
		if o.Pane == p || closed || dir.forward() && r.X != edge || !dir.forward() && r.X+r.W != edge {
			continue
		}
		middle := me.Y + me.H/2
		d := max(r.Y-middle, middle-(r.Y+r.H-1), 0)
		if best == "" || d < away {
			best, away = o.Pane, d
		}
	}
	return best
}
