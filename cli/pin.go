package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reprise/agent"
	"reprise/panes"
)

// pinQuery says which session the agent of a pane has; "": what was said of it is
// taken back.
type pinQuery struct {
	target
	ID string `json:"id,omitempty"`
}

// pinAnswer is what the pane's agent has now.
type pinAnswer struct {
	Agent   string          `json:"agent"`
	Session agent.SessionID `json:"session,omitempty"` // "": it is not known
	Notice  string          `json:"notice,omitempty"`
}

func (p *process) pin(ctx context.Context, q pinQuery) (pinAnswer, error) {
	h, pane, err := p.resolve(q.target)
	if err != nil {
		return pinAnswer{}, err
	}
	done, err := h.pin(ctx, pane, q.ID)
	switch {
	case err != nil:
		return pinAnswer{}, err
	case done.Held != nil:
		return pinAnswer{}, errors.New(p.heldBy(done))
	}
	a := pinAnswer{Agent: done.Label, Session: done.Session}
	if done.Empty {
		a.Notice = fmt.Sprintf("%s has kept no conversation of this session so far", done.Label)
	}
	return a, nil
}

// pin says the session of a pane's agent. One that runs in a shell and is not known is
// made one of ours first.
func (h *house) pin(ctx context.Context, pane panes.PaneID, id string) (agent.Pinned, error) {
	if id == "" {
		return h.coord.Unpin(ctx, pane)
	}
	done, err := h.coord.Pin(ctx, pane, id)
	if !errors.Is(err, agent.ErrNoAgent) || h.takeIn(ctx, pane) != nil {
		return done, err
	}
	return h.coord.Pin(ctx, pane, id)
}

// takeIn makes an agent one of ours that runs in a pane's shell and was not typed
// through us: by its path, or while that is off. Of several it is the one that has the
// terminal.
func (h *house) takeIn(ctx context.Context, pane panes.PaneID) error {
	term := h.host.Shown(pane)
	if term == nil {
		return agent.ErrNoAgent
	}
	look := systemLook(h.kinds)
	tree := look.tree(term.Process().PID)
	if len(tree) == 0 {
		return agent.ErrNoAgent
	}
	behind := func(p panes.Proc) int {
		if term.Foreground(p.ID) {
			return 0
		}
		return 1
	}
	for _, p := range slices.SortedStableFunc(slices.Values(tree[1:]), func(a, b panes.Proc) int { return behind(a) - behind(b) }) {
		if p.TTY == "" || p.TTY != tree[0].TTY {
			continue
		}
		found := look.agent(p, tree, term.State().Dir)
		if found == nil || !filepath.IsAbs(found.origin.Dir) {
			continue
		}
		return h.coord.TakeIn(ctx, agent.TypedRequest{
			Shell: term.ID(), Kind: found.origin.Kind, Args: found.origin.Flags, Dir: found.origin.Dir, Env: look.env(p.ID.PID),
			Process: p.ID, Above: panes.ParentChain(p.ID.PID),
		})
	}
	return agent.ErrNoAgent
}

// heldBy says who has a session that was to be another pane's, and what to do.
func (p *process) heldBy(done agent.Pinned) string {
	if h, pane := p.paneOf(done.Held.Terminal.Pane); h != nil {
		return fmt.Sprintf("%s has this session in pane %s of session %s: close that, or take its pin back", done.Label, pane, h.Name())
	}
	return openElsewhere(done.Label, done.Held)
}

// paneOf finds an open pane, and what a person calls it.
func (p *process) paneOf(id panes.PaneID) (*house, string) {
	for _, h := range p.all() {
		l := h.host.Layout()
		if t, ok := l.TabOf(id); ok {
			for i, o := range t.Panes() {
				if o == id {
					return h, fmt.Sprintf("%d.%d", tabNumber(l, id), i+1)
				}
			}
		}
	}
	return nil, ""
}

// sessionCommand is `reprise session`.
func sessionCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "session",
		Short: "Say which session the agent of a pane has, where no hook tells it",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return errors.New("say what: pin or unpin") },
	}
	root.AddCommand(pinCommand(), unpinCommand())
	for _, c := range append(root.Commands(), root) {
		c.SilenceUsage = true
	}
	return root
}

func pinCommand() *cobra.Command {
	var q pinQuery
	cmd := &cobra.Command{
		Use:   "pin pane id",
		Short: "Bind a session to the agent of a pane, so that it comes back as that one",
		Long: "Binds a session to the agent that runs in a pane, or has died there: for agents that have no hooks, whose\n" +
			"hooks are off, or that were started in a shell without Reprise knowing. It comes back as that session, also\n" +
			"after the server's death. Only the agent's own hook changes it, if it tells later that another session has\n" +
			"begun there. A session that another pane has is refused.",
		Example: "  reprise session pin 2.1 0199f3c2-5e6b-7c1d-9a3e-0d6f5b8a7c21",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.Pane, q.ID = args[0], args[1]; q.ID == "" {
				return errors.New("give the session's id: reprise sessions --json lists them")
			}
			return q.run(cmd)
		},
	}
	cmd.Flags().StringVarP(&q.Session, "session", "s", "", "the workspace; without, the one that was used last")
	return cmd
}

func unpinCommand() *cobra.Command {
	var q pinQuery
	cmd := &cobra.Command{
		Use:   "unpin pane",
		Short: "Take a pin back: the agent has the session that was known before",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Pane = args[0]
			return q.run(cmd)
		},
	}
	cmd.Flags().StringVarP(&q.Session, "session", "s", "", "the workspace; without, the one that was used last")
	return cmd
}

func (q pinQuery) run(cmd *cobra.Command) error {
	var a pinAnswer
	if err := ask(cmd.Context(), "pin", q, &a); err != nil {
		return err
	}
	words := []string{a.Agent + "'s session is not known now"}
	if a.Session != "" {
		words[0] = fmt.Sprintf("%s has session %s", a.Agent, a.Session)
	}
	if a.Notice != "" {
		words = append(words, a.Notice)
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(words, "\n"))
	return err
}
