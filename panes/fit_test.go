package panes_test

import (
	"testing"

	"reprise/panes"
	"reprise/panes/vt"
)

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		name       string
		curX, curY int
		view       panes.Size
		left, top  int
	}{
		{"same", 5, 2, panes.Size{Cols: 6, Rows: 3}, 0, 0},
		{"larger", 5, 2, panes.Size{Cols: 8, Rows: 4}, 0, 0},
		{"smaller, cursor in its corner", 0, 0, panes.Size{Cols: 4, Rows: 2}, 0, 0},
		{"cursor in the last cell that is seen", 3, 1, panes.Size{Cols: 4, Rows: 2}, 0, 0},
		{"cursor behind it", 4, 2, panes.Size{Cols: 4, Rows: 1}, 1, 2},
		{"cursor in the last cell", 5, 2, panes.Size{Cols: 4, Rows: 2}, 2, 1},
		{"cursor behind the last cell", 6, 3, panes.Size{Cols: 4, Rows: 2}, 2, 1},
		{"narrower and higher", 5, 2, panes.Size{Cols: 5, Rows: 9}, 1, 0},
		{"nothing", 5, 2, panes.Size{}, 6, 3},
	} {
		s := &vt.Screen{Cols: 6, Rows: 3, Cursor: vt.Cursor{X: tt.curX, Y: tt.curY}}
		if left, top := panes.Fit(s, tt.view); left != tt.left || top != tt.top {
			t.Errorf("%s: %d, %d, want %d, %d", tt.name, left, top, tt.left, tt.top)
		}
	}
}
