package panes

import (
	"reprise/panes/vt"
)

// Fit is where that part of a screen begins which a client shows whose view of a
// pane is smaller than the pane. It follows the cursor: a screen that is too high
// loses rows at its top only as far as its cursor needs, one that is too wide
// likewise at its left. Where the view is not smaller it is 0.
func Fit(s *vt.Screen, view Size) (left, top int) {
	left = max(0, min(s.Cursor.X-view.Cols+1, s.Cols-view.Cols))
	top = max(0, min(s.Cursor.Y-view.Rows+1, s.Rows-view.Rows))
	return left, top
}
