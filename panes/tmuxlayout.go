package panes

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrTmuxLayout says that a text is no layout of a tmux window.
var ErrTmuxLayout = errors.New("no layout of a tmux window")

const maxTmuxLayout = 64 << 10 // bytes

// ParseTmuxLayout reads what tmux calls a window's layout (window_layout; tmux's
// layout-custom.c writes it): a checksum, then cells "WxH,X,Y", each with the number
// of a pane behind it, or with its children in {} (side by side) or [] (below one
// another). pane gives the id of the pane of a number. Weights are cells. A text that
// has a wrong checksum, is cut, or has more than a layout of ours may have, is an
// ErrTmuxLayout.
func ParseTmuxLayout(s string, pane func(number int) PaneID) (*Node, error) {
	p := tmuxParser{pane: pane}
	if len(s) > maxTmuxLayout || len(s) < 5 || s[4] != ',' {
		return nil, fmt.Errorf("%w: it has no checksum", ErrTmuxLayout)
	}
	sum, err := strconv.ParseUint(s[:4], 16, 16)
	if err != nil || uint16(sum) != tmuxChecksum(s[5:]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrTmuxLayout)
	}
	p.rest = s[5:]
	n, _, err := p.cell(1)
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%w: something follows it", ErrTmuxLayout)
	}
	if err != nil {
		return nil, err
	}
	n.Weight = 1
	if err := checkNode(n, nil, map[PaneID]bool{}, 1); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTmuxLayout, err)
	}
	return n, nil
}

// tmuxChecksum rotates right and adds, in 16 bits.
func tmuxChecksum(s string) (sum uint16) {
	for i := range len(s) {
		sum = sum>>1 | sum<<15
		sum += uint16(s[i])
	}
	return sum
}

// tmuxParser reads cells from the beginning of rest.
type tmuxParser struct {
	rest string
	pane func(number int) PaneID
}

// cell reads one, with what is in it; its own weight is not set yet.
func (p *tmuxParser) cell(depth int) (n *Node, size Size, err error) {
	if depth > maxLayoutDepth {
		return nil, size, fmt.Errorf("%w: it is nested too deeply", ErrTmuxLayout)
	}
	for i, sep := range []string{"x", ",", ",", ""} {
		var v int
		if v, err = p.number(sep); err != nil {
			return nil, size, err
		}
		switch i {
		case 0:
			size.Cols = v
		case 1:
			size.Rows = v
		}
	}
	switch {
	case p.take(','):
		number, err := p.number("")
		if err != nil {
			return nil, size, err
		}
		return &Node{Pane: p.pane(number)}, size, nil
	case p.take('{'):
		n, err = p.children(false, '}', depth)
	case p.take('['):
		n, err = p.children(true, ']', depth)
	default:
		err = fmt.Errorf("%w: a cell without a pane", ErrTmuxLayout)
	}
	return n, size, err
}

// children reads a split's; one that is split in the same direction is flattened
// into it, as ours are, and a split of one is what is in it.
func (p *tmuxParser) children(down bool, end byte, depth int) (*Node, error) {
	n := &Node{Down: down}
	for {
		c, size, err := p.cell(depth + 1)
		if err != nil {
			return nil, err
		}
		extent := size.Cols
		if down {
			extent = size.Rows
		}
		if !c.leaf() && c.Down == down {
			n.Children = append(n.Children, c.Children...)
		} else {
			c.Weight = min(max(extent, 1), maxWeight)
			n.Children = append(n.Children, c)
		}
		if len(n.Children) > MaxPanes {
			return nil, fmt.Errorf("%w: it has more than %d panes", ErrTmuxLayout, MaxPanes)
		}
		if p.take(',') {
			continue
		}
		if !p.take(end) {
			return nil, fmt.Errorf("%w: a split without an end", ErrTmuxLayout)
		}
		if len(n.Children) == 1 {
			return n.Children[0], nil
		}
		return n, nil
	}
}

func (p *tmuxParser) take(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// number reads digits, at most nine, and what separates them from the next ones.
func (p *tmuxParser) number(sep string) (v int, err error) {
	i := 0
	for i < len(p.rest) && p.rest[i] >= '0' && p.rest[i] <= '9' {
		i++
	}
	if v, err = strconv.Atoi(p.rest[:i]); err != nil || i > 9 {
		return 0, fmt.Errorf("%w: a number is missing or too large", ErrTmuxLayout)
	}
	p.rest = p.rest[i:]
	if sep != "" && !p.take(sep[0]) {
		return 0, fmt.Errorf("%w: %q is missing", ErrTmuxLayout, sep)
	}
	return v, nil
}
