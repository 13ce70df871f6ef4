package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/term"

	"reprise/server"
	"reprise/ui"
	"reprise/ui/frame"
)

// step is one thing that the tutor teaches. It is done when the person did it, in
// whatever order.
type step struct {
	name string
	tell string // actions in braces stand for their keys
	done func(acts map[string]int) bool
}

// did says that one of some actions was run.
func did(actions ...string) func(map[string]int) bool {
	return func(acts map[string]int) bool {
		for _, a := range actions {
			if acts[a] > 0 {
				return true
			}
		}
		return false
	}
}

var steps = []step{
	{"Split", "{split-right} puts a new pane at the right, {split-down} one below.", did("split-right", "split-down")},
	{"Move", "{focus-left} and the other arrows go to another pane.", did("focus-left", "focus-right", "focus-up", "focus-down", "focus-next", "focus-last")},
	{"Resize", "{grow-left} moves a border; the other arrows, too.", did(
		"grow-left", "grow-right", "grow-up", "grow-down", "grow-left-more", "grow-right-more", "grow-up-more", "grow-down-more",
	)},
	{"Zoom", "{zoom} shows one pane alone, and once more all of them.", func(acts map[string]int) bool { return acts["zoom"] > 1 }},
	{"Tabs", "{new-tab} opens a tab, {previous-tab} brings you back here.", func(acts map[string]int) bool {
		return acts["new-tab"] > 0 && did("previous-tab", "next-tab", "last-tab", "tabs", "tab-1")(acts)
	}},
	{"Look back", "{copy} looks back through a pane's text: arrows move, q leaves.", did("copy", "copy-up", "search")},
	{"An agent dies", "Tell the demo agent something, enter. Then type die, enter. Its pane brings it back, and it knows what you said.", did(demoBack)},
	{"Detach", "{detach} leaves. This session ends with it; all others go on, and reprise brings you back.", did("detach")},
}

// agentStep is the step that needs the demo agent.
const agentStep = 6

// lesson is what the steps' pane shows.
type lesson struct {
	keys   *ui.Keymap
	ascii  bool
	reader bool // for who hears the screen: a line for each change
	acts   map[string]int
	last   int // the step that was said last, -1 for none
}

// current is the first step that was not done; len(steps) if there is none.
func (l *lesson) current() int {
	for i, s := range steps {
		if !s.done(l.acts) {
			return i
		}
	}
	return len(steps)
}

// words are a step's words with its keys, as the person has them.
func (l *lesson) words(s step) string {
	parts := strings.Split(s.tell, "{")
	for i := 1; i < len(parts); i++ {
		action, rest, _ := strings.Cut(parts[i], "}")
		key := "the action " + action
		if keys := l.keys.Keys(action); len(keys) > 0 {
			key = keys[0]
		}
		parts[i] = key + rest
	}
	return strings.Join(parts, "")
}

// Looks of the lines.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[m"
)

// lines are the steps for a pane of w by h cells: all of them, or what there is room
// for of the current one.
func (l *lesson) lines(w, h int) []string {
	now := l.current()
	ticked, mark := "✓", "►"
	if l.ascii {
		ticked, mark = "+", ">"
	}
	var all, one []string
	for i, s := range steps {
		switch {
		case s.done(l.acts):
			all = append(all, frame.Cut(ticked+" "+s.name, w, "…"))
		case i == now:
			one = append(one, bold+frame.Cut(fmt.Sprintf("%s %s", mark, s.name), w, "…")+plain)
			for _, row := range frame.Wrap(l.words(s), max(w-2, 8), 8, "…") {
				one = append(one, "  "+row)
			}
			all = append(all, one...)
		default:
			all = append(all, faint+frame.Cut("  "+s.name, w, "…")+plain)
		}
	}
	if now == len(steps) {
		one = append(one, "That was all.")
		all = append(all, "", one[0])
	}
	if full := append([]string{bold + frame.Cut("Reprise in two minutes", w, "…") + plain, ""}, all...); len(full) <= h {
		return full
	}
	if len(all) <= h {
		return all
	}
	return one[:min(len(one), max(h, 1))]
}

// show draws the lesson, or says what changed of it.
func (l *lesson) show(out io.Writer, w, h int) {
	now := l.current()
	if !l.reader {
		fmt.Fprint(out, "\x1b[?25l\x1b[H\x1b[2J", strings.Join(l.lines(w, h), "\r\n"))
		return
	}
	if now == l.last {
		return
	}
	if l.last >= 0 {
		fmt.Fprintf(out, "Done.\r\n")
	}
	if l.last = now; now < len(steps) {
		words := fmt.Sprintf("Step %d of %d, %s. %s", now+1, len(steps), steps[now].name, l.words(steps[now]))
		fmt.Fprint(out, strings.Join(frame.Wrap(words, max(w, 8), 8, "..."), "\r\n"), "\r\n")
	}
}

// runTutorSteps is `reprise tutor-steps SOCKET [VARIABLE=VALUE…]`: the pane that shows
// the steps of the tutor that is found there. The variables override settings.
func runTutorSteps(args []string) int {
	if len(args) == 0 {
		return 2
	}
	if err := showSteps(args[0], args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "tutor: %v\n", err)
		return 1
	}
	return 0
}

func showSteps(socket string, env []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP, syscall.SIGTERM)
	defer stop()
	c := defaultConfig()
	if p, err := findPaths(); err == nil {
		c, _ = loadConfig(p.config)
	}
	c, _ = c.overlaid(env, "")
	s := c.settings()
	l := &lesson{keys: s.Keys, ascii: s.ASCII, reader: s.Reader, last: -1, acts: map[string]int{}}
	if was, err := term.MakeRaw(int(os.Stdin.Fd())); err == nil { // what is typed here is not shown
		defer func() { _ = term.Restore(int(os.Stdin.Fd()), was) }()
		go func() { _, _ = io.Copy(io.Discard, os.Stdin) }()
	}
	sizes := make(chan os.Signal, 1)
	signal.Notify(sizes, syscall.SIGWINCH)
	told := make(chan map[string]int)
	failed := make(chan error, 1)
	go func() { failed <- follow(ctx, socket, told) }()
	for {
		w, h, err := term.GetSize(int(os.Stdout.Fd()))
		if err != nil {
			w, h = 80, 24
		}
		l.show(os.Stdout, w, h)
		select {
		case l.acts = <-told:
		case <-sizes:
		case err := <-failed:
			return err
		}
	}
}

// follow asks the tutor what was done, again and again, and has it open the demo agent
// when its turn comes.
func follow(ctx context.Context, socket string, told chan<- map[string]int) error {
	var acts map[string]int
	for {
		reply, err := server.Request(ctx, socket, "tutor", encoded(progressQuery{acts}))
		switch over := errors.Is(err, server.ErrNoServer) || errors.Is(err, server.ErrLost) || ctx.Err() != nil; {
		case over:
			return nil
		case err != nil:
			return err
		}
		acts = nil
		if err := json.Unmarshal(reply, &acts); err != nil {
			return fmt.Errorf("the answer is not understood: %w", err)
		}
		select {
		case told <- acts:
		case <-ctx.Done():
			return nil
		}
		if (&lesson{acts: acts}).current() == agentStep && acts[demoOpen] == 0 {
			q := splitQuery{target: target{Session: tutorSession, Pane: os.Getenv("REPRISE_PANE")}, Args: []string{demoAgent}}
			if _, err := server.Request(ctx, socket, "split", encoded(q)); err != nil {
				return err
			}
		}
	}
}
