package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"reprise/panes"
	"reprise/server"
	"reprise/ui"
)

// errDetached is what a person reads whose client another one let go.
var errDetached = errors.New("detached by another client")

// serverName is the server's socket in its folder.
const serverName = "server"

// serveCommand is `reprise serve`: the server itself. reprise starts one when it is
// needed; a service unit may, too.
func serveCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server in the foreground, for a service unit",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.canAdopt != 0 {
				return checkAdopt(o.canAdopt)
			}
			starter := server.Started()
			err := runServer(cmd.Context(), o, starter)
			starter.Tell(err) // counts only if it could not begin
			return err
		},
		SilenceUsage: true,
	}
	f := cmd.Flags()
	f.BoolVar(&o.stay, "stay", false, "go on when nothing is left to be shown")
	f.IntVar(&o.adopt, "adopt", -1, "go on with what an earlier program of this process left: a descriptor")
	f.IntVar(&o.canAdopt, "can-adopt", 0, "say whether this program could, by the number of the form")
	for _, internal := range []string{"adopt", "can-adopt"} {
		_ = f.MarkHidden(internal) // it exists
	}
	return cmd
}

// serveOptions is what the command line says of a server.
type serveOptions struct {
	stay            bool
	adopt, canAdopt int
}

func runServer(ctx context.Context, o serveOptions, starter *server.Starter) error {
	paths, err := findPaths()
	if err != nil {
		return err
	}
	p, err := newProcess(ctx, paths, o.stay)
	if err != nil {
		return err
	}
	// Signals are heeded until all is closed. To ask for one takes a tenth of a millisecond,
	// for which the first prompt need not wait: before anything runs there is nothing to
	// be ended in order. A server that takes over runs much already.
	ignore := func() {}
	defer func() { p.close(); ignore() }()
	begin := p.begin
	if o.adopt >= 0 {
		ignore = p.heedSignals()
		begin = func(ctx context.Context) (*server.Listener, error) { return p.takeOver(ctx, o.adopt) }
	}
	l, err := begin(ctx)
	if err != nil {
		return err
	}
	starter.Tell(nil)
	if o.adopt < 0 {
		ignore = p.heedSignals()
	}
	p.aside("ask for short slices", panes.ShortSlices)
	p.log.Info("serving", "version", versionText(), "build", p.build)
	return p.serve(l)
}

// heedSignals ends the server at a signal, until what it returns is called. What is being
// taken over then is taken over first.
func (p *process) heedSignals() (ignore func()) {
	told, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
	unheard := context.AfterFunc(told, p.stop)
	return func() {
		unheard()
		stop()
	}
}

// begin claims the socket.
func (p *process) begin(ctx context.Context) (*server.Listener, error) {
	path, err := p.paths.socket(serverName)
	if err != nil {
		return nil, err
	}
	l, err := server.Reserve(ctx, path)
	if err != nil {
		return nil, err
	}
	p.lookAhead() // not before: another server would have it open
	p.complete()
	if err := l.Listen(); err != nil {
		return nil, err
	}
	return l, nil
}

// takeOver goes on with the socket, and with all that is open, of the program before.
func (p *process) takeOver(ctx context.Context, from int) (*server.Listener, error) {
	left, err := readLegacy(from)
	if err != nil {
		return nil, err
	}
	l, err := left.Claim.Listener()
	if err != nil {
		return nil, err
	}
	p.complete()
	p.adopt(ctx, left)
	return l, nil
}

// wish is what a client asks for: a hello's Args.
type wish struct {
	Name     string   `json:"name,omitempty"`
	Last     bool     `json:"last,omitempty"`
	Fresh    bool     `json:"fresh,omitempty"`
	Saved    bool     `json:"saved,omitempty"`
	NoResume bool     `json:"no_resume,omitempty"`
	Args     []string `json:"args,omitempty"`
	TTY      string   `json:"tty,omitempty"` // its terminal's name, for people
}

// attach shows a workspace to a client until it leaves.
func (p *process) attach(ctx context.Context, c *server.Conn) error {
	defer p.enter()()
	hello := c.Hello()
	var w wish
	if len(hello.Args) != 1 || json.Unmarshal([]byte(hello.Args[0]), &w) != nil {
		return errors.New("this client's request is not understood: attach with the version of the server")
	}
	if !filepath.IsAbs(hello.Dir) {
		return errors.New("this client does not say where it is: go to a directory that exists, then start reprise again")
	}
	size := panes.Size{Cols: hello.Size.Cols, Rows: hello.Size.Rows}
	v := visit{
		name: w.Name, last: w.Last, fresh: w.Fresh, saved: w.Saved, dir: hello.Dir, env: hello.Env, args: w.Args, noResume: w.NoResume,
		client: panes.ClientID(fmt.Sprintf("client-%d", c.ID())),
		// Panes lie above the status bar. A terminal too small for them now may grow.
		area: panes.Size{Cols: size.Cols, Rows: max(size.Rows-1, 1)},
	}
	if hello.ReadOnly { // it changes nothing, sizes neither
		v.area = panes.Size{}
	}
	s := &seat{proc: p, conn: c, peer: ui.Peer{Name: guestName(w.TTY, c.PID(), hello.Env), Size: size, Read: hello.ReadOnly}}
	defer s.leave()
	first, err := s.take(ctx, v)
	if err != nil {
		return err
	}
	return s.show(ctx, first)
}

// show runs one client's program.
func (s *seat) show(ctx context.Context, first ui.Session) error {
	c, p := s.conn, s.proc
	hello := c.Hello()
	c.Accept(ui.Reset)
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var used func()
	if hint := p.paths.mark("prefix-used"); !hint.exists() {
		used = hint.set
	}
	rewritten, forget := p.config.news.Subscribe()
	defer forget()
	cfg, notices, reload := p.config.client(hello.Env)
	cfg.Rewritten = rewritten
	notices = slices.Concat(s.house().takeNotices(), notices, p.outdated(hello))
	size := s.peer.Size // before sizes changes it
	err := ui.Run(inner, ui.Config{
		Host: first.Host, Resumer: first.Resumer, Launcher: first.Launcher,
		In: c, Out: c, Size: size, Resized: s.sizes(inner), Resumed: c.Resumed(), Suspend: c.Suspend,
		ReadOnly: hello.ReadOnly, Peers: first.Peers, Sessions: s, Client: first.Client,
		Profile: parseProfile(hello.Profile), Env: hello.Env,
		Settings: cfg, Reload: reload,
		Workspace: first.Workspace, Home: lookEnv(hello.Env, "HOME"), Focus: first.Focus, Focused: first.Focused,
		Notices: notices, PrefixUsed: used,
		Save: first.Save, Log: p.log,
	})
	h := s.house()
	switch {
	case err != nil:
	case errors.Is(context.Cause(ctx), errUpgrade):
		c.Leave(server.Farewell{Message: h.Name(), Again: true})
	case ctx.Err() == nil:
		words := "detached from " + h.Name()
		if h.empty() {
			words = "session " + h.Name() + " ended: its last pane was closed"
		}
		c.Leave(server.Farewell{Message: words})
	}
	return err
}

// focused notes which pane a client looks at, for the next start too.
func (h *house) focused(p panes.PaneID) {
	h.focus.Store(&p)
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	h.saving.Lock() // it keeps its name
	defer h.saving.Unlock()
	if err := h.db.MarkUsed(ctx, h.Name(), h.instance, p, time.Now()); err != nil {
		h.proc.log.Warn("note the focus", "session", h.Name(), "err", err)
	}
}

// sizes passes a client's sizes on and notes them. A fault is logged, and the client
// keeps the size that it has.
func (s *seat) sizes(ctx context.Context) <-chan panes.Size {
	out := make(chan panes.Size)
	s.proc.aside("follow a client's size", func() {
		for {
			select {
			case <-ctx.Done():
				return
			case r := <-s.conn.Resized():
				size := panes.Size{Cols: r.Cols, Rows: r.Rows}
				s.resize(size)
				select {
				case out <- size:
				case <-ctx.Done():
					return
				}
			}
		}
	})
	return out
}

// outdated says that a client is of another build than the server.
func (p *process) outdated(c server.Hello) []string {
	if c.Build == "" || c.Build == p.build {
		return nil
	}
	return []string{fmt.Sprintf("The server runs another build (%s, this is %s): reprise upgrade lets it go on as yours.", versionText(), c.Version)}
}

// takeNotices are told to the first client that comes.
func (h *house) takeNotices() []string {
	h.furnishing.Lock()
	defer h.furnishing.Unlock()
	n := h.notices
	h.notices = nil
	return n
}

// maxTTY bounds the name of a client's terminal, in bytes.
const maxTTY = 64

// showable reports whether a client may call its terminal so: other clients show it. (A
// regular expression would take a tenth of a millisecond of the first prompt.)
func showable(tty string) bool {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-"
	return tty != "" && len(tty) <= maxTTY && strings.Trim(tty, plain) == ""
}

// guestName is a client's terminal, and where it comes from.
func guestName(tty string, pid int, env []string) string {
	name := tty
	if !showable(tty) {
		name = fmt.Sprintf("process %d", pid)
	}
	// SSH_CONNECTION: the client's address comes first (ssh(1)).
	from, _, _ := strings.Cut(lookEnv(env, "SSH_CONNECTION"), " ")
	if net.ParseIP(from) != nil {
		name += " from " + from
	}
	return name
}

// profiles are what a client calls the colours of its terminal.
var profiles = []colorprofile.Profile{colorprofile.NoTTY, colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor}

// parseProfile reads a profile's name; what is not known shows no colours.
func parseProfile(name string) colorprofile.Profile {
	for _, p := range profiles {
		if p.String() == name {
			return p
		}
	}
	return colorprofile.ASCII
}
