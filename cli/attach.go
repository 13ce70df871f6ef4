package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// attachCommand is `reprise attach`.
func attachCommand() *cobra.Command {
	o := runOptions{wish: wish{Last: true, Saved: true}}
	cmd := &cobra.Command{
		Use:   "attach [session]",
		Short: "Attach to a session: the named one, or the one that was used last",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Name = args[0]
			}
			return run(cmd.Context(), o, cmd.OutOrStdout())
		},
		SilenceUsage: true,
	}
	cmd.Flags().BoolVar(&o.readOnly, "read-only", false, "look on: nothing that is typed changes anything")
	cmd.Flags().BoolVar(&o.NoResume, "no-resume", false, "ask before any session is resumed, this time")
	return cmd
}

// newCommand is `reprise new`.
func newCommand() *cobra.Command {
	o := runOptions{wish: wish{Fresh: true}}
	var detached bool
	cmd := &cobra.Command{
		Use:   "new -s session [agent or command [its arguments]]",
		Short: "Make a session in this directory and attach to it",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Args = args
			if detached {
				return makeSession(cmd.Context(), o.wish, cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			return run(cmd.Context(), o, cmd.OutOrStdout())
		},
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().BoolVarP(&detached, "detached", "d", false, "do not attach: print the id of its pane")
	cmd.Flags().StringVarP(&o.Name, "session", "s", "", "the session's name")
	_ = cmd.MarkFlagRequired("session") // it exists
	return cmd
}

// makeSession makes a session that nobody looks at yet, and prints its pane.
func makeSession(ctx context.Context, w wish, out, told io.Writer) error {
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("this directory is gone: go to one that exists, then start reprise again (%w)", err)
	}
	p, socket, err := findServer()
	if err != nil {
		return err
	}
	if _, err := ensure(ctx, p, socket, true, told); err != nil {
		return err
	}
	return askPane(ctx, out, "new", newQuery{Name: w.Name, Dir: dir, Env: os.Environ(), Args: w.Args})
}
