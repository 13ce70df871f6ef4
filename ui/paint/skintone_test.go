package paint_test

import (
	"testing"

	"reprise/panes/vt"
	"reprise/ui/paint"
)

// The painter measures clusters as the emulator does: a skin tone makes a narrow
// pictograph wide, and what stands behind it stays.
func TestClustersAreAsWideAsInTheEmulator(t *testing.T) {
	for _, cluster := range []string{"\u270c\U0001f3fd", "\U0001f590\U0001f3fd", "e\u0301", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f"} {
		e := vt.New(vt.Options{Cols: 8, Rows: 1})
		_, _ = e.Write([]byte(cluster + "x"))
		var s vt.Screen
		e.Snapshot(&s)
		g := paint.NewGrid(8, 1)
		g.Blit(&s, 0, 0, 0, 0, 8)
		var want, got string
		for x := range 8 {
			want += string(s.AppendText(nil, s.Cells[x])) + "|"
			got += string(g.AppendText(nil, g.Cells[x])) + "|"
		}
		if got != want {
			t.Errorf("%q is painted as %q, want %q", cluster, got, want)
		}
	}
}
