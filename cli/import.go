package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/db"
	"reprise/panes"
)

// foreign is a session of another multiplexer.
type foreign struct {
	name, dir string
	from      string // which multiplexer, for the ledger
	tabs      []foreignTab
}

// foreignTab is one of its windows. The leaves of root are the panes, by their ids.
type foreignTab struct {
	name  string
	root  *panes.Node
	panes []foreignPane
}

// foreignPane is what a pane shows.
type foreignPane struct {
	id   panes.PaneID
	dir  string
	argv []string // of a command; empty: a shell
	// agent is the agent that was found; nil: none.
	agent *foundAgent
}

// foundAgent is an agent in a foreign pane.
type foundAgent struct {
	origin  agent.Origin
	session agent.SessionID // "" if it cannot be told
	pid     int             // it still runs there; 0: it does not, as far as is known
}

// importCommand is `reprise import`.
func importCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "import",
		Short: "Take over the sessions of another multiplexer",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return errors.New("say from what: tmux or superset") },
	}
	var from tmuxSource
	var dry bool
	tmux := &cobra.Command{
		Use:   "tmux",
		Short: "Take over the sessions of a running tmux, or of a tmux-resurrect save",
		Long: "Makes a session of each tmux session: its windows as tabs with their splits and directories, and the\n" +
			"agents in them, which come back once they do not run in tmux any more. Nothing in tmux is touched, and\n" +
			"no session that is there is changed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return takeOver(cmd, dry, "tmux has no session that could be taken over", func(registry agent.Registry) ([]foreign, error) {
				return from.read(cmd.Context(), systemLook(registry), cmd.ErrOrStderr())
			})
		},
	}
	tmux.Flags().StringVar(&from.file, "file", "", "a save of tmux-resurrect; without, the running tmux, else the last save")
	tmux.Flags().StringVarP(&from.socket, "socket-name", "L", "", "the tmux server of this name")
	tmux.Flags().BoolVar(&dry, "dry-run", false, "only say what would be made")
	root.AddCommand(tmux, importSupersetCommand())
	for _, c := range append(root.Commands(), root) {
		c.SilenceUsage = true
	}
	return root
}

// importSupersetCommand is `reprise import superset`.
func importSupersetCommand() *cobra.Command {
	var from supersetSource
	var dry bool
	cmd := &cobra.Command{
		Use:   "superset",
		Short: "Take over the workspaces of Superset",
		Long: "Makes a session of each workspace of Superset whose directory is there: a tab for each of its terminals, with\n" +
			"the agents in them, which come back once they do not run there any more. Its database is only read; how its\n" +
			"panes stand beside each other is not in it. No session that is there is changed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from.home = supersetHome()
			return takeOver(cmd, dry, "no workspace of Superset could be taken over", func(registry agent.Registry) ([]foreign, error) {
				return from.read(registry, cmd.ErrOrStderr())
			})
		},
	}
	cmd.Flags().StringVar(&from.file, "file", "", "a database of it (host.db); without, those in ~/.superset")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would be made")
	return cmd
}

// takeOver makes sessions of what read finds, or says what it would make. none is said
// if there is nothing.
func takeOver(cmd *cobra.Command, dry bool, none string, read func(agent.Registry) ([]foreign, error)) error {
	p, err := findPaths()
	if err != nil {
		return err
	}
	cfg, _ := loadConfig(p.config)
	registry, _ := kinds.New(cfg.Agents) // what is wrong with them reprise config check says
	all, err := read(registry)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New(none)
	}
	if dry {
		return printForeign(cmd.OutOrStdout(), "would be made", all, nil)
	}
	names, err := keepForeign(cmd.Context(), p, all, time.Now())
	if err != nil {
		return err
	}
	return printForeign(cmd.OutOrStdout(), "made", all, names)
}

// keepForeign saves them, all or none, so that it can be done again after an error. It
// returns the names that they got.
func keepForeign(ctx context.Context, p paths, all []foreign, now time.Time) (names []string, err error) {
	src, _, build, err := self()
	if err != nil {
		return nil, err
	}
	_ = src.Close()
	me, err := panes.Identify(os.Getpid())
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	d, err := db.Open(ctx, p.state, db.Options{Self: me, Alive: panes.ProcessID.Alive})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if _, err := d.Register(ctx, build); err != nil {
		return nil, err
	}
	in := make([]db.Import, len(all))
	for i, f := range all {
		if in[i], err = f.imported(now); err != nil {
			return nil, fmt.Errorf("nothing is taken over, for session %s cannot be: %w", oneLine(f.name), err)
		}
	}
	if names, err = d.Import(ctx, in...); err != nil {
		return nil, fmt.Errorf("nothing is taken over: %w", err)
	}
	return names, nil
}

// imported is a foreign session as it is saved.
func (f foreign) imported(now time.Time) (db.Import, error) {
	in := db.Import{Name: strings.TrimSpace(oneLine(f.name)), Dir: f.dir, At: now, From: f.from}
	l := panes.Layout{Meta: map[panes.PaneID]panes.PaneMeta{}}
	for _, t := range f.tabs {
		l.Tabs = append(l.Tabs, panes.Tab{ID: panes.NewTabID(), Name: tabName(t.name), Root: t.root})
		for _, p := range t.panes {
			meta := panes.PaneMeta{Dir: p.dir, Argv: p.argv}
			life := db.ImportedLife{Terminal: agent.Terminal{ID: panes.NewTerminalID(), Pane: p.id, Dir: p.dir, Argv: p.argv}}
			if a := p.agent; a != nil {
				meta.Kind = a.origin.Kind
				life.Binding = &agent.Binding{Origin: a.origin, Session: a.session}
			}
			l.Meta[p.id] = meta
			if len(p.argv) > 0 {
				in.Lives = append(in.Lives, life)
			}
		}
	}
	var err error
	in.Layout, err = panes.EncodeLayout(l)
	return in, err
}

// tabName is a window's name as a tab may have it.
func tabName(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, oneLine(s))
	for len(s) > panes.MaxTabName {
		runes := []rune(s)
		s = string(runes[:len(runes)-1])
	}
	return s
}

// printForeign lists sessions with what is in their panes. names are those that they
// got, nil: they are not made.
func printForeign(w io.Writer, did string, all []foreign, names []string) error {
	home, _ := os.UserHomeDir()
	short := func(dir string) string {
		if rest, ok := strings.CutPrefix(dir, home+"/"); ok && home != "" {
			dir = "~/" + rest
		}
		return oneLine(dir)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, f := range all {
		name, n := oneLine(f.name), 0
		if names != nil {
			name = names[i]
		}
		for _, tab := range f.tabs {
			n += len(tab.panes)
		}
		fmt.Fprintf(t, "%s\t%s, %s\t%s %s\n", name, counted(len(f.tabs), "tab"), counted(n, "pane"), short(f.dir), did)
		for i, tab := range f.tabs {
			for j, p := range tab.panes {
				fmt.Fprintf(t, "  %d.%d %s\t%s\t%s\n", i+1, j+1, tabName(tab.name), p.says(), short(p.dir))
			}
		}
	}
	return t.Flush()
}

// says is what becomes of a pane.
func (p foreignPane) says() string {
	a := p.agent
	switch {
	case len(p.argv) == 0:
		return "a shell"
	case a == nil:
		return "on enter: " + versionIn(strings.Join(p.argv, " "))
	case a.session == "":
		return a.origin.Kind + ", its session is not known: r runs it anew"
	case a.pid != 0:
		return fmt.Sprintf("%s, session …%s, comes back once process %d has ended", a.origin.Kind, a.session.Short(), a.pid)
	}
	return fmt.Sprintf("%s, session …%s, comes back", a.origin.Kind, a.session.Short())
}

// absolute is a directory that can be one of a pane, "/" if it is none.
func absolute(dir string) string {
	if !filepath.IsAbs(dir) || strings.ContainsRune(dir, 0) || len(dir) > 4096 {
		return "/"
	}
	return filepath.Clean(dir)
}
