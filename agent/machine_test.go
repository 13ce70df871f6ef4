package agent_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/vt"
)

// machine is a computer without a kernel: processes that tests script, seen by
// every server that runs on it. It holds what must never happen: two agents on
// one session, and a signal to a stranger.
type machine struct {
	t testing.TB

	mu       sync.Mutex
	procs    []*proc
	aliens   []panes.Proc
	launches []launched // what was let run, in order
	broken   error      // what the next start of a process fails with
	// onExec is called when a program was let run, on its own goroutine.
	onExec func(*proc)
	// stubborn processes outlive the end of their pty; undying ones every signal.
	stubborn, undying bool
	boot              string
	atGate, mostGates int // children that wait at a gate now, and at most
	gateFails         bool
	screens           bool // terminals have real screens
}

// launched is one line of the launch log.
type launched struct {
	session agent.SessionID
	resume  bool
	argv    []string
	env     []string
	dir     string
	pane    panes.PaneID
}

// proc is one process with its pty.
type proc struct {
	m       *machine
	id      panes.ProcessID
	spec    panes.Spec
	session agent.SessionID
	gate    int // 0 waits, 1 open, 2 shut
	over    chan struct{}
	out     chan []byte // what it prints
	exit    panes.Exit
	dead    bool
	hupped  bool // its pty is gone, and it lives on
	lingers bool // a child of it lives on
	typed   string
}

func newMachine(t testing.TB) *machine { return &machine{t: t, boot: "boot-1"} }

func (m *machine) spawn(spec panes.Spec) (panes.Process, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken != nil {
		return nil, m.broken
	}
	p := &proc{
		m: m, spec: spec, over: make(chan struct{}), out: make(chan []byte), session: sessionIn(spec.Argv),
		id: panes.ProcessID{PID: 1000 + len(m.procs), Start: uint64(len(m.procs)) + 1, Boot: m.boot},
	}
	m.procs = append(m.procs, p)
	m.atGate++
	m.mostGates = max(m.mostGates, m.atGate)
	return p, nil
}

func sessionIn(argv []string) agent.SessionID {
	for i, a := range argv {
		if (a == "--resume" || a == "--session-id") && i+1 < len(argv) {
			return agent.SessionID(argv[i+1])
		}
	}
	return ""
}

// emulator shows nothing.
type emulator struct{}

func (emulator) Write(p []byte) (int, error) { return len(p), nil }
func (emulator) Resize(int, int)             {}
func (emulator) Snapshot(*vt.Screen)         {}
func (emulator) State() vt.State             { return vt.State{} }

func (m *machine) host() *panes.Host {
	o := panes.HostOptions{Launch: m.spawn}
	if !m.screens {
		o.Emulator = func(panes.Size, func([]byte)) panes.Emulator { return emulator{} }
	}
	return panes.NewHost(o)
}

func (p *proc) ID() panes.ProcessID { return p.id }
func (p *proc) TTY() panes.TTY      { return p }

func (p *proc) Gate(open bool) error {
	p.m.mu.Lock()
	if p.dead || p.gate != 0 {
		p.m.mu.Unlock()
		return errors.New("the shim is gone")
	}
	p.m.atGate--
	if open && p.m.gateFails {
		p.gate = 2
		p.die(panes.Exit{})
		p.m.mu.Unlock()
		return errors.New("the shim is gone")
	}
	if !open {
		p.gate = 2
		p.die(panes.Exit{Status: 125})
		p.m.mu.Unlock()
		return nil
	}
	p.gate = 1
	p.m.launches = append(p.m.launches, launched{
		session: p.session, resume: slices.Contains(p.spec.Argv, "--resume"), argv: p.spec.Argv, env: p.spec.Env, dir: p.spec.Dir, pane: p.spec.Pane,
	})
	for _, o := range p.m.procs {
		if o != p && o.gate == 1 && !o.dead && o.session != "" && o.session == p.session {
			p.m.t.Errorf("two agents on session %s: %d and %d", p.session, o.id.PID, p.id.PID)
		}
	}
	exec := p.m.onExec
	p.m.mu.Unlock()
	if exec != nil {
		go exec(p)
	}
	return nil
}

func (p *proc) Signal(os.Signal) error { return nil }

func (p *proc) Wait() panes.Exit {
	<-p.over
	p.m.mu.Lock() // hung up and stubborn, it is not over yet
	defer p.m.mu.Unlock()
	return p.exit
}

func (p *proc) Read(take func([]byte)) error {
	select {
	case <-p.over:
		return io.EOF
	case text := <-p.out:
		take(text)
		return nil
	}
}

// prints writes to its terminal.
func (p *proc) prints(text string) {
	select {
	case <-p.over:
	case p.out <- []byte(text):
	}
}

func (p *proc) Write(b []byte) (int, error) {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	p.typed += string(b)
	return len(b), nil
}

// got is what was typed to it until now.
func (p *proc) got() string {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	return p.typed
}
func (p *proc) StopReading(time.Time) error { return nil }
func (p *proc) SetSize(panes.Size) error    { return nil }
func (p *proc) Close() error                { return nil }

// die ends the process; m.mu is held.
func (p *proc) die(e panes.Exit) {
	if p.dead {
		return
	}
	if p.gate == 0 {
		p.m.atGate--
		p.gate = 2
	}
	p.dead, p.exit = true, e
	if !p.hupped {
		close(p.over)
	}
}

// ends lets the process end by itself.
func (p *proc) ends(status int) { p.killed(panes.Exit{Status: status}) }

func (p *proc) killed(e panes.Exit) {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	p.die(e)
}

func bySignal(s syscall.Signal) panes.Exit { return panes.Exit{Status: 128 + int(s), Signal: int(s)} }

// hangUp is the end of ptys whose master is gone with its server.
func (m *machine) hangUp(h *panes.Host) {
	m.mu.Lock()
	defer m.mu.Unlock()
	mine := map[panes.ProcessID]bool{}
	for _, t := range h.Terminals() {
		mine[t.Process()] = true
	}
	for _, p := range m.procs {
		switch {
		case !mine[p.id] || p.dead:
		case p.gate == 0:
			p.die(panes.Exit{Status: 125})
		case m.stubborn || m.undying:
			// The process lives on; the dead server's goroutines must end.
			p.hupped = true
			close(p.over)
		default:
			p.die(bySignal(syscall.SIGHUP))
		}
	}
}

// reboot ends everything; pids and start times will repeat.
func (m *machine) reboot() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.procs {
		p.die(bySignal(syscall.SIGKILL))
	}
	m.boot += "+"
}

func (m *machine) of(id panes.ProcessID) *proc {
	for _, p := range m.procs {
		if p.id == id {
			return p
		}
	}
	return nil
}

// Alive, End, List and OpenFiles are the process table.
func (m *machine) Alive(id panes.ProcessID, _ string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.of(id)
	return p != nil && (!p.dead || p.lingers)
}

func (m *machine) Runs(id panes.ProcessID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.of(id)
	return p != nil && !p.dead
}

// linger lets a child of a dead process turn out to live.
func (m *machine) linger(p *proc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.lingers = true
}

func alien(w *world, id agent.SessionID) panes.Proc {
	return panes.Proc{ID: panes.ProcessID{PID: 4711, Start: 1, Boot: w.boot}, Parent: 1, Argv: []string{"/usr/bin/sh", "--resume", string(id)}, TTY: "pts/3"}
}

func (m *machine) End(ctx context.Context, id panes.ProcessID, _ string, grace time.Duration) error {
	m.mu.Lock()
	p := m.of(id)
	wait := time.Duration(0)
	switch {
	case p == nil || p.dead && !p.lingers:
	case m.undying:
		wait = 3 * grace
	case m.stubborn:
		wait = 2 * grace
	default:
		p.die(bySignal(syscall.SIGHUP))
		p.lingers = false
	}
	m.mu.Unlock()
	if wait == 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.undying {
		return panes.ErrAlive
	}
	p.die(bySignal(syscall.SIGKILL))
	return nil
}

func (m *machine) List() ([]panes.Proc, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Clone(m.aliens)
	for _, p := range m.procs {
		one := panes.Proc{ID: p.id, Parent: 1, Argv: p.spec.Argv, Nonce: p.spec.Nonce, Name: "sh"}
		if p.gate == 0 { // it is our own program yet
			one.Argv, one.Name = []string{"reprise", "gate"}, "reprise"
		}
		if !p.dead {
			all = append(all, one)
		}
	}
	return all, nil
}

func (m *machine) OpenFiles(int) []string { return nil }

// runs lists the agents that run, by session.
func (m *machine) runs() []agent.SessionID {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []agent.SessionID
	for _, p := range m.procs {
		if p.gate == 1 && !p.dead && p.session != "" {
			out = append(out, p.session)
		}
	}
	slices.Sort(out)
	return out
}

func (m *machine) log() []launched {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.launches)
}

// starts counts the launches of a session.
func (m *machine) starts(s agent.SessionID) int {
	n := 0
	for _, l := range m.log() {
		if l.session == s {
			n++
		}
	}
	return n
}

// robot is a kind of agent whose program is in every PATH.
type robot struct {
	mu         sync.Mutex
	facts      agent.Facts
	transcript map[agent.SessionID]agent.Transcript // default CannotTell
	broken     error
	opened     map[int]agent.SessionID // by pid, as the program writes it down
	wrote      map[int]agent.Evidence  // likewise
	store      string                  // where its conversations lie; "": it does not tell
}

// HomeOf: --house names a home in the one that it is given.
func (r *robot) HomeOf(args []string, home string) string {
	if at := slices.Index(args, "--house"); at >= 0 {
		return filepath.Join(home, args[at+1])
	}
	return home
}

func (r *robot) Keeps(home string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.store == "" {
		return ""
	}
	return r.store + home
}

func (r *robot) Holds(_ string, p panes.ProcessID, id agent.SessionID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.opened[p.PID] == id
}

// Title: "* " that it works, "- " that it does not.
func (r *robot) Title(title string) agent.Doing {
	switch {
	case strings.HasPrefix(title, "* "):
		return agent.Working
	case strings.HasPrefix(title, "- "):
		return agent.Quiet
	}
	return agent.DoingUnknown
}

// Screen: a last row "(yes/no)" under a question is a permission's, "(esc)" is work's.
func (r *robot) Screen(rows []string) agent.Doing {
	if n := len(rows); n >= 1 && rows[n-1] == "(esc)" {
		return agent.Working
	}
	if n := len(rows); n >= 2 && rows[n-1] == "(yes/no)" {
		return agent.AsksPermission
	}
	return agent.DoingUnknown
}

// Does is what the test says that a process wrote down.
func (r *robot) Does(_ string, p panes.ProcessID) (agent.Doing, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.wrote[p.PID]
	return w.Doing, w.Since
}

func newRobot(name string) *robot {
	return &robot{
		facts:      agent.Facts{Name: name, Label: name, Program: "sh", OwnProcesses: 1, PresetsID: true, HomeEnv: "ROBOT_HOME", TellsTurns: true},
		transcript: map[agent.SessionID]agent.Transcript{},
	}
}

func (r *robot) Facts() agent.Facts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.facts
}

func (r *robot) Launch(in agent.LaunchInput) (agent.Command, error) {
	if slices.Contains(in.Flags, "--plain") {
		return agent.Command{Argv: append([]string{"sh"}, in.Flags...), Plain: true}, nil
	}
	argv := []string{"sh"}
	if id := sessionIn(in.Flags); id != "" {
		return agent.Command{Argv: append(argv, in.Flags...), Session: id, Env: []string{"HOOK=" + in.Hook.Nonce}, Files: robotFiles(in)}, nil
	}
	if in.Session != "" {
		argv = append(argv, "--session-id", string(in.Session))
	}
	return agent.Command{Argv: append(argv, in.Flags...), Session: in.Session, Env: []string{"HOOK=" + in.Hook.Nonce}, Files: robotFiles(in)}, nil
}

func (r *robot) Resume(in agent.LaunchInput) (agent.Command, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	argv := append([]string{"sh", "--resume", string(in.Session)}, in.Flags...)
	return agent.Command{Argv: argv, Session: in.Session, Env: []string{"HOOK=" + in.Hook.Nonce}, Files: robotFiles(in)}, r.broken
}

// robotFiles is a file of a launch, where there is a state folder for it: which
// of the person's settings the kind was told.
func robotFiles(in agent.LaunchInput) []panes.File {
	if in.Hook.State == "" {
		return nil
	}
	at := slices.Index(in.Env, "THEIRS=1")
	return []panes.File{{Name: "hook", Data: []byte(strconv.FormatBool(at >= 0))}}
}

func (r *robot) Hook(string, map[string]json.RawMessage) agent.HookFacts { return agent.HookFacts{} }

func (r *robot) Transcript(_, _ string, id agent.SessionID) agent.Transcript {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.transcript[id]
}

func (r *robot) says(id agent.SessionID, t agent.Transcript) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.transcript[id] = t
}

// kinds is a registry.
type kinds struct {
	mu  sync.Mutex
	all map[string]agent.Kind
}

func newKinds(all ...*robot) *kinds {
	k := &kinds{all: map[string]agent.Kind{}}
	for _, r := range all {
		k.all[r.facts.Name] = r
	}
	return k
}

func (k *kinds) Kind(name string) (agent.Kind, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	one, ok := k.all[name]
	return one, ok
}

func (k *kinds) All() []agent.Kind {
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []agent.Kind
	for _, one := range k.all {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b agent.Kind) int { return cmp.Compare(a.Facts().Name, b.Facts().Name) })
	return all
}

func (k *kinds) remove(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.all, name)
}

func has(list []string, want string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, want) })
}
