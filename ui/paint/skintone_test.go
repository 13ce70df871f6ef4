package paint_test

import (
	"testing"

	"github.com/charmbracelet/colorprofile"

	"reprise/panes/vt"
	"reprise/ui/paint"
)

// The painter measures clusters as the emulator does: a skin tone makes a narrow
// pictograph wide, and what stands behind it stays.
func TestClustersAreAsWideAsInTheEmulator(t *testing.T) {
	row := func(e *vt.Emulator) (text string) {
		var s vt.Screen
		e.Snapshot(&s)
		for _, c := range s.Row(0) {
			text += string(s.AppendText(nil, c)) + "|"
		}
		return text
	}
	for _, cluster := range []string{"\u270c\U0001f3fd", "\U0001f590\U0001f3fd", "e\u0301", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f"} {
		from, to := vt.New(vt.Options{Cols: 8, Rows: 1}), vt.New(vt.Options{Cols: 8, Rows: 1})
		g, p := paint.NewGrid(8, 1), paint.Painter{Profile: colorprofile.TrueColor}
		// Only the cluster changes in the second frame: x and y must stay.
		for _, text := range []string{"  xy", "\r" + cluster + "\x1b[3Gxy"} {
			_, _ = from.Write([]byte(text))
			var s vt.Screen
			from.Snapshot(&s)
			g.Blit(&s, 0, 0, 0, 0, 8)
			_, _ = to.Write(p.Frame(g, vt.Cursor{}))
		}
		if got, want := row(to), row(from); got != want {
			t.Errorf("%q is painted as %q, want %q", cluster, got, want)
		}
	}
}
