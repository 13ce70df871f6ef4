package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reprise/panes/vt/shot"
)

// maxCut bounds --cut, in bytes: larger pieces than a read brings mean nothing.
const maxCut = 1 << 20

// screenCommand is `reprise screen`: what a pane would show of a program's output.
func screenCommand() *cobra.Command {
	var (
		size string
		in   shot.Input
		out  shot.Options
	)
	cmd := &cobra.Command{
		Use:   "screen",
		Short: "Show what a terminal would show of the bytes on standard input",
		Long: "Screen feeds standard input to the terminal of a pane and prints the screen that is left: a log with\n" +
			"colours and cursor movements becomes text. The JSON form has cells, cursor, modes, title and replies.",
		Example: "  reprise screen <build.log\n  script -qc 'make' /dev/stdout | reprise screen --size 120x40 --format ansi --scrollback",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if in.Cols, in.Rows, err = shot.ParseSize(size); err != nil {
				return err
			}
			if in.Cut < 0 || in.Cut > maxCut {
				return fmt.Errorf("--cut takes a number from 0 to %d", maxCut)
			}
			in.Reader = cmd.InOrStdin()
			w := bufio.NewWriter(cmd.OutOrStdout())
			if err := shot.Feed(w, in, out); err != nil {
				return err
			}
			return w.Flush()
		},
		SilenceUsage: true,
	}
	f := cmd.Flags()
	f.StringVar(&size, "size", "80x24", "the terminal's size, COLSxROWS, each from 1 to 1000")
	f.StringVar(&out.Format, "format", "text", strings.Join(shot.Formats, ", "))
	f.BoolVar(&out.Scrollback, "scrollback", false, "print the lines that left the top, too")
	f.IntVar(&in.Cut, "cut", 0, "feed the input in pieces of so many bytes; 0: as it comes")
	return cmd
}
