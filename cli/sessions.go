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
	"unicode/utf8"

	"github.com/spf13/cobra"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/db"
	"reprise/panes/disk"
	"reprise/ui"
)

// pastOptions is what the command line says of a list of past sessions.
type pastOptions struct {
	asJSON, all bool
	dir         string
	limit       int
}

// sessionsCommand is `reprise sessions`: the conversations that agents keep here.
func sessionsCommand() *cobra.Command {
	var o pastOptions
	cmd := &cobra.Command{
		Use:   "sessions [words]",
		Short: "List past conversations of agents, of this directory or all",
		Long: "List the conversations that agents keep on this machine, whoever started them, the last used first: those that\n" +
			"were held in this directory or below it. With words, those in which each word is found: the best first.",
		Example: "  reprise sessions\n  reprise sessions --all flaky test\n  reprise sessions --json --dir ~/w/api",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.all && o.dir != "" {
				return errors.New("name a directory, or all of them by --all, not both")
			}
			return o.list(cmd, strings.Join(args, " "))
		},
		SilenceUsage: true,
	}
	f := cmd.Flags()
	f.BoolVar(&o.asJSON, "json", false, "print everything, for programs")
	f.BoolVarP(&o.all, "all", "a", false, "those of every directory")
	f.StringVar(&o.dir, "dir", "", "the directory; without, this one")
	f.IntVarP(&o.limit, "limit", "n", 0, "how many at most; 0 is all, without --json 0 is 50")
	return cmd
}

// defaultPast is how many sessions are printed for people.
const defaultPast = 50

func (o pastOptions) list(cmd *cobra.Command, words string) error {
	dir := o.dir
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	p, done, err := offline()
	if err != nil {
		return err
	}
	defer done()
	rows, err := p.pastNow(ctx, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	everywhere := len(rows)
	if !o.all {
		rows = within(rows, dir)
	}
	rows = ui.FindPast(rows, words, func(w string) map[agent.Identity]bool { return p.book.saying(ctx, w) })
	if o.limit == 0 && !o.asJSON {
		o.limit = defaultPast
	}
	more := 0
	if o.limit > 0 && len(rows) > o.limit {
		more = len(rows) - o.limit
		rows = rows[:o.limit]
	}
	out := cmd.OutOrStdout()
	if o.asJSON {
		return printJSON(out, pastInfos(rows))
	}
	if len(rows) == 0 {
		return o.none(out, dir, words, everywhere)
	}
	if err := printPast(out, rows, o.all, words != ""); err != nil {
		return err
	}
	if more > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d more: give words to find, or -n for how many\n", more)
	}
	return nil
}

// none says that there is nothing to list, and where there is.
func (o pastOptions) none(w io.Writer, dir, words string, everywhere int) (err error) {
	switch {
	case words != "" || everywhere == 0:
		_, err = fmt.Fprintln(w, "no past session is found")
	case !o.all:
		_, err = fmt.Fprintf(w, "no past session was held in %s: reprise sessions --all lists %s\n", oneLine(dir), counted(everywhere, "other"))
	}
	return err
}

// within are the sessions of a directory, by whatever name.
func within(rows []past.Row, dir string) (all []past.Row) {
	real, err := disk.Real(dir, disk.Glance)
	if err != nil {
		real = dir
	}
	for _, r := range rows {
		if ui.Within(r.Dir, dir) || ui.Within(r.Dir, real) {
			all = append(all, r)
		}
	}
	return all
}

// offline is a process without a server: what is saved, and what agents keep.
func offline() (*process, func(), error) {
	paths, err := findPaths()
	if err != nil {
		return nil, nil, err
	}
	p := &process{paths: paths}
	p.config.path = paths.config
	cfg, _, _ := p.config.take(false) // what is wrong with it is said by what is opened
	cfg, _ = cfg.overlaid(os.Environ(), themesOf(paths.config))
	if p.book, err = newBook(paths, cfg); err != nil {
		return nil, nil, err
	}
	return p, p.book.close, nil
}

// pastNow lists the past sessions, once everything new was read.
func (p *process) pastNow(ctx context.Context, hints io.Writer) ([]past.Row, error) {
	cfg, _, _ := p.config.take(false)
	registry := p.registry(cfg.Agents)
	var d *db.DB
	if p.paths.used() {
		store, done, err := p.store(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		d = store
	}
	s, err := p.book.look(ctx, d, registry, os.Environ())
	if err != nil {
		return nil, err
	}
	patience := time.AfterFunc(2*time.Second, func() {
		fmt.Fprintln(hints, "reading what agents have kept: this takes a while the first time")
	})
	_, err = p.book.refresh(ctx, s)
	patience.Stop()
	if err != nil {
		return nil, err
	}
	return p.book.rows(ctx, s, maxPast)
}

// pastInfo is one past session, for programs.
type pastInfo struct {
	Agent   string          `json:"agent"`
	Session agent.SessionID `json:"session"`
	Home    string          `json:"home,omitempty"` // the agent's; "": its default
	Dir     string          `json:"dir,omitempty"`
	First   string          `json:"first,omitempty"` // what was asked at first
	Last    string          `json:"last,omitempty"`  // what was said last
	Own     bool            `json:"own,omitempty"`   // by the person
	Begun   time.Time       `json:"begun,omitzero"`
	Used    time.Time       `json:"used"`
	State   string          `json:"state"`
	Open    string          `json:"open,omitempty"` // in which workspace
	PID     int             `json:"pid,omitempty"`  // of the program that has it open
}

func pastInfos(rows []past.Row) []pastInfo {
	all := make([]pastInfo, 0, len(rows))
	for _, r := range rows {
		info := pastInfo{
			Agent: r.Kind, Session: r.Identity.Session, Home: r.Home, Dir: r.Dir, First: r.First, Last: r.Last, Own: r.Own,
			Begun: r.Begun, Used: r.Used, State: pastState(r.Standing),
		}
		if st := r.Standing; st.Open() {
			info.Open, info.PID = st.Workspace, st.PID
		}
		all = append(all, info)
	}
	return all
}

// pastState is what our terminals know of a session, in a word.
func pastState(s *past.Standing) string {
	switch {
	case s.Open():
		return "open"
	case s != nil && s.Reason == agent.TerminalExited:
		return "saved"
	}
	return "past"
}

// firstCut bounds a first prompt in a list, in letters.
const firstCut = 60

// printPast prints sessions for people: by directory unless they were looked for.
func printPast(w io.Writer, rows []past.Row, everywhere, looked bool) error {
	home, _ := os.UserHomeDir()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, group := range ui.ByDir(rows, everywhere && !looked) {
		if everywhere && !looked {
			fmt.Fprintln(t, tildeDir(group[0].Dir, home))
		}
		for _, r := range group {
			notes := []string{"…" + r.Identity.Session.Short(), r.Kind, ui.ShortAge(time.Since(r.Used)), firstLine(r.First)}
			if looked && everywhere {
				notes = append(notes, tildeDir(r.Dir, home))
			}
			if r.Standing.Open() {
				notes = append(notes, "open in "+r.Standing.Workspace)
			}
			fmt.Fprintln(t, "  "+strings.Join(notes, "\t"))
		}
	}
	return t.Flush()
}

func tildeDir(dir, home string) string {
	if dir = oneLine(dir); dir == "" {
		return "(directory not known)"
	}
	if ui.Within(dir, home) && home != "/" && home != "" {
		return "~" + dir[len(home):]
	}
	return dir
}

// firstLine is a text on one line, cut where it is long.
func firstLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > firstCut {
		s = string([]rune(s)[:firstCut-1]) + "…"
	}
	if s == "" {
		return "-"
	}
	return s
}
