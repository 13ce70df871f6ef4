package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"reprise/agent"
	"reprise/panes"
)

// openPanes puts the saved layout back and opens what belongs in it.
func (h *house) openPanes(ctx context.Context, v visit) error {
	h.restoreLayout()
	h.place(v)
	for _, p := range h.host.Layout().Panes() {
		if err := h.reopen(ctx, p); err != nil {
			h.proc.log.Warn("open a saved pane", "pane", p, "err", err)
		}
	}
	return nil
}

// place gives the panes the sizes that they will have on a client's terminal, so
// that programs are started in them and need not draw twice. Which of them the client
// shows it says itself.
func (h *house) place(v visit) {
	if v.area == (panes.Size{}) {
		return
	}
	for _, t := range h.host.Layout().Tabs {
		for _, p := range t.Panes() {
			for _, at := range append(t.Arrange(v.area, p), t.PlaceFloating(v.area)) { // once it is looked at
				if at.Pane == p && at.Grid.W > 0 && at.Grid.H > 0 {
					h.host.SetSize(v.client, p, panes.Size{Cols: at.Grid.W, Rows: at.Grid.H})
					h.host.Hide(v.client, p)
				}
			}
		}
	}
}

// furnish adds a pane with what a client asked for; an empty workspace gets a
// shell. It returns the added pane, "" if there is none.
func (h *house) furnish(ctx context.Context, v visit) (panes.PaneID, error) {
	h.furnishing.Lock() // of two clients at once only one finds it empty
	defer h.furnishing.Unlock()
	if len(v.args) == 0 && !h.empty() {
		return "", nil
	}
	if err := h.checkProgram(v.args, v.env); err != nil {
		return "", err
	}
	area := v.area
	if area == (panes.Size{}) {
		area = anyArea
	}
	p, err := h.addPane(area)
	if err != nil {
		return "", err
	}
	h.place(v)
	return p, h.launch(ctx, h.request(p, v))
}

// launch runs something in a new pane. First the pane's place is saved, then it is
// launched: after a crash in between the session would be in no pane.
func (h *house) launch(ctx context.Context, r agent.LaunchRequest) error {
	r.New = true
	meta := h.host.Layout().Meta[r.Pane]
	meta.Dir = r.Dir
	h.host.SetMeta(r.Pane, meta)
	if err := h.keepLayout(ctx, h.db.SaveLayoutSoon); err != nil {
		h.host.Close(r.Pane) // nothing will ever be in it
		return err
	}
	// What cannot be launched is said in the pane.
	_ = h.coord.Launch(ctx, r)
	return nil
}

// restoreLayout takes the saved layout, or the one before it if that cannot be
// read.
func (h *house) restoreLayout() {
	for _, saved := range [][]byte{h.workspace.Layout, h.workspace.Previous} {
		if saved == nil {
			continue
		}
		l, err := panes.DecodeLayout(saved)
		if err == nil {
			h.host.SetLayout(l)
			return
		}
		h.proc.log.Error("saved layout", "workspace", h.Name(), "err", err)
		h.notices = append(h.notices, "A saved layout could not be read; the log says why.")
	}
}

// reopen starts a pane's shell again. Agents are the coordinator's, and a command
// is not run again without being asked.
func (h *house) reopen(ctx context.Context, p panes.PaneID) error {
	rec, err := h.db.Pane(ctx, p)
	if err != nil {
		return err
	}
	// Without a terminal it never ran here: the layout says where it was meant to.
	req := agent.LaunchRequest{Pane: p, Dir: firstDir(h.host.Layout().Meta[p].Dir, h.workspace.Dir)}
	if rec.Terminal != nil {
		// The last pane of a workspace stays in its layout when it is closed.
		closed := !rec.Terminal.DisposeRequested.IsZero()
		if !closed && (rec.Binding != nil || !h.isShell(rec.Terminal.Argv)) {
			h.showPast(p, rec.Terminal)
			return nil
		}
		// Where it was last, else where it was started.
		req.Dir = firstDir(h.host.Layout().Meta[p].Dir, rec.Terminal.Dir, h.workspace.Dir)
	}
	return h.coord.Launch(ctx, req)
}

// isShell reports whether a command line is an interactive shell: the person's
// own, without arguments.
func (h *house) isShell(argv []string) bool {
	sh := lookEnv(h.env, "SHELL")
	if sh == "" {
		sh = "/bin/sh"
	}
	return len(argv) == 1 && filepath.Base(argv[0]) == filepath.Base(sh)
}

// lookEnv is a variable's value in an environment, "" if it is not set.
func lookEnv(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// cellRatio is how much higher than wide a cell is, about.
const cellRatio = 2

// addPane makes room for one more pane: the first, or half of the largest one that
// has room in the tab that was looked at last, across its longer side, else a tab.
func (h *house) addPane(area panes.Size) (panes.PaneID, error) {
	at, _ := h.pane("")
	tab, ok := h.host.Layout().TabOf(at)
	if !ok {
		return h.host.Split("", panes.Right, area)
	}
	placed := tab.Arrange(area)
	slices.SortStableFunc(placed, func(a, b panes.Placed) int { return b.Grid.W*b.Grid.H - a.Grid.W*a.Grid.H })
	for _, at := range placed {
		dirs := []panes.Direction{panes.Right, panes.Down}
		if at.Grid.W < cellRatio*at.Grid.H {
			slices.Reverse(dirs)
		}
		for _, dir := range dirs {
			p, err := h.host.Split(at.Pane, dir, area)
			if err == nil {
				return p, nil
			}
			if !errors.Is(err, panes.ErrNoRoom) {
				return "", fmt.Errorf("add a pane: %w", err)
			}
		}
	}
	p, err := h.host.NewTab("", tab.ID)
	if errors.Is(err, panes.ErrFull) {
		return "", h.full()
	}
	return p, err
}

// full says that the session has as many tabs or panes as it may.
func (h *house) full() error {
	return fmt.Errorf("session %s has %d tabs or %d panes, no more are kept: close one", h.Name(), panes.MaxTabs, panes.MaxPanes)
}

// request says what a visit's arguments mean: an agent, a command, or nothing (a
// shell). An agent's home is that of who asks.
func (h *house) request(p panes.PaneID, v visit) agent.LaunchRequest {
	req := agent.LaunchRequest{Pane: p, Argv: v.args, Dir: v.dir}
	if len(v.args) == 0 {
		return req
	}
	k, ok := h.kinds.Kind(v.args[0])
	if !ok {
		return req
	}
	req.Kind, req.Argv = v.args[0], v.args[1:]
	if name := k.Facts().HomeEnv; name != "" {
		if home := lookEnv(v.env, name); home != "" && home != lookEnv(h.env, name) {
			req.Env = []string{name + "=" + home}
		}
	}
	return req
}

// saveLayout keeps the layout if it changed. An empty one is never saved over a
// good one: a workspace whose last pane was closed opens with a shell.
func (h *house) saveLayout(ctx context.Context) error { return h.keepLayout(ctx, h.db.SaveLayout) }

func (h *house) keepLayout(ctx context.Context, save func(context.Context, string, agent.InstanceID, []byte) error) error {
	h.saving.Lock()
	defer h.saving.Unlock()
	l := h.host.Layout()
	if len(l.Panes()) == 0 {
		return nil
	}
	b, err := panes.EncodeLayout(l)
	if err != nil || bytes.Equal(b, h.saved.layout) {
		return err
	}
	if err := save(ctx, h.Name(), h.instance, b); err != nil {
		return fmt.Errorf("save the layout: %w", err)
	}
	h.saved.layout = b
	h.dropPast(l.Panes())
	return nil
}

// dropPast forgets what panes showed that are closed by now; saving is held.
func (h *house) dropPast(now []panes.PaneID) {
	for _, p := range h.saved.panes {
		if slices.Contains(now, p) {
			continue
		}
		if err := h.proc.past.Remove(p); err != nil {
			h.proc.log.Warn("forget a closed pane's scrollback", "pane", p, "err", err)
		}
	}
	h.saved.panes = now
}
