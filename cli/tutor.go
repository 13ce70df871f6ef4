package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/panes"
)

// tutorSession is the session of the tutor, demoAgent its agent; resumeFlag tells that
// to go on with a session.
const (
	tutorSession = "tutor"
	demoAgent    = "demo"
	resumeFlag   = "--resume"
)

// tutorCommand is `reprise tutor`.
func tutorCommand() *cobra.Command {
	return &cobra.Command{
		Use:          "tutor",
		Short:        "Learn the keys in two minutes, in a session that leaves nothing behind",
		Args:         cobra.NoArgs,
		RunE:         func(cmd *cobra.Command, _ []string) error { return runTutor(cmd.Context(), cmd.OutOrStdout()) },
		SilenceUsage: true,
	}
}

// runTutor is server and client in one process, with a state folder that goes with it:
// whatever the person tries, and however it ends, nothing of theirs is touched.
func runTutor(ctx context.Context, out io.Writer) (err error) {
	if err := checkTerminal(); err != nil {
		return err
	}
	if os.Getenv("REPRISE_PANE") != "" {
		return errors.New("this is a pane of reprise: its own keys would take the tutor's. Run reprise tutor in a terminal outside")
	}
	real, err := findPaths()
	if err != nil {
		return err
	}
	sweepTutors(os.TempDir())
	dir, err := os.MkdirTemp("", fmt.Sprintf(tutorFolder, os.Getpid())+"*")
	if err != nil {
		return fmt.Errorf("make a folder for the tutor: %w", err)
	}
	defer func() {
		if gone := os.RemoveAll(dir); gone != nil {
			err = errors.Join(err, fmt.Errorf("the tutor's folder stays, remove it: %w", gone))
		}
	}()
	work := filepath.Join(dir, tutorSession)
	if err := os.Mkdir(work, 0o700); err != nil {
		return fmt.Errorf("make a folder for the tutor: %w", err)
	}
	t := &tutor{dir: dir, acts: map[string]int{}}
	p, err := openProcessAt(ctx, paths{state: filepath.Join(dir, "state"), config: real.config, cache: filepath.Join(dir, "cache")}, false)
	if err != nil {
		return err
	}
	defer func() {
		p.close()
		_ = p.program() // else it might be copied when the folder is gone
	}()
	p.tutor, p.config.acted = t, t.did
	socket, err := p.foregroundSocket()
	if err != nil {
		return err
	}
	if t.program, err = os.Executable(); err != nil {
		return fmt.Errorf("find the running binary: %w", err)
	}
	o := runOptions{wish: wish{Name: tutorSession, Fresh: true, Args: append([]string{t.program, "tutor-steps", socket}, overrides(os.Environ())...)}}
	hello, err := o.hello()
	if err != nil {
		return err
	}
	hello.Dir = work
	if err := p.foreground(ctx, hello); err != nil {
		return err
	}
	fmt.Fprintln(out, t.verdict())
	return nil
}

// tutorFolder is how a tutor's folder is called, by its process: one that was killed
// leaves it.
const tutorFolder = "reprise-tutor-%d-"

// sweepTutors removes what killed tutors left.
func sweepTutors(in string) {
	old, _ := filepath.Glob(filepath.Join(in, "reprise-tutor-*"))
	for _, dir := range old {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(dir), tutorFolder, &pid); err != nil || pid < 1 {
			continue
		}
		if st, err := os.Lstat(dir); err == nil && st.IsDir() && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.RemoveAll(dir) // another person's stays
		}
	}
}

// tutorGrace is how long a program of a tutor may take at each signal.
const tutorGrace = 300 * time.Millisecond

// endPrograms ends what runs in the panes: nobody could find it later, whose folder is
// removed.
func (h *house) endPrograms(ctx context.Context) {
	var wg sync.WaitGroup
	for _, t := range h.host.Terminals() {
		wg.Go(func() {
			if err := panes.EndProcess(ctx, t.Process(), t.Spec().Nonce, tutorGrace); err != nil {
				h.proc.log.Warn("end a program of the tutor", "terminal", t.ID(), "err", err)
			}
		})
	}
	wg.Wait()
}

// tutor is what a process knows that is one.
type tutor struct {
	dir     string // where all of it lies
	program string // our own binary

	mu   sync.Mutex
	acts map[string]int // how often each action was run; guarded by mu
	wake chan struct{}  // closed when acts change; guarded by mu
}

// Deeds that are no actions of a client.
const (
	demoOpen = "demo-open" // the demo agent is in a pane
	demoBack = "demo-back" // it died and came back
)

// did notes an action.
func (t *tutor) did(action string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acts[action]++
	if t.wake != nil {
		close(t.wake)
		t.wake = nil
	}
}

// adjust makes settings fit for the tutor: its agent, and that agents resume.
func (t *tutor) adjust(c *config) {
	if t == nil {
		return
	}
	c.ResumeMode, c.AfterExit, c.RestoreScrollback, c.History = string(agent.ModeAuto), string(agent.AfterShell), "off", "off"
	begin := []string{"tutor-agent", "--dir", t.dir}
	c.Agents = []kinds.Custom{{
		Name: demoAgent, Command: t.program,
		NewArgs: append(begin[:3:3], "--new", "{session_id}"), ResumeArgs: append(begin[:3:3], resumeFlag, "{session_id}"),
	}}
}

// progressQuery asks what the person did, once it is another thing than what was seen.
type progressQuery struct {
	Seen map[string]int `json:"seen"`
}

// progressTime is how long an answer may wait: less than a request may take.
const progressTime = 10 * time.Second

// progress says how often each action was run, and what became of the demo agent.
func (p *process) progress(ctx context.Context, q progressQuery) (map[string]int, error) {
	t := p.tutor
	if t == nil {
		return nil, errors.New("this is no tutor: reprise tutor begins one")
	}
	all := p.all()
	if len(all) == 0 {
		return nil, errors.New("the tutor ends")
	}
	h := all[0]
	host, over := h.host.Subscribe()
	defer over()
	agents, done := h.coord.Subscribe()
	defer done()
	late := time.NewTimer(progressTime)
	defer late.Stop()
	for {
		acts, wake := t.look(h)
		if !maps.Equal(acts, q.Seen) {
			return acts, nil
		}
		select {
		case <-wake:
		case <-host:
		case <-agents:
		case <-late.C:
			return acts, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// look is what was done so far; wake is closed when that changes by an action.
func (t *tutor) look(h *house) (acts map[string]int, wake <-chan struct{}) {
	open, back := false, false
	for _, id := range h.host.Layout().Panes() {
		v := h.coord.View(id)
		if v.Kind != demoAgent {
			continue
		}
		open = true
		if term := h.host.Shown(id); term != nil && v.State == agent.PaneNormal {
			back = back || slices.Contains(term.Spec().Argv, resumeFlag)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.acts, demoOpen)
	if open {
		t.acts[demoOpen] = 1
	}
	if back {
		t.acts[demoBack] = 1
	}
	if t.wake == nil {
		t.wake = make(chan struct{})
	}
	return maps.Clone(t.acts), t.wake
}

// verdict is said when it is over.
func (t *tutor) verdict() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	done := 0
	for _, s := range steps {
		if s.done(t.acts) {
			done++
		}
	}
	if done == len(steps) {
		return fmt.Sprintf("tutor: all %d steps done. Nothing of it was kept; reprise begins a session that stays.", done)
	}
	return fmt.Sprintf("tutor: %d of %d steps done. Nothing of it was kept; reprise tutor begins again.", done, len(steps))
}

// encoded is a query in JSON, which it always can be.
func encoded(q any) []byte {
	b, err := json.Marshal(q)
	if err != nil {
		panic(fmt.Sprintf("tutor: %v", err))
	}
	return b
}
