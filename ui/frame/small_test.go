package frame_test

import (
	"slices"
	"testing"

	"reprise/panes"
	"reprise/ui/frame"
)

// A composer whose first frames have no room for a layout goes on drawing, and
// draws the layout when there is room.
func TestTooSmallFrameAfterFrame(t *testing.T) {
	for _, size := range []panes.Size{{Cols: 1, Rows: 1}, {Cols: 20, Rows: 5}} {
		var c frame.Composer
		for _, g := range goldens {
			s := base(g.panes, size)
			g.set(s)
			for i := range s.Panes {
				s.Panes[i].Screen = screen(80, 24)
			}
			for range 2 {
				c.Frame(s)
			}
			large := base(g.panes, panes.Size{Cols: 80, Rows: 24})
			g.set(large)
			got, _ := c.Frame(large)
			want, _ := new(frame.Composer).Frame(large)
			if !slices.Equal(got.Cells, want.Cells) {
				t.Errorf("%s: grown from %v it is not what a new composer draws", g.name, size)
			}
			c.Frame(large)
		}
	}
}
