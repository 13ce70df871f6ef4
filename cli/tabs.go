package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reprise/panes"
)

// tabInfo is one tab in the list.
type tabInfo struct {
	ID     panes.TabID `json:"id"`
	Number int         `json:"number"`          // in their order, from 1
	Name   string      `json:"name,omitempty"`  // given by a person
	Focus  bool        `json:"focus,omitempty"` // it has the pane with the focus
	Panes  int         `json:"panes"`
}

// tabNumber is the number of a pane's tab, from 1.
func tabNumber(l panes.Layout, p panes.PaneID) int {
	t, _ := l.TabOf(p)
	return 1 + slices.IndexFunc(l.Tabs, func(o panes.Tab) bool { return o.ID == t.ID })
}

// parseNumber reads a pane's number, 3, or that of its tab and its own in there,
// 2.1; tab is 0 without one. false: it is no number.
func parseNumber(s string) (tab, pane int, ok bool) {
	if before, after, dotted := strings.Cut(s, "."); dotted {
		n, err := strconv.Atoi(before)
		if err != nil || n < 1 {
			return 0, 0, false
		}
		tab, s = n, after
	}
	n, err := strconv.Atoi(s)
	return tab, n, err == nil
}

// numbered is the pane of a number; name is what the person wrote.
func (h *house) numbered(name string, tab, n int) (panes.PaneID, error) {
	l := h.host.Layout()
	ids, where := l.Panes(), "session "+h.Name()
	if tab > len(l.Tabs) {
		return "", fmt.Errorf("%s has no tab %d: it has %d", where, tab, len(l.Tabs))
	}
	if tab > 0 {
		ids, where = l.Tabs[tab-1].Panes(), fmt.Sprintf("tab %d of %s", tab, where)
	}
	if n < 1 || n > len(ids) {
		return "", fmt.Errorf("%s has no pane %s: it has %d", where, name, len(ids))
	}
	return ids[n-1], nil
}

// tabQuery asks for a tab behind that of a pane.
type tabQuery struct {
	target
	Name string   `json:"name,omitempty"`
	Dir  string   `json:"dir,omitempty"` // "": that of the pane
	Env  []string `json:"env,omitempty"`
	Args []string `json:"args,omitempty"`
}

// nobody is a client that shows a pane only to give it a size.
const nobody panes.ClientID = "nobody"

func (p *process) newTab(ctx context.Context, q tabQuery) (paneAnswer, error) {
	h, at, v, err := p.beside(q.target, visit{dir: q.Dir, env: q.Env, args: q.Args})
	if err != nil {
		return paneAnswer{}, err
	}
	beside, _ := h.host.Layout().TabOf(at)
	pane, err := h.host.NewTab(q.Name, beside.ID)
	switch {
	case errors.Is(err, panes.ErrTabName):
		return paneAnswer{}, fmt.Errorf("%q is no name for a tab: it has at most %d bytes, all of them of letters that can be printed", q.Name, panes.MaxTabName)
	case errors.Is(err, panes.ErrFull):
		return paneAnswer{}, h.full()
	case err != nil:
		return paneAnswer{}, fmt.Errorf("open a tab: %w", err)
	}
	// Nobody shows it yet: its program starts in the size that it will have.
	if area := h.area(); area != anyArea {
		h.host.SetSize(nobody, pane, area)
		h.host.Forget(nobody)
	}
	return paneAnswer{h.Name(), pane}, h.launch(ctx, h.request(pane, v))
}

func tabCommand() *cobra.Command {
	var q tabQuery
	cmd := &cobra.Command{
		Use:   "tab [agent or command [its arguments]]",
		Short: "Open a new tab, and print the id of its pane",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Args, q.Env = args, os.Environ()
			if q.Name != strings.TrimSpace(q.Name) {
				return errors.New("a tab's name must not begin or end with a space")
			}
			return askPane(cmd.Context(), cmd.OutOrStdout(), "tab", q)
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().SetInterspersed(false)
	targetFlags(cmd, &q.target)
	cmd.Flags().StringVar(&q.Name, "name", "", "what it is called; without, by what runs in it")
	cmd.Flags().StringVar(&q.Dir, "dir", "", "where it runs; without, where the program of the pane is")
	return cmd
}
