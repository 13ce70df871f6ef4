package panes

import (
	"sync"

	"reprise/panes/input"
)

// focuses says at which pane each client's keyboard is. A pane's program has the
// focus as long as one of them is there.
type focuses struct {
	mu sync.Mutex // before the Host's; held while programs are told, so that the order is kept
	of map[ClientID]PaneID
}

// SetFocus tells at which pane a client's keyboard is; "": at none. The programs that
// ask for it (mode 1004) are told when the first client comes and when the last one
// goes. One that does not read may miss it.
func (h *Host) SetFocus(c ClientID, p PaneID) {
	f := &h.focus
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.of[c]
	if was == p {
		return
	}
	delete(f.of, c)
	if was != "" && !f.anyAt(was) {
		h.tellFocus(was, false)
	}
	if p == "" {
		return
	}
	first := !f.anyAt(p)
	if f.of == nil {
		f.of = map[ClientID]PaneID{}
	}
	f.of[c] = p
	if first {
		h.tellFocus(p, true)
	}
}

func (f *focuses) anyAt(p PaneID) bool {
	for _, at := range f.of {
		if at == p {
			return true
		}
	}
	return false
}

func (h *Host) tellFocus(p PaneID, has bool) {
	if t := h.Shown(p); t != nil {
		if b := input.Focus(has, t.State().Modes); b != nil {
			_ = t.Report(b)
		}
	}
}
