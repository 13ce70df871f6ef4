package panes_test

import (
	"strings"
	"testing"

	"reprise/panes"
	"reprise/panes/vt"
)

func screenOf(lines ...string) *vt.Screen {
	s := &vt.Screen{Cols: len([]rune(lines[0])), Rows: len(lines)}
	for _, line := range lines {
		for _, r := range line {
			c := vt.Cell{Rune: r}
			switch r {
			case 'W': // head of a wide character
				c.Attr = vt.Wide
			case '_': // its second half
				c.Rune = 0
			}
			s.Cells = append(s.Cells, c)
		}
		s.Gen = append(s.Gen, 7)
	}
	s.Cursor.Visible = true
	return s
}

func TestFit(t *testing.T) {
	lines := []string{"abcdef", "W_hijk", "lmnW_o"}
	tests := []struct {
		name       string
		curX, curY int
		size       panes.Size
		want       string
		x, y       int
		visible    bool
	}{
		{"same", 1, 1, panes.Size{Cols: 6, Rows: 3}, "abcdef/W_hijk/lmnW_o", 1, 1, true},
		{"padded", 5, 2, panes.Size{Cols: 8, Rows: 4}, "abcdef  /W_hijk  /lmnW_o  /        ", 5, 2, true},
		{"cropped", 0, 0, panes.Size{Cols: 4, Rows: 2}, "abcd/W_hi", 0, 0, true},
		{"cut in a wide one", 0, 2, panes.Size{Cols: 4, Rows: 3}, "abcd/W_hi/lmn ", 0, 2, true},
		{"moved to the cursor", 4, 2, panes.Size{Cols: 4, Rows: 1}, "mnW_", 3, 0, true},
		{"half a wide one at the left", 5, 1, panes.Size{Cols: 5, Rows: 2}, "bcdef/ hijk", 4, 1, true},
		{"clamped", 0, 0, panes.Size{}, "a", 0, 0, true},
	}
	var dst vt.Screen // reused, as a client does
	for _, tt := range tests {
		src := screenOf(lines...)
		src.Cursor.X, src.Cursor.Y = tt.curX, tt.curY
		panes.Fit(&dst, src, tt.size)
		var rows []string
		for y := range dst.Rows {
			var b strings.Builder
			for _, c := range dst.Row(y) {
				if c.Rune == 0 {
					c.Rune = '_'
				}
				b.WriteRune(c.Rune)
			}
			rows = append(rows, b.String())
			if dst.Gen[y] == 0 {
				t.Errorf("%s: row %d counts as not filled", tt.name, y)
			}
		}
		if got := strings.Join(rows, "/"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if c := dst.Cursor; c.X != tt.x || c.Y != tt.y || c.Visible != tt.visible {
			t.Errorf("%s: cursor %+v, want %d,%d", tt.name, c, tt.x, tt.y)
		}
	}
}
