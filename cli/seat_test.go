package cli

import (
	"context"
	"testing"
	"testing/synctest"

	"reprise/agent"
	"reprise/panes"
)

// What another session's panes are called, and that there are more of them, is news for
// all clients.
func TestPanesAreNewsElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{proc: &process{}, host: panes.NewHost(panes.HostOptions{}), coord: agent.NewCoordinator(agent.Config{})}
		ctx, stop := context.WithCancel(t.Context())
		go h.tell(ctx)
		defer synctest.Wait()
		defer stop()
		wake, forget := (&seat{proc: h.proc}).Subscribe()
		defer forget()
		told := func() bool {
			synctest.Wait()
			select {
			case <-wake:
				return true
			default:
				return false
			}
		}
		if told() {
			t.Error("told of nothing")
		}
		p, err := h.host.Split("", panes.Right, panes.Size{Cols: 80, Rows: 24})
		if err != nil || !told() {
			t.Errorf("not told of a pane (%v)", err)
		}
		if err := h.host.RenamePane(p, "liver"); err != nil || !told() {
			t.Errorf("not told of a pane's name (%v)", err)
		}
		if tabs := h.host.Layout().Tabs; h.host.RenameTab(tabs[0].ID, "lungs") != nil || !told() {
			t.Error("not told of a tab's name")
		}
	})
}
