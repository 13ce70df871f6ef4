package vt

import "sync"

// spare holds the cells of screens and frames that nobody shows any more: a client that
// attaches needs three times a screen of them at once, mostly as large as those of the one
// that has just left. The collector takes what is not used again.
var spare sync.Pool // of *[]Cell

// NewCells gives n cells, with anything in them.
func NewCells(n int) []Cell {
	if c, ok := spare.Get().(*[]Cell); ok && cap(*c) >= n {
		return (*c)[:n]
	}
	return make([]Cell, n)
}

// Recycle takes cells back that nobody uses any more.
func Recycle(c []Cell) {
	if cap(c) > 0 {
		spare.Put(&c)
	}
}

// Recycle lets go of a screen, which is as a zero one then.
func (s *Screen) Recycle() {
	Recycle(s.Cells)
	*s = Screen{}
}
