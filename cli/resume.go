package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/panes"
	"reprise/ui"
)

// resumeQuery asks for a pane's session, or for all that wait to be shown.
type resumeQuery struct {
	target
	All    bool `json:"all,omitempty"`    // of the session; of all open ones if none is named
	Anyway bool `json:"anyway,omitempty"` // though another process has it open
	// Past is a past session's id, or the end of it, to be opened in a tab of its own.
	Past string `json:"past,omitempty"`
	Fork bool   `json:"fork,omitempty"` // a copy of it (with Past)
}

// resumption says what came of it.
type resumption struct {
	Sessions int    `json:"sessions"`         // of agents; with All those that are under way
	Notice   string `json:"notice,omitempty"` // what is to be known of the one that came back
	// Pane is where a past session is now.
	Pane panes.PaneID `json:"pane,omitempty"`
}

func (p *process) resume(ctx context.Context, q resumeQuery) (resumption, error) {
	if q.Past != "" {
		at, err := p.openByID(ctx, q)
		return resumption{Sessions: 1, Pane: at.Pane}, err
	}
	if q.All && q.Session == "" {
		return resumeAll(ctx, p.all())
	}
	h, id, err := p.resolve(q.target)
	switch {
	case err != nil:
		return resumption{}, err
	case q.All:
		return resumeAll(ctx, []*house{h})
	}
	return h.resume(ctx, id, cmp.Or(q.Pane, string(id)), q.Anyway)
}

// resumeAll lets everything come back that nothing but a look is missing for.
func resumeAll(ctx context.Context, houses []*house) (r resumption, failed error) {
	for _, h := range houses {
		n, err := h.coord.ResumeAll(ctx)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("session %s: %w", h.Name(), err))
		}
		r.Sessions += n
	}
	return r, failed
}

// resume brings a pane's session back as a person's key does, and waits for it. name is
// what the person calls the pane.
func (h *house) resume(ctx context.Context, id panes.PaneID, name string, anyway bool) (resumption, error) {
	if err := h.coord.Mend(ctx); err != nil {
		return resumption{}, err
	}
	v := h.coord.View(id)
	if v.Left.Session != "" {
		return h.resumeLeft(ctx, id, v.Left, anyway)
	}
	if v.Candidate == "" {
		return resumption{}, fmt.Errorf("pane %s holds no agent's session", name)
	}
	if v.State == agent.PaneNormal || v.State == agent.PaneFresh {
		return resumption{}, fmt.Errorf("the session of pane %s is not to be resumed: %s runs in it", name, v.Label)
	}
	res := h.coord.Resume(ctx, agent.ResumeRequest{Terminal: v.Candidate, Pane: id, ByPerson: true, Override: anyway})
	switch now := h.coord.View(id); {
	case res.Err != nil:
		return resumption{}, res.Err
	case res.Resumed:
		return resumption{Sessions: 1, Notice: now.Reason}, nil
	case now.Reason != "":
		return resumption{}, errors.New(now.Reason)
	}
	return resumption{}, fmt.Errorf("there was nothing to resume in pane %s: reprise explain -p %s says why", name, name)
}

// resumeLeft resumes beside a living shell what has died alone in it.
func (h *house) resumeLeft(ctx context.Context, beside panes.PaneID, left agent.Left, anyway bool) (resumption, error) {
	row := past.Row{Conversation: past.Conversation{Identity: left.Identity, Dir: left.Dir}}
	at, err := h.proc.openPast(ctx, h, row, ui.PastHow{Anyway: anyway}, func(context.Context) (panes.PaneID, error) {
		return h.host.Split(beside, panes.Down, anyArea)
	})
	return resumption{Sessions: 1, Pane: at.pane}, err
}

func resumeCommand() *cobra.Command {
	var q resumeQuery
	cmd := &cobra.Command{
		Use:   "resume [pane]",
		Short: "Bring the session of a pane back, or all that wait until they are shown",
		Long: "Bring the agent session of a pane back and wait until it runs; what was dismissed, has failed or is paused\n" +
			"comes back, too. With --all every session of the open workspaces that nothing but a look at its pane is\n" +
			"missing for: a few at a time, and without waiting for them. With --past one that reprise sessions lists, in a\n" +
			"tab of its own, unless it is open in a pane already: the id of its pane is printed. With --fork a copy of it.",
		Example: "  reprise resume 2.1\n  reprise resume --all\n  reprise resume --past 73274165 --fork",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				q.Pane = args[0]
			}
			if q.All && (q.Pane != "" || q.Anyway) {
				return errors.New("name a pane, or all of them by --all, not both; --anyway is for one pane")
			}
			if q.Fork && (q.Past == "" || q.Anyway) {
				return errors.New("--fork copies a session that --past names, whoever has it open")
			}
			if q.Past != "" && (q.All || q.Pane != "") {
				return errors.New("name a pane, all of them by --all, or a past session, one of the three")
			}
			var a resumption
			if err := ask(cmd.Context(), "resume", q, &a); err != nil {
				return err
			}
			return printResumption(cmd.OutOrStdout(), q.All, a)
		},
	}
	cmd.Flags().StringVarP(&q.Session, "session", "s", "", "the workspace; without, the one that was used last, with --all every open one")
	q.Self = os.Getenv("REPRISE_PANE")
	cmd.Flags().BoolVar(&q.All, "all", false, "every session that waits until it is shown, or that asks")
	cmd.Flags().StringVar(&q.Past, "past", "", "a past session, by its id or at least the last four letters of it")
	cmd.Flags().BoolVar(&q.Fork, "fork", false, "a copy of the past session, under an id of its own")
	cmd.Flags().BoolVar(&q.Anyway, "anyway", false, "though another process has the session open")
	return cmd
}

func printResumption(w io.Writer, all bool, a resumption) (err error) {
	switch {
	case a.Pane != "":
		_, err = fmt.Fprintln(w, a.Pane)
	case all:
		_, err = fmt.Fprintf(w, "resuming %s\n", counted(a.Sessions, "session"))
	case a.Notice != "":
		_, err = fmt.Fprintln(w, a.Notice)
	}
	return err
}
