package panes

import "slices"

// maxWeight keeps weights, and their products, far inside a 64-bit int.
const maxWeight = 1 << 16

// Split puts a new pane beside pane p, which gives it half of its room. p "" makes
// the first one, in a tab that is called by its id. ErrNoRoom: one of the two would
// be smaller than the smallest, or the tab does not fit the area. ErrNoPane: there
// is no p, there is a made one, or a first one was asked for and is not. ErrFull,
// ErrFloats.
func (l Layout) Split(p, made PaneID, dir Direction, area Size) (Layout, error) {
	if p == "" && len(l.Tabs) == 0 {
		return l.NewTab(TabID(made), made, "")
	}
	at := l.holder(p)
	if at < 0 || made == "" || l.has(made) {
		return l, ErrNoPane
	}
	if len(l.Panes()) >= MaxPanes {
		return l, ErrFull
	}
	if l.Tabs[at].Floating == p {
		return l, ErrFloats
	}
	next := l.Clone()
	if err := next.Tabs[at].insert(p, made, dir, area); err != nil {
		return l, err
	}
	return next, nil
}

// insert puts a pane beside p, which is one of the tab's.
func (t *Tab) insert(p, made PaneID, dir Direction, area Size) error {
	t.Root.settle(Rect{W: area.Cols, H: area.Rows})
	path := t.Root.path(p)
	down := dir.vertical()
	if last := len(path) - 1; last > 0 && path[last-1].Stack {
		if down {
			return t.stack(path[last-1], path[last], made, dir, area)
		}
		path = path[:last] // beside the stack as a whole
	}
	old := path[len(path)-1]
	var parent *Node
	if len(path) > 1 {
		parent = path[len(path)-2]
	}
	if parent == nil || parent.Down != down {
		// A split of its own takes the pane's place.
		parent = old
		leaf := *old
		leaf.Weight = old.extent(path[:len(path)-1], down, area)
		*parent = Node{Down: down, Children: []*Node{&leaf}, Weight: old.Weight}
		old = &leaf
	}
	room := old.Weight
	if !down {
		room--
	}
	half := &Node{Pane: made, Weight: room / 2}
	old.Weight = room - half.Weight
	at := slices.Index(parent.Children, old)
	if dir.forward() {
		at++
	}
	parent.Children = slices.Insert(parent.Children, at, half)
	if !t.Fits(area) || min(half.Weight, old.Weight) < half.least(down) {
		return ErrNoRoom
	}
	return nil
}

// stack puts a pane into a stack, before or behind one of its panes.
func (t *Tab) stack(n, beside *Node, made PaneID, dir Direction, area Size) error {
	at := slices.Index(n.Children, beside)
	if dir.forward() {
		at++
	}
	n.Children = slices.Insert(n.Children, at, &Node{Pane: made, Weight: 1})
	if !t.Fits(area) {
		return ErrNoRoom
	}
	return nil
}

// extent is how many cells the node, at the end of the given path, has along an
// axis. The weights are settled.
func (n *Node) extent(path []*Node, down bool, area Size) int {
	for i, child := len(path)-1, n; i >= 0; i, child = i-1, path[i] {
		if path[i].Down == down {
			return child.Weight
		}
	}
	return Rect{W: area.Cols, H: area.Rows}.along(down)
}

// settle sets every weight to the cells that Arrange gives the node in r. Where
// there are none it keeps 1, so that no pane is lost for good.
func (n *Node) settle(r Rect) {
	if n.Stack {
		return
	}
	for i, extent := range n.divide(r.along(n.Down)) {
		part := r
		if n.Down {
			part.H = extent
		} else {
			part.W = extent
		}
		n.Children[i].Weight = min(max(extent, 1), maxWeight)
		n.Children[i].settle(part)
	}
}

// Close takes a pane out; the neighbour before it gets the room, or the one
// behind if it was the first (tmux's rule). The last one of a tab takes it along.
func (l Layout) Close(p PaneID) Layout {
	at := l.holder(p)
	if at < 0 {
		return l
	}
	l = l.Clone()
	if delete(l.Meta, p); len(l.Meta) == 0 {
		l.Meta = nil
	}
	l.take(at, p)
	return l
}

// take takes a pane out of the tab at a place, and the tab if it was the last one. Over
// nothing no pane floats. l is changed.
func (l *Layout) take(at int, p PaneID) {
	switch t := &l.Tabs[at]; {
	case t.Floating == p:
		t.Floating = ""
		return
	case !t.Root.leaf():
		t.take(p)
		return
	case t.Floating != "":
		t.Root, t.Floating = &Node{Pane: t.Floating, Weight: 1}, ""
		return
	}
	if l.Tabs = slices.Delete(l.Tabs, at, at+1); len(l.Tabs) == 0 {
		l.Tabs = nil
	}
}

// take takes one of several panes out of the tab.
func (t *Tab) take(p PaneID) {
	path := t.Root.path(p)
	parent := path[len(path)-2]
	at := slices.Index(parent.Children, path[len(path)-1])
	heir := max(at-1, 0)
	gained := parent.Children[at].Weight
	if !parent.Down {
		gained++ // the shared column
	}
	parent.Children = slices.Delete(parent.Children, at, at+1)
	parent.Children[heir].Weight = min(parent.Children[heir].Weight+gained, maxWeight)
	if len(parent.Children) > 1 {
		return
	}
	// A split of one is no split; if what is left is a split like the one
	// around it, the two are one.
	last := parent.Children[0]
	last.Weight = parent.Weight
	*parent = *last
	if len(path) > 2 {
		path[len(path)-3].flatten(parent)
	}
}

// flatten puts the children of a child that is a split in the same direction in
// its place.
func (n *Node) flatten(child *Node) {
	if child.leaf() || child.Stack || child.Down != n.Down {
		return
	}
	sum := child.borders()
	for _, c := range child.Children {
		sum += c.Weight
	}
	if sum != child.Weight {
		// The weights are not cells of one area: shares of shares, then.
		for _, c := range n.Children {
			if c != child {
				c.Weight *= sum
			}
		}
		for _, c := range child.Children {
			c.Weight *= child.Weight
		}
	}
	at := slices.Index(n.Children, child)
	n.Children = slices.Replace(n.Children, at, at+1, child.Children...)
	n.limit()
}

// limit brings the weights of a split back under maxWeight.
func (n *Node) limit() {
	most := 0
	for _, c := range n.Children {
		most = max(most, c.Weight)
	}
	if most <= maxWeight {
		return
	}
	by := most/maxWeight + 1
	for _, c := range n.Children {
		c.Weight = max(c.Weight/by, 1)
	}
}

// Grow moves the border of p that lies in the direction outward by n cells (n < 0:
// inward). If p has none there, the opposite one moves the same way on the screen,
// so that p shrinks. It stops where a pane would be smaller than the smallest, and
// does nothing in an area in which the tab does not fit.
func (l Layout) Grow(p PaneID, dir Direction, n int, area Size) Layout {
	at := l.holder(p)
	if n == 0 || at < 0 || !l.Tabs[at].Fits(area) {
		return l
	}
	l = l.Clone()
	root := l.Tabs[at].Root
	root.settle(Rect{W: area.Cols, H: area.Rows})
	path := root.path(p)
	split, child, ok := border(path, dir.vertical(), dir.forward())
	if !ok {
		if split, child, ok = border(path, dir.vertical(), !dir.forward()); !ok {
			return l
		}
	}
	// The border between child and child+1 moves by n, forward or backward.
	if !dir.forward() {
		n = -n
	}
	if n > 0 {
		split.move(child, child+1, 1, n)
	} else {
		split.move(child+1, child, -1, -n)
	}
	return l
}

// border finds the nearest border of the path's end along an axis, on its forward
// or its other side: between children at and at+1 of split.
func border(path []*Node, down, forward bool) (split *Node, at int, ok bool) {
	for i := len(path) - 2; i >= 0; i-- {
		split = path[i]
		if split.Down != down || split.Stack {
			continue
		}
		at = slices.Index(split.Children, path[i+1])
		if !forward {
			at--
		}
		if at >= 0 && at < len(split.Children)-1 {
			return split, at, true
		}
	}
	return nil, 0, false
}

// move gives child to n cells, taken from child from and, once that is at its
// smallest, from those behind it.
func (n *Node) move(to, from, step, cells int) {
	for ; from >= 0 && from < len(n.Children) && cells > 0; from += step {
		giver := n.Children[from]
		part := min(cells, max(giver.Weight-giver.least(n.Down), 0))
		giver.Weight -= part
		n.Children[to].Weight += part
		cells -= part
	}
}
