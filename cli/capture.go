package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"reprise/panes/vt"
)

// captureQuery asks what a pane shows.
type captureQuery struct {
	target
	Scrollback bool `json:"scrollback,omitempty"` // all that is kept, too
	ANSI       bool `json:"ansi,omitempty"`       // with colours and attributes
}

// captured is what a pane shows.
type captured struct {
	Text string `json:"text"`
}

func (p *process) capture(_ context.Context, q captureQuery) (captured, error) {
	h, id, err := p.resolve(q.target)
	if err != nil {
		return captured{}, err
	}
	t := h.host.Shown(id)
	if t == nil {
		return captured{}, fmt.Errorf("pane %s has shown nothing yet", cmp.Or(q.Pane, string(id)))
	}
	want := vt.Text{Styled: q.ANSI, Alt: !q.Scrollback}
	if q.Scrollback {
		want.History = -1
	}
	return captured{string(t.Text(want))}, nil
}

func captureCommand() *cobra.Command {
	var q captureQuery
	cmd := &cobra.Command{
		Use:   "capture",
		Short: "Print what a pane shows",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var a captured
			if err := ask(cmd.Context(), "capture", q, &a); err != nil {
				return err
			}
			_, err := io.WriteString(cmd.OutOrStdout(), a.Text)
			return err
		},
	}
	targetFlags(cmd, &q.target)
	cmd.Flags().BoolVar(&q.Scrollback, "scrollback", false, "the lines that left the top, too")
	cmd.Flags().BoolVar(&q.ANSI, "ansi", false, "with colours and attributes")
	return cmd
}
