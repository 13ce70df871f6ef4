package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reprise/agent/kinds"
)

// configCommand is `reprise config`.
func configCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "config",
		Short: "Show, check or begin config.toml",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("say what of: path, check, show, init, agent, themes or schema")
		},
	}
	var defaults bool
	show := &cobra.Command{
		Use: "show", Short: "Print what is in force, as a config.toml",
		RunE: func(cmd *cobra.Command, _ []string) error { return showConfig(cmd, defaults) },
	}
	show.Flags().BoolVar(&defaults, "defaults", false, "what is in force without a config.toml")
	root.AddCommand(show,
		&cobra.Command{Use: "path", Short: "Print where config.toml is looked for", RunE: configPath},
		&cobra.Command{Use: "check", Short: "Name everything that is wrong in config.toml; exit 1 if anything is", RunE: checkConfig},
		&cobra.Command{Use: "themes", Short: "List the themes, and what is wrong with your own", RunE: listThemes},
		&cobra.Command{Use: "schema", Short: "Print a JSON schema of config.toml, for editors", RunE: printSchema},
		&cobra.Command{Use: "init", Short: "Write a config.toml with every default in it, commented out", RunE: initConfig},
	)
	root.SilenceUsage = true
	for _, c := range root.Commands() {
		c.Args, c.SilenceUsage = cobra.NoArgs, true
	}
	root.AddCommand(&cobra.Command{
		Use: "agent NAME", Short: "Print an agent that Reprise knows as a table of config.toml, to make your own of it",
		Args: cobra.ExactArgs(1), SilenceUsage: true, RunE: printAgent,
	})
	return root
}

func configPath(cmd *cobra.Command, _ []string) error {
	p, err := findPaths()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), p.config)
	return err
}

// faultsOf is everything that is wrong in a config file and in the environment, beside
// what of a file is in force. Themes of one's own, which need not be in use, are
// checked as they are where they are used.
func faultsOf(path string, env []string) (*reading, []string) {
	r, err := readConfig(path)
	wrong := append(r.said(), noneInForce(err)...)
	own := themeFiles{folder: themesOf(path)}
	own.all()
	_, bad := r.c.overlaid(env, own.folder)
	for _, w := range slices.Concat(own.wrong, bad) {
		if !slices.Contains(wrong, w) { // of a theme that is in use
			wrong = append(wrong, w)
		}
	}
	return r, wrong
}

func checkConfig(cmd *cobra.Command, _ []string) error {
	p, err := findPaths()
	if err != nil {
		return err
	}
	_, wrong := faultsOf(p.config, os.Environ())
	for _, w := range wrong {
		fmt.Fprintln(cmd.OutOrStdout(), w)
	}
	if len(wrong) > 0 {
		return exitError(1)
	}
	words := "nothing is wrong in " + p.config
	if _, err := os.Stat(p.config); errors.Is(err, os.ErrNotExist) {
		words = "there is no " + p.config + ": the defaults are in force"
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), words)
	return err
}

func showConfig(cmd *cobra.Command, defaults bool) error {
	c := defaultConfig()
	if defaults {
		_, err := fmt.Fprint(cmd.OutOrStdout(), c.text(false))
		return err
	}
	p, err := findPaths()
	if err != nil {
		return err
	}
	env := os.Environ()
	r, wrong := faultsOf(p.config, env)
	for _, w := range wrong {
		fmt.Fprintln(cmd.ErrOrStderr(), w)
	}
	c, _ = r.c.overlaid(env, themesOf(p.config))
	_, err = fmt.Fprint(cmd.OutOrStdout(), c.textFrom(false, func(s setting) string { return r.source(s, env) }))
	return err
}

// printAgent prints a built-in agent as one of the person's own, under another name.
func printAgent(cmd *cobra.Command, args []string) error {
	c, ok := builtInAgent(args[0])
	if !ok {
		all, _ := kinds.New(nil)
		var names []string
		for _, k := range all.All() {
			names = append(names, k.Facts().Name)
		}
		return fmt.Errorf("there is no agent %s; there are %s", args[0], strings.Join(names, ", "))
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), strings.TrimPrefix(agentText(&c), "\n"))
	return err
}

// builtInAgent is a built-in agent in the words of config.toml, as my-NAME.
func builtInAgent(name string) (kinds.Custom, bool) {
	c, ok := kinds.Describe(name)
	if slices.Contains(formats(), name) {
		c.Store.Format = name
	}
	c.Name = "my-" + c.Name
	return c, ok
}

// initConfig writes a first config.toml. One that is there is a person's own.
func initConfig(cmd *cobra.Command, _ []string) error {
	p, err := findPaths()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.config), 0o700); err != nil {
		return fmt.Errorf("the folder of config.toml cannot be made: %w", err)
	}
	f, err := os.OpenFile(p.config, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already and stays as it is: reprise config show --defaults prints the defaults", p.config)
	}
	if err != nil {
		return fmt.Errorf("config.toml cannot be written: %w", err)
	}
	c := defaultConfig()
	_, err = f.WriteString(c.text(true))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", p.config, err)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), p.config)
	return err
}
