package panes

import "time"

// ShowPast lets a pane that shows no terminal show what one of an earlier life of
// the server had shown (Restored.Stream): a dead terminal, which is not among
// Terminals and gives way to the first one that the pane is pointed at. false:
// there is no such pane, or it shows a terminal already.
func (h *Host) ShowPast(p PaneID, id TerminalID, since time.Time, history []byte) bool {
	t := newTerminal(Spec{ID: id, Pane: p, Size: h.PaneSize(p), History: history}, &child{reaped: true}, h)
	t.rest(since, Exit{})
	h.mu.Lock()
	ok := h.layout.has(p) && h.shown[p] == nil
	if ok {
		h.shown[p] = t
	}
	h.mu.Unlock()
	if ok {
		h.fit(p)
		h.wake()
	}
	return ok
}
