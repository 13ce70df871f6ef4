package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"reprise/server"
	"reprise/ui"
)

// finding is one thing that the doctor looked at.
type finding struct {
	Part  string  `json:"part"` // terminal, keys, server …
	Name  string  `json:"name"`
	State verdict `json:"state"`
	What  string  `json:"what"`
	Do    string  `json:"do,omitempty"` // what to do about it
}

// verdict is how a finding is judged.
type verdict string

// Verdicts.
const (
	sound verdict = "ok"
	noted verdict = "note"  // it works with less, or is not there
	wrong verdict = "wrong" // it needs a person
)

// verdictGlyphs are those of look.md §6, and their ASCII.
var verdictGlyphs = map[verdict][2]string{sound: {"✓", "+"}, noted: {"◦", "o"}, wrong: {"✗", "x"}}

// diagnosis is all that was found.
type diagnosis struct {
	Version  string    `json:"version"`
	OK       bool      `json:"ok"`
	Findings []finding `json:"findings"`
}

// patient is what the doctor looks at, so that a test can be another one.
type patient struct {
	paths paths
	env   []string
	dir   string
	build string // of this program
	// terminal asks the terminal; see server.AskTerminal.
	terminal func(question string, enough func([]byte) bool) ([]byte, server.Size, error)
	// colours is how many colours the terminal is taken to show, in words.
	colours string
	// logout says whether this login ends what it started.
	logout func(context.Context) string
	// free is the room that is left where a folder lies, in bytes.
	free func(dir string) (uint64, error)
	// run runs a program to its end and returns what it printed.
	run func(ctx context.Context, argv []string) (string, error)
}

// examinations are the parts in their order.
var examinations = []struct {
	part string
	look func(ctx context.Context, p patient, r *findings)
}{
	{"terminal", lookAtTerminal},
	{"keys", lookAtKeys},
	{"config", lookAtConfig},
	{"server", lookAtServer},
	{"state", lookAtState},
	{"login", lookAtLogin},
	{"agents", lookAtAgents},
}

// findings gathers those of one part.
type findings struct {
	part string
	all  []finding
}

func (r *findings) add(v verdict, name, what, do string) {
	r.all = append(r.all, finding{Part: r.part, Name: name, State: v, What: oneLine(what), Do: oneLine(do)})
}

// oneLine makes a text one that a terminal may be given: what it says may come from
// files and programs.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

// examine looks at everything.
func examine(ctx context.Context, p patient) diagnosis {
	d := diagnosis{Version: versionText(), OK: true}
	for _, e := range examinations {
		r := findings{part: e.part}
		e.look(ctx, p, &r)
		d.Findings = append(d.Findings, r.all...)
	}
	for _, f := range d.Findings {
		d.OK = d.OK && f.State != wrong
	}
	return d
}

// doctorCommand is `reprise doctor`.
func doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at the terminal, the server, the database and the agents, and say what to do; exit 1 if anything is wrong",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := thisPatient()
			if err != nil {
				return err
			}
			d := examine(cmd.Context(), p)
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), d)
			} else {
				err = printDiagnosis(cmd.OutOrStdout(), d, ui.PlainTerminal(p.env))
			}
			if err == nil && !d.OK {
				err = exitError(1)
			}
			return err
		},
		SilenceUsage: true,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything, for programs")
	return cmd
}

// answerTime is for the terminal to answer: more than a far one takes.
const answerTime = time.Second

// thisPatient is where we run.
func thisPatient() (patient, error) {
	paths, err := findPaths()
	if err != nil {
		return patient{}, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return patient{}, fmt.Errorf("this directory is gone: go to one that exists, then ask again (%w)", err)
	}
	src, _, build, err := self()
	if err != nil {
		return patient{}, err
	}
	_ = src.Close()
	return patient{
		paths: paths, env: os.Environ(), dir: dir, build: build, colours: coloursOf(os.Stdout, os.Environ()),
		terminal: func(question string, enough func([]byte) bool) ([]byte, server.Size, error) {
			return server.AskTerminal(os.Stdin, os.Stdout, question, enough, answerTime)
		},
		logout: logoutWarning, free: freeRoom, run: runQuietly,
	}, nil
}

// printDiagnosis prints a line for each finding, and one below it for what to do.
func printDiagnosis(w io.Writer, d diagnosis, ascii bool) error {
	var b strings.Builder
	width, part, bad := 0, "", 0
	for _, f := range d.Findings {
		width = max(width, len([]rune(f.Name)))
	}
	col := 0
	if ascii {
		col = 1
	}
	for _, f := range d.Findings {
		if f.Part != part {
			part = f.Part
			fmt.Fprintf(&b, "%s\n", part)
		}
		fmt.Fprintf(&b, "  %s %-*s  %s\n", verdictGlyphs[f.State][col], width, f.Name, f.What)
		if f.Do != "" {
			fmt.Fprintf(&b, "    %-*s  %s\n", width, "", f.Do)
		}
		if f.State == wrong {
			bad++
		}
	}
	switch bad {
	case 0:
		b.WriteString("Nothing needs you.\n")
	case 1:
		b.WriteString("1 thing needs you.\n")
	default:
		fmt.Fprintf(&b, "%d things need you.\n", bad)
	}
	_, err := io.WriteString(w, b.String())
	if err != nil {
		return errors.Join(errors.New("print the findings"), err)
	}
	return nil
}
