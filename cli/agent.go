package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"reprise/agent"
	"reprise/panes"
)

// promptQuery is a prompt for agents: of the panes that are named, or of all of a
// session.
type promptQuery struct {
	target
	Panes  []string `json:"panes,omitempty"` // several; each as target.Pane
	All    bool     `json:"all,omitempty"`
	Text   string   `json:"text"`
	Queue  bool     `json:"queue,omitempty"`
	Anyway bool     `json:"anyway,omitempty"`
}

// Outcomes of a prompt.
const (
	promptTaken  = "taken"  // a turn began
	promptQueued = "queued" // it waits until the agent is idle
	promptTyped  = "typed"  // while the agent worked: it takes it up itself
	promptSent   = "sent"   // nobody can tell whether a turn began
	promptVain   = "not taken"
	promptNot    = "refused" // it was not typed
)

var promptWords = map[agent.Prompted]string{agent.PromptTaken: promptTaken, agent.PromptQueued: promptQueued, agent.PromptTyped: promptTyped, agent.PromptSent: promptSent}

// promptOutcome is what came of it at one agent.
type promptOutcome struct {
	Pane    panes.PaneID `json:"pane"`
	Agent   string       `json:"agent,omitempty"`
	Outcome string       `json:"outcome"`
	Why     string       `json:"why,omitempty"`
}

// aim is a pane of an open workspace.
type aim struct {
	house *house
	pane  panes.PaneID
}

// aims are the panes that a query means.
func (p *process) aims(q promptQuery) (all []aim, err error) {
	if q.All {
		h, _, err := p.resolve(q.target)
		if err != nil {
			return nil, err
		}
		for _, id := range h.host.Layout().Panes() {
			if v := h.coord.View(id); v.Kind != "" && (v.State == agent.PaneNormal || v.State == agent.PaneFresh) {
				all = append(all, aim{h, id})
			}
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("no agent runs in session %s", h.Name())
		}
		return all, nil
	}
	for _, name := range q.Panes {
		t := q.target
		t.Pane = name
		h, id, err := p.resolve(t)
		if err != nil {
			return nil, err
		}
		if one := (aim{h, id}); !slices.Contains(all, one) { // named by its number and its id
			all = append(all, one)
		}
	}
	return all, nil
}

func (p *process) prompt(ctx context.Context, q promptQuery) ([]promptOutcome, error) {
	all, err := p.aims(q)
	if err != nil {
		return nil, err
	}
	out := make([]promptOutcome, len(all))
	var wg sync.WaitGroup
	for i, a := range all {
		wg.Go(func() {
			o := promptOutcome{Pane: a.pane, Agent: a.house.coord.View(a.pane).Label}
			done, err := a.house.coord.Prompt(ctx, agent.PromptRequest{Pane: a.pane, Text: q.Text, Queue: q.Queue, Anyway: q.Anyway})
			switch {
			case err == nil:
				if o.Outcome = promptWords[done]; done == agent.PromptSent {
					o.Why = o.Agent + " does not tell whether a turn began"
				}
			case errors.Is(err, agent.ErrNotTaken):
				o.Outcome, o.Why = promptVain, strings.TrimSuffix(err.Error(), ": "+agent.ErrNotTaken.Error())
			default:
				o.Outcome, o.Why = promptNot, err.Error()
			}
			out[i] = o
		})
	}
	wg.Wait()
	return out, nil
}

// cancelled counts prompts that waited.
type cancelled struct {
	Prompts int `json:"prompts"`
}

func (p *process) cancelPrompts(_ context.Context, q promptQuery) (c cancelled, err error) {
	all, err := p.aims(q)
	for _, a := range all {
		c.Prompts += a.house.coord.CancelPrompts(a.pane)
	}
	return c, err
}

// agentCommand is `reprise agent`.
func agentCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "agent",
		Short: "Send prompts to agents, and ask what they do",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return errors.New("say what: send, cancel or explain") },
	}
	root.AddCommand(agentSendCommand(), agentCancelCommand(), agentExplainCommand())
	for _, c := range append(root.Commands(), root) {
		c.SilenceUsage = true
	}
	return root
}

func agentSendCommand() *cobra.Command {
	var (
		q      promptQuery
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "send pane… text",
		Short: "Send a prompt to the agent of a pane, or of several, and wait until a turn begins",
		Long: "Types the text as one paste and presses enter, then waits for the agent's hook to tell that a turn began.\n" +
			"If none does for 3 s, and the agent says that it rests, enter is pressed once more: a busy one may swallow the\n" +
			"first. Of an agent without hooks its title, its screen or what it writes down may tell; if nothing does within\n" +
			"15 s it was \"sent\". An agent that works, or has not said that it is ready, is not typed to; one that waits for an answer never\n" +
			"is. The text \"-\" is read from the input.",
		Example: "  reprise agent send 2.1 'run the tests'\n  reprise agent send --queue 1 2 'commit what you have'\n  git diff | reprise agent send --all -",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			q.Panes, q.Text = args[:last], args[last]
			if err := q.aimed(); err != nil {
				return err
			}
			if q.Text == "-" {
				b, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), agent.MaxPrompt+1))
				if err != nil {
					return fmt.Errorf("read the prompt: %w", err)
				}
				q.Text = string(b)
			}
			var all []promptOutcome
			if err := ask(cmd.Context(), "prompt", q, &all); err != nil {
				return err
			}
			return printOutcomes(cmd.OutOrStdout(), all, asJSON)
		},
	}
	q.flags(cmd)
	cmd.Flags().BoolVar(&q.Queue, "queue", false, "if the agent is not idle, send it at its next idle")
	cmd.Flags().BoolVar(&q.Anyway, "anyway", false, "also while it works, or if it has not said that it is ready")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything, for programs")
	return cmd
}

func (q *promptQuery) flags(cmd *cobra.Command) {
	q.Self = os.Getenv("REPRISE_PANE")
	cmd.Flags().StringVarP(&q.Session, "session", "s", "", "the session; without, the one that was used last")
	cmd.Flags().BoolVar(&q.All, "all", false, "every agent that runs in the session")
}

// aimed checks that panes are named, or all of them.
func (q *promptQuery) aimed() error {
	if q.All == (len(q.Panes) > 0) {
		return errors.New("name panes, or all agents of the session by --all, not both")
	}
	return nil
}

func agentCancelCommand() *cobra.Command {
	var q promptQuery
	cmd := &cobra.Command{
		Use:   "cancel pane…",
		Short: "Drop the prompts that wait for the agents of panes",
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Panes = args
			if err := q.aimed(); err != nil {
				return err
			}
			var c cancelled
			if err := ask(cmd.Context(), "cancel-prompts", q, &c); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s dropped\n", counted(c.Prompts, "prompt"))
			return err
		},
	}
	q.flags(cmd)
	return cmd
}

// printOutcomes prints what came of a prompt; the exit status is 1 if it was not taken
// somewhere.
func printOutcomes(w io.Writer, all []promptOutcome, asJSON bool) error {
	failed := false
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, o := range all {
		failed = failed || o.Outcome == promptNot || o.Outcome == promptVain
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", o.Pane, o.Agent, o.Outcome, o.Why)
	}
	_ = t.Flush() // a Builder takes everything
	var err error
	if asJSON {
		err = printJSON(w, all)
	} else {
		_, err = io.WriteString(w, b.String())
	}
	if err != nil {
		return err
	}
	if failed {
		return exitError(1)
	}
	return nil
}
