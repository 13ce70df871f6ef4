// Package cli joins the rooms: it reads the command line, the environment and
// config.toml, opens the state folder and starts what was asked for.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"reprise/panes/gate"
)

// version is set by the linker in releases.
var version = "dev"

// hidden are the commands that programs and hooks call, not people. They are
// looked up before anything else is set up: an agent waits for its hook.
var hidden = map[string]func(args []string) int{
	// Where cli/early/now was not there before us.
	gate.Command: func([]string) int { return gate.Run() },

	"hook": runHook,
	"shim": runShim,

	"tutor-steps": runTutorSteps,
	"tutor-agent": runTutorAgent,
}

// Main runs the command line and returns the process's exit status: 0, or 1 with
// a sentence on stderr.
func Main(args []string) int {
	if len(args) > 0 {
		if run, ok := hidden[args[0]]; ok {
			return run(args[1:])
		}
	}
	root := rootCommand()
	root.SetArgs(args)
	err := fang.Execute(context.Background(), root,
		fang.WithVersion(versionText()), fang.WithoutManpage(), fang.WithoutCompletions(),
		fang.WithErrorHandler(printError))
	var exit exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	}
	return 1
}

// exitError ends the process with a status and no words.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func rootCommand() *cobra.Command {
	var o runOptions
	root := &cobra.Command{
		Use:   "reprise [agent or command [its arguments]]",
		Short: "A terminal multiplexer whose panes bring agent sessions back",
		Long: "Reprise opens the panes of this directory's workspace, or a shell. When the terminal of a coding\n" +
			"agent dies, its pane brings the conversation back by itself, exactly once.",
		Example: "  reprise\n  reprise claude --model opus\n  reprise --no-resume",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Args = args
			return run(cmd.Context(), o, cmd.OutOrStdout())
		},
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		CompletionOptions:     cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	// The first word ends our own flags: what follows belongs to the program.
	root.Flags().SetInterspersed(false)
	root.Flags().BoolVar(&o.NoResume, "no-resume", false, "ask before any session is resumed, this time")
	root.Flags().BoolVar(&o.foreground, "foreground", false, "run in this process alone, without a server: what runs ends with it")
	root.AddCommand(screenCommand(), serveCommand(), attachCommand(), newCommand(), configCommand(), tutorCommand(), doctorCommand(), importCommand(), agentCommand(), sessionsCommand(), sessionCommand())
	root.AddCommand(controlCommands()...)
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"}) // "help" may be a program
	return root
}

// printError says what went wrong in plain words: those of the error, which say
// what to do next.
func printError(w io.Writer, _ fang.Styles, err error) {
	var exit exitError
	if !errors.As(err, &exit) {
		fmt.Fprintf(w, "reprise: %v\n", err)
	}
}

func versionText() string {
	if version != "dev" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}
