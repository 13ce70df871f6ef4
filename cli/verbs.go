package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"reprise/panes"
	"reprise/server"
)

// endTime is how long a server may take to end.
const endTime = 15 * time.Second

// askPane sends a verb that opens a pane, and prints that pane's id.
func askPane(ctx context.Context, out io.Writer, name string, query any) error {
	var a paneAnswer
	if err := ask(ctx, name, query, &a); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, a.Pane)
	return err
}

// ask sends a verb to the running server and reads its answer.
func ask(ctx context.Context, name string, query, answer any) error {
	_, socket, err := findServer()
	if err != nil {
		return err
	}
	payload, err := json.Marshal(query)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	reply, err := server.Request(ctx, socket, name, payload)
	if errors.Is(err, server.ErrNoServer) {
		return errNoServer
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(reply, answer); err != nil {
		return fmt.Errorf("%s: the server's answer is not understood: %w", name, err)
	}
	return nil
}

// errNoServer is what a person reads where a server is needed.
var errNoServer = errors.New("no server is running: reprise starts one")

// targetFlags lets a command name a pane.
func targetFlags(cmd *cobra.Command, t *target) {
	t.Self = os.Getenv("REPRISE_PANE")
	cmd.Flags().StringVarP(&t.Session, "session", "s", "", "the session; without, the one that was used last")
	cmd.Flags().StringVarP(&t.Pane, "pane", "p", "", "the pane: its number, its tab's and its own as in 2.1, or its id; without, this pane, or the one with the focus")
}

// controlCommands are the commands that drive a running server from outside.
func controlCommands() []*cobra.Command {
	all := []*cobra.Command{
		lsCommand(), renameCommand(), resumeCommand(), tabCommand(), splitCommand(), moveCommand(), sendCommand(), captureCommand(), closeCommand(), explainCommand(), detachCommand(), upgradeCommand(), killServerCommand(),
	}
	for _, c := range all {
		c.SilenceUsage = true
	}
	return all
}

// printJSON prints an answer for programs.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func lsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the sessions, their clients and panes",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var list []sessionInfo
			err := ask(cmd.Context(), "ls", listQuery{}, &list)
			if errors.Is(err, errNoServer) { // what is saved can be told without one
				list, err = savedSessions(cmd.Context())
			}
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), list)
			}
			return printSessions(cmd.OutOrStdout(), list)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything, for programs")
	return cmd
}

// savedSessions lists the sessions of the state folder, if there is one yet.
func savedSessions(ctx context.Context) ([]sessionInfo, error) {
	paths, err := findPaths()
	if err != nil {
		return nil, err
	}
	if !paths.used() {
		return []sessionInfo{}, nil
	}
	p := &process{paths: paths}
	return p.list(ctx, listQuery{})
}

func printSessions(w io.Writer, list []sessionInfo) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range list {
		state := "saved"
		switch {
		case s.Open:
			state = counted(len(s.Panes), "pane")
			if n := len(s.Tabs); n > 1 {
				state = counted(n, "tab") + ", " + state
			}
			if n := len(s.Clients); n > 0 {
				state += ", " + counted(n, "client")
			}
		case s.Owner != 0:
			state = fmt.Sprintf("open in process %d", s.Owner)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Name, state, s.Dir)
	}
	return t.Flush()
}

// counted is a number of things in words.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func splitCommand() *cobra.Command {
	var q splitQuery
	cmd := &cobra.Command{
		Use:   "split [agent or command [its arguments]]",
		Short: "Put a new pane below a pane, or beside it, and print its id",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Args, q.Env = args, os.Environ()
			return askPane(cmd.Context(), cmd.OutOrStdout(), "split", q)
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().SetInterspersed(false)
	targetFlags(cmd, &q.target)
	cmd.Flags().BoolVar(&q.Right, "right", false, "beside it")
	cmd.Flags().StringVar(&q.Dir, "dir", "", "where it runs; without, where the program of the pane is")
	return cmd
}

func sendCommand() *cobra.Command {
	var q sendQuery
	cmd := &cobra.Command{
		Use:     "send [text]",
		Short:   "Type into a pane: the text, then the keys",
		Example: "  reprise send 'make test' --key enter\n  reprise send -p 2 --key ctrl+c",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Text = strings.Join(args, " ")
			if q.Text == "" && len(q.Keys) == 0 {
				return errors.New("say what is to be typed: a text, or keys by --key")
			}
			var a paneAnswer
			return ask(cmd.Context(), "send", q, &a)
		},
	}
	targetFlags(cmd, &q.target)
	cmd.Flags().StringArrayVarP(&q.Keys, "key", "k", nil, "a key by its name, such as enter or ctrl+c; may be given more than once")
	return cmd
}

func closeCommand() *cobra.Command {
	var q closeQuery
	cmd := &cobra.Command{
		Use:   "close",
		Short: "Close a pane and end what runs in it: it does not come back",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var a closed
			return ask(cmd.Context(), "close", q, &a)
		},
	}
	targetFlags(cmd, &q.target)
	cmd.Flags().BoolVar(&q.Whole, "all", false, "all panes of the session, and so the session")
	return cmd
}

func explainCommand() *cobra.Command {
	var (
		q      explainQuery
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Say what was decided about a pane's session, and why",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var e explanation
			if err := ask(cmd.Context(), "explain", q, &e); err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), e)
			}
			return printExplanation(cmd.OutOrStdout(), e)
		},
	}
	targetFlags(cmd, &q.target)
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 50, "how many decisions at most, the newest ones")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything, for programs")
	return cmd
}

func printExplanation(w io.Writer, e explanation) error {
	fmt.Fprintf(w, "pane %d  %s  %s", e.Pane.Number, e.Pane.Program, e.Pane.State)
	if e.Pane.Session != "" {
		fmt.Fprintf(w, "  session %s", e.Pane.Session)
	}
	if e.Reason != "" {
		fmt.Fprintf(w, "\n%s", e.Reason)
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, n := range e.Decisions {
		fmt.Fprintf(t, "%s\t%s\t%s\n", n.At.Local().Format("2006-01-02 15:04:05.000"), n.What, explained(n))
	}
	return t.Flush()
}

// explained is a decision's reason, with the session that it was about.
func explained(n decision) string {
	if n.Session == "" {
		return n.Why
	}
	return n.Why + " (session …" + n.Session.Short() + ")"
}

func detachCommand() *cobra.Command {
	var q detachQuery
	cmd := &cobra.Command{
		Use:   "detach",
		Short: "Detach the clients of a session",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var a detached
			return ask(cmd.Context(), "detach", q, &a)
		},
	}
	targetFlags(cmd, &q.target)
	cmd.Flags().BoolVar(&q.All, "all", false, "those of every session")
	return cmd
}

func killServerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kill-server",
		Short: "End the server; sessions come back at the next start",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var a killed
			if err := ask(cmd.Context(), "kill", killQuery{}, &a); err != nil {
				return err
			}
			// In a container nobody may ever reap it: a zombie has ended, too.
			id, err := panes.Identify(a.PID)
			if errors.Is(err, panes.ErrNoProcess) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("wait for the server to end: %w", err)
			}
			for end := time.Now().Add(endTime); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
				if !id.Alive() {
					return nil
				}
			}
			return fmt.Errorf("the server, process %d, has not ended within %v: its log says what it does", a.PID, endTime)
		},
	}
}
