package ui

import (
	"bytes"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui/pump"
)

// meaning is what an event means. While the cursor's position is awaited a report of
// the first row is none of the key F3 with modifiers, whose form it has: terminals
// that know no rows answer so.
func (o *outer) meaning(e pump.Event) uv.Event {
	if !o.probing || !bytes.HasPrefix(e.Raw, []byte("\x1b[1;")) || e.Raw[len(e.Raw)-1] != 'R' {
		return e.Ev
	}
	return uv.CursorPositionEvent{}
}
