package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"reprise/panes"
	"reprise/ui"
)

// runOptions is what the command line says.
type runOptions struct {
	args     []string // agent or command with its arguments; empty: none
	noResume bool
}

// run is the program itself: it opens the workspace of this directory and shows
// it until the person leaves. Leaving disposes nothing.
func run(ctx context.Context, o runOptions) error {
	if err := checkTerminal(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP, syscall.SIGTERM)
	defer stop()
	h, err := openHouse(ctx, o)
	if err != nil {
		return err
	}
	defer h.close()
	return h.show(ctx, o.args)
}

// checkTerminal refuses what cannot be drawn on.
func checkTerminal() error {
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())) {
		return errors.New("reprise needs a terminal on its input and output: start it in one, over SSH with ssh -t")
	}
	if t := os.Getenv("TERM"); t == "" || t == "dumb" {
		return fmt.Errorf("a terminal with TERM=%q cannot move its cursor: start reprise in another one, or set TERM to what yours is, such as xterm-256color", t)
	}
	return nil
}

// show runs the one client of this process.
func (h *house) show(ctx context.Context, args []string) error {
	cols, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return fmt.Errorf("ask the terminal for its size: %w", err)
	}
	size := panes.Size{Cols: max(cols, 1), Rows: max(rows, 1)}
	// Panes lie above the status bar. A terminal too small for them now may grow.
	added, err := h.openPanes(ctx, args, panes.Size{Cols: size.Cols, Rows: max(size.Rows-1, 1)})
	if err != nil {
		return err
	}
	h.start()
	env := os.Environ()
	var used func()
	if hint := h.paths.mark("prefix-used"); !hint.exists() {
		used = hint.set
	}
	saved, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return fmt.Errorf("prepare the terminal: %w", err)
	}
	defer func() { _ = term.Restore(int(os.Stdin.Fd()), saved) }()
	return ui.Run(ctx, ui.Config{
		Host: h.host, Resumer: h.coord, Launcher: h.coord,
		In: os.Stdin, Out: os.Stdout, Size: size, Resized: resized(ctx),
		Profile: colorprofile.Detect(os.Stdout, env), Env: env,
		Theme: h.cfg.Theme, ASCII: h.cfg.ASCII == "on", NoASCII: h.cfg.ASCII == "off",
		Workspace: h.workspace.Name, Home: os.Getenv("HOME"), Focus: added,
		Notices:    h.notices,
		PrefixUsed: used,
		Save:       h.saveLayout, Log: h.log,
	})
}

// resized delivers the terminal's size after changes.
func resized(ctx context.Context) <-chan panes.Size {
	changes, sizes := make(chan os.Signal, 1), make(chan panes.Size)
	signal.Notify(changes, syscall.SIGWINCH)
	go func() {
		defer signal.Stop(changes)
		for {
			select {
			case <-ctx.Done():
				return
			case <-changes:
			}
			cols, rows, err := term.GetSize(int(os.Stdout.Fd()))
			if err != nil {
				continue
			}
			select {
			case <-ctx.Done():
				return
			case sizes <- panes.Size{Cols: max(cols, 1), Rows: max(rows, 1)}:
			}
		}
	}()
	return sizes
}
