package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"reprise/agent"
)

// doingQuery asks what the agent of a pane does, and what says so.
type doingQuery struct{ target }

// doingAnswer is a pane with what each source says of its agent.
type doingAnswer struct {
	Pane     paneInfo  `json:"pane"`
	Evidence []witness `json:"evidence"`
}

// witness is what one source says.
type witness struct {
	By      string      `json:"by"`
	Status  agent.Doing `json:"status"`
	Since   time.Time   `json:"since"` // when it began to say so
	Last    time.Time   `json:"last"`  // when it said so last
	Decides bool        `json:"decides,omitempty"`
	Why     string      `json:"why,omitempty"` // why not
}

func (p *process) explainAgent(_ context.Context, q doingQuery) (a doingAnswer, err error) {
	h, id, err := p.resolve(q.target)
	if err != nil {
		return a, err
	}
	for _, info := range h.info().Panes {
		if info.ID == id {
			a.Pane = info
		}
	}
	if a.Pane.Agent == "" {
		return a, errors.New("no agent is in this pane")
	}
	a.Evidence = []witness{}
	_, all := h.coord.Explain(id)
	for _, w := range all {
		a.Evidence = append(a.Evidence, witness{By: w.By.String(), Status: w.Doing, Since: w.Since, Last: w.Last, Decides: w.Decides, Why: w.Why})
	}
	return a, nil
}

func agentExplainCommand() *cobra.Command {
	var (
		q      doingQuery
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "explain [pane]",
		Short: "Say what the agent of a pane does, and which evidence decided",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if q.Pane != "" {
					return errors.New("name the pane once")
				}
				q.Pane = args[0]
			}
			var a doingAnswer
			if err := ask(cmd.Context(), "explain-agent", q, &a); err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), a)
			}
			return printDoing(cmd.OutOrStdout(), a, time.Now())
		},
	}
	targetFlags(cmd, &q.target)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything, for programs")
	return cmd
}

func printDoing(w io.Writer, a doingAnswer, now time.Time) error {
	fmt.Fprintf(w, "pane %d  %s  %s", a.Pane.Number, a.Pane.Agent, cmp.Or(string(a.Pane.Status), "it has not told"))
	if a.Pane.By == agent.ByScreen.String() {
		fmt.Fprint(w, "?")
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range a.Evidence {
		why := e.Why
		if e.Decides {
			why = "decides"
		}
		said := "for " + sinceText(now.Sub(e.Since))
		if e.Last.After(e.Since) {
			said += ", last said " + sinceText(now.Sub(e.Last)) + " ago"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", e.By, e.Status, said, why)
	}
	return t.Flush()
}

// sinceText is a time in one unit.
func sinceText(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, d)/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}
