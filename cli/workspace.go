package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"reprise/agent"
	"reprise/panes"
)

// openPanes puts the saved layout back and opens what belongs in it. With args a
// pane with that agent or command is added; an empty workspace gets a shell. It
// returns the added pane, "" if there is none.
func (h *house) openPanes(ctx context.Context, args []string, area panes.Size) (panes.PaneID, error) {
	h.restoreLayout()
	saved := h.host.Layout().Panes()
	for _, p := range saved {
		if err := h.reopen(ctx, p); err != nil {
			h.log.Warn("open a saved pane", "pane", p, "err", err)
		}
	}
	if len(saved) > 0 && len(args) == 0 {
		return "", nil
	}
	p, err := h.addPane(area)
	if err != nil {
		return "", err
	}
	// First the pane's place, then what runs in it: after a crash in between the
	// session would be in no pane.
	if err := h.saveLayout(ctx); err != nil {
		return "", err
	}
	// What cannot be launched is said in the pane.
	_ = h.coord.Launch(ctx, h.request(p, args))
	return p, nil
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
		h.log.Error("saved layout", "workspace", h.workspace.Name, "err", err)
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
	req := agent.LaunchRequest{Pane: p, Dir: h.workspace.Dir}
	if rec.Terminal != nil {
		// The last pane of a workspace stays in its layout when it is closed.
		closed := !rec.Terminal.DisposeRequested.IsZero()
		if !closed && (rec.Binding != nil || !isShell(rec.Terminal.Argv)) {
			return nil
		}
		if st, err := os.Stat(rec.Terminal.Dir); err == nil && st.IsDir() {
			req.Dir = rec.Terminal.Dir
		}
	}
	return h.coord.Launch(ctx, req)
}

// isShell reports whether a command line is an interactive shell: the person's
// own, without arguments.
func isShell(argv []string) bool {
	return len(argv) == 1 && filepath.Base(argv[0]) == filepath.Base(shell())
}

func shell() string {
	if sh := os.Getenv("SHELL"); sh != "" {
		return sh
	}
	return "/bin/sh"
}

// cellRatio is how much higher than wide a cell is, about.
const cellRatio = 2

// addPane makes room for one more pane: the first, or half of the largest saved
// one that has room, across its longer side.
func (h *house) addPane(area panes.Size) (panes.PaneID, error) {
	placed := h.host.Layout().Arrange(area)
	if len(placed) == 0 {
		return h.host.Split("", panes.Right, area)
	}
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
	return "", fmt.Errorf("no room for another pane: one needs %dx%d; start reprise without arguments and close one, or use a larger window", panes.MinCols, panes.MinRows)
}

// request says what args mean: an agent, a command, or nothing (a shell).
func (h *house) request(p panes.PaneID, args []string) agent.LaunchRequest {
	req := agent.LaunchRequest{Pane: p, Argv: args, Dir: h.dir}
	if len(args) > 0 {
		if _, ok := h.kinds.Kind(args[0]); ok {
			req.Kind, req.Argv = args[0], args[1:]
		}
	}
	return req
}

// saveLayout keeps the layout if it changed. An empty one is never saved over a
// good one: a workspace whose last pane was closed opens with a shell.
func (h *house) saveLayout(ctx context.Context) error {
	h.saving.Lock()
	defer h.saving.Unlock()
	l := h.host.Layout()
	if len(l.Panes()) == 0 {
		return nil
	}
	b, err := panes.EncodeLayout(l)
	if err != nil || bytes.Equal(b, h.saved) {
		return err
	}
	if err := h.db.SaveLayout(ctx, h.workspace.Name, h.instance, b); err != nil {
		return fmt.Errorf("save the layout: %w", err)
	}
	h.saved = b
	return nil
}
