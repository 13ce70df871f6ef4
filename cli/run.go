package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"reprise/cli/early"
	"reprise/panes"
	"reprise/server"
)

// runOptions is what the command line says of an attachment.
type runOptions struct {
	wish
	foreground bool
	readOnly   bool
}

// attempts is how often a server that ends while we come is looked for again.
const attempts = 5

// run attaches this terminal to the server, which is started if none runs. What it
// runs goes on when the person leaves.
func run(ctx context.Context, o runOptions, out io.Writer) error {
	if err := checkTerminal(); err != nil {
		return err
	}
	hello, err := o.hello()
	if err != nil {
		return err
	}
	if o.foreground {
		return runForeground(ctx, hello)
	}
	if pane := os.Getenv("REPRISE_PANE"); pane != "" {
		return errors.New("this is a pane of reprise already: split it with reprise split, or run reprise --foreground for one inside it")
	}
	p, socket, err := findServer()
	if err != nil {
		return err
	}
	bye, err := o.attach(ctx, p, socket, hello, out)
	for err == nil && bye.Again { // the server goes on as another program
		o.wish = wish{Name: bye.Message, Saved: true}
		if hello, err = o.hello(); err == nil {
			bye, err = o.attach(ctx, p, socket, hello, out)
		}
	}
	switch {
	case errors.Is(err, server.ErrLost):
		return fmt.Errorf("%w: reprise attach brings back what it ran", server.ErrLost)
	case err != nil:
		return err
	}
	if bye.Message != "" {
		fmt.Fprintf(out, "[%s]\n", bye.Message)
	}
	if bye.Status != 0 {
		return exitError(bye.Status)
	}
	return nil
}

// attach finds or starts the server and attaches to it. One that ends just then is
// done without.
func (o runOptions) attach(ctx context.Context, p paths, socket string, hello server.Hello, out io.Writer) (bye server.Farewell, err error) {
	for try := 1; ; try++ {
		if hello.Build, err = ensure(ctx, p, socket, !o.Saved && !o.Last, out); err != nil {
			return bye, err
		}
		bye, err = server.Attach(ctx, socket, server.Attachment{Hello: hello})
		ended := errors.Is(err, server.ErrNoServer) || errors.Is(err, server.ErrUnanswered) || refusedAtEnd(err)
		if !ended || try == attempts {
			return bye, err
		}
	}
}

// refusedAtEnd reports whether a server refused us because it was ending: the next
// one takes us.
func refusedAtEnd(err error) bool {
	var refused *server.RefusedError
	return errors.As(err, &refused) && refused.Text == server.ErrShutdown.Error()
}

// ensure starts the server if none runs, and returns which build we are. Without
// force a server is started only where something was saved that it could show.
func ensure(ctx context.Context, p paths, socket string, force bool, out io.Writer) (build string, err error) {
	if !force && !p.used() {
		return "", errors.New("there is no session: reprise starts one")
	}
	if err := p.makeState(); err != nil {
		return "", err
	}
	src, program, build, err := self()
	if err != nil {
		return "", err
	}
	_ = src.Close()
	// A server that is to be found by its program's name runs the copy that stays,
	// if there is one yet: to wait for it would delay the first prompt.
	if _, err := os.Stat(installed(p.state, build)); err == nil {
		program = installed(p.state, build)
	}
	started, err := server.Ensure(ctx, socket, server.Launch{Argv: []string{program, "serve"}, Log: p.logFile(), Begun: early.Take()})
	if started {
		if words := logoutWarning(ctx); words != "" {
			fmt.Fprintf(out, "reprise: %s\n", words)
		}
	}
	return build, err
}

// runForeground is server and client in one process: what runs ends with it.
func runForeground(ctx context.Context, hello server.Hello) error {
	panes.ShortSlices()
	p, err := openProcess(ctx, false)
	if err != nil {
		return err
	}
	defer p.close()
	p.lookAhead()
	return p.foreground(ctx, hello)
}

// foregroundSocket is where a server in this process is found.
func (p *process) foregroundSocket() (string, error) {
	return p.paths.socket(fmt.Sprintf("foreground-%d", os.Getpid()))
}

// foreground serves this process's own client until it leaves.
func (p *process) foreground(ctx context.Context, hello server.Hello) error {
	socket, err := p.foregroundSocket()
	if err != nil {
		return err
	}
	l, err := server.Listen(ctx, socket)
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- p.serve(l) }()
	bye, err := server.Attach(ctx, socket, server.Attachment{Hello: hello})
	p.stop()
	err = errors.Join(err, <-served)
	// Told to end by a signal it leaves as well as it does by a key.
	if err == nil && bye.Status > 0 && bye.Status < 128 {
		return errors.New(bye.Message)
	}
	return err
}

// hello is how this client introduces itself.
func (o runOptions) hello() (server.Hello, error) {
	dir, err := os.Getwd()
	if err != nil {
		return server.Hello{}, fmt.Errorf("this directory is gone: go to one that exists, then start reprise again (%w)", err)
	}
	env := os.Environ()
	if tty, err := os.Readlink("/proc/self/fd/0"); err == nil {
		o.TTY = strings.TrimPrefix(tty, "/dev/")
	}
	args, err := json.Marshal(o.wish)
	if err != nil {
		return server.Hello{}, fmt.Errorf("ask the server: %w", err)
	}
	return server.Hello{
		Version: versionText(), Profile: colorprofile.Detect(os.Stdout, env).String(), Term: os.Getenv("TERM"),
		Env: env, Dir: dir, Args: []string{string(args)}, ReadOnly: o.readOnly,
	}, nil
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
