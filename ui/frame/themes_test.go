package frame_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"reprise/panes"
	"reprise/ui/frame"
	"reprise/ui/theme"
)

// Every built-in theme, on the background that it is made for, where all colours, 256
// and 16 of them are shown.
func TestThemeGoldens(t *testing.T) {
	for _, name := range theme.Names() {
		t.Run(name, func(t *testing.T) {
			th, _ := theme.ByName(name)
			var b strings.Builder
			for _, depth := range []theme.Depth{theme.TrueColor, theme.Colors256, theme.Colors16} {
				s := base(2, panes.Size{Cols: 60, Rows: 15})
				s.Palette = theme.Resolve(th, depth)
				dead(&s.Panes[1], frame.Failed, "", frame.Failed, "Could not resume codex.", failedKeys)
				s.Bar.Failed, s.Bar.Resuming = 1, 1
				grid, _ := new(frame.Composer).Frame(s)
				fmt.Fprintf(&b, "== depth %d\n%s", depth, looks(grid))
			}
			compare(t, filepath.Join("testdata", "golden", "theme-"+name+".txt"), b.String())
		})
	}
}
