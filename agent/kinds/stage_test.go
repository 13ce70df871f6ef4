package kinds_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"reprise/agent"
	"reprise/agent/hook"
	"reprise/agent/kinds"
	"reprise/panes"
	"reprise/testdata/lab"
)

// patience bounds each wait for a real agent; nothing is measured.
const patience = 2 * time.Minute

// TestMain is the hook command, too: agents run this binary as they run reprise.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		os.Exit(hookCommandMain(os.Args[2:]))
	}
	os.Exit(lab.Main(m))
}

// seen is one line of STATE/seen: an event, and the payload it came with.
type seen struct {
	Event   agent.HookEvent
	Payload json.RawMessage
}

func hookCommandMain(args []string) int {
	payload, _ := io.ReadAll(os.Stdin)
	reg, _ := kinds.New([]kinds.Custom{standinKind("standin")})
	return hook.Run(args, bytes.NewReader(payload), hook.Deps{
		Kinds:     reg,
		Ancestors: func() []panes.Proc { return panes.ParentChain(os.Getpid()) },
		Terminal: func(state, _ string) (id panes.ProcessID, err error) {
			var data []byte // it may not be written yet: see play
			for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
				if data, err = os.ReadFile(filepath.Join(state, "root")); err == nil {
					break
				}
			}
			return id, errors.Join(err, json.Unmarshal(data, &id))
		},
		Record: func(state string, e agent.HookEvent) error {
			if !json.Valid(payload) {
				payload = []byte("null")
			}
			line, err := json.Marshal(seen{e, payload})
			f, err2 := os.OpenFile(filepath.Join(state, "seen"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
			if err = errors.Join(err, err2); err != nil {
				return err
			}
			_, err = f.Write(append(line, '\n'))
			return errors.Join(err, f.Close())
		},
		Spool: func(string, agent.HookEvent) error { return nil },
		Now:   time.Now,
	})
}

// stage is where an agent plays: a state folder with an awkward name, and the
// environment.
type stage struct {
	*testing.T
	kind  agent.Kind
	state string
	dir   string
	env   []string
	path  string // the program, if PATH does not have it
	// folder is where the files of a launch lie; "": below the state folder.
	folder string
}

func newStage(t *testing.T, k agent.Kind, dir string, env []string) *stage {
	s := &stage{T: t, kind: k, state: filepath.Join(t.TempDir(), `it's a "state"`), dir: dir, env: env}
	if err := os.MkdirAll(s.state, 0o700); err != nil {
		t.Fatal(err)
	}
	return s
}

// input is what the coordinator would give.
func (s *stage) input(id agent.SessionID, flags ...string) agent.LaunchInput {
	self, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	program := filepath.Join(s.state, "reprise")
	if err := os.Symlink(self, program); err != nil && !errors.Is(err, fs.ErrExist) {
		s.Fatal(err)
	}
	if s.folder == "" {
		s.folder = filepath.Join(s.state, "launch", "1.1-nonce-1")
	}
	return agent.LaunchInput{
		Session: id, Flags: flags, Dir: s.dir, Home: s.kind.Facts().Home(s.env, s.dir), Env: s.env,
		Hook: agent.HookCommand{Program: program, State: s.state, Nonce: "nonce-1", Folder: s.folder},
	}
}

// player is a running agent.
type player struct {
	*stage
	cmd  *exec.Cmd
	tty  *os.File
	done chan struct{}
	at   int // hook events before it started
	out  *output
}

// output is what an agent wrote.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(b)
}

func (o *output) count(s string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Count(o.buf.Bytes(), []byte(s))
}

// play starts an agent in a pty, as a pane would.
func (s *stage) play(c agent.Command, err error) *player {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
	if c.Notice != "" {
		s.Fatal(c.Notice)
	}
	for _, f := range c.Files {
		path := filepath.Join(s.folder, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, f.Data, 0o600)); err != nil {
			s.Fatal(err)
		}
	}
	program := c.Argv[0]
	if s.path != "" {
		program = s.path
	}
	p := &player{stage: s, cmd: exec.Command(program), done: make(chan struct{}), at: len(s.events(0)), out: &output{}}
	p.cmd.Args, p.cmd.Dir, p.cmd.Env = c.Argv, s.dir, environment(s.env, c.Env)
	root := filepath.Join(s.state, "root")
	if err := os.Remove(root); err != nil && !errors.Is(err, fs.ErrNotExist) { // that of the one before
		s.Fatal(err)
	}
	if p.tty, err = pty.StartWithSize(p.cmd, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		s.Fatal(err)
	}
	id, err := panes.Identify(p.cmd.Process.Pid)
	data, err2 := json.Marshal(id)
	if err = errors.Join(err, err2, os.WriteFile(root+"~", data, 0o600), os.Rename(root+"~", root)); err != nil {
		s.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(p.out, p.tty)
	}()
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	s.Cleanup(func() {
		p.signal(syscall.SIGKILL)
		p.wait()
		_ = p.tty.Close()
		<-read
		if s.Failed() {
			s.Logf("%q wrote:\n%q", p.cmd.Args[:min(2, len(p.cmd.Args))], p.out.buf.Bytes()[max(0, p.out.buf.Len()-2000):])
		}
	})
	return p
}

func (p *player) signal(sig syscall.Signal) { _ = syscall.Kill(-p.cmd.Process.Pid, sig) }

func (p *player) wait() {
	p.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.Fatal("it does not end")
	}
}

// events are the hook events seen from the given one on. A line that a hook is
// still writing is not there yet.
func (s *stage) events(from int) (out []seen) {
	data, _ := os.ReadFile(filepath.Join(s.state, "seen"))
	for line := range bytes.Lines(data[:bytes.LastIndexByte(data, '\n')+1]) {
		var e seen
		if err := json.Unmarshal(line, &e); err != nil {
			s.Fatal(err)
		}
		out = append(out, e)
	}
	return out[min(from, len(out)):]
}

// await waits for a hook event of this life that comes after n of its kind.
func (p *player) await(what agent.HookWhat, n int) (e seen) {
	p.Helper()
	p.eventually(string(what), func() bool {
		left := n
		for _, e = range p.events(p.at) {
			if e.Event.What != what {
				continue
			}
			if left == 0 {
				return true
			}
			left--
		}
		return false
	})
	return e
}

func (p *player) count(what agent.HookWhat) (n int) {
	for _, e := range p.events(p.at) {
		if e.Event.What == what {
			n++
		}
	}
	return n
}

// say types a line until the agent takes it: one that is still starting
// swallows keys. It returns what the agent answered. A line that was typed twice
// has two answers: the one meant is the first after the line was taken.
func (p *player) say(line string) string {
	p.Helper()
	from, at := p.at+len(p.events(p.at)), -1
	p.command(line, func() bool {
		at = slices.IndexFunc(p.events(from), func(e seen) bool {
			return e.Event.What == agent.HookPrompt && bytes.Contains(e.Payload, []byte(line))
		})
		return at >= 0
	})
	var answer struct {
		Last string `json:"last_assistant_message"`
	}
	p.eventually("answered", func() bool {
		for _, e := range p.events(from + at) {
			if e.Event.What == agent.HookStop {
				if err := json.Unmarshal(e.Payload, &answer); err != nil {
					p.Fatal(err)
				}
				return true
			}
		}
		return false
	})
	return answer.Last
}

func (p *player) key(s string) {
	if _, err := io.WriteString(p.tty, s); err != nil {
		p.Fatal(err)
	}
}

// command types a line until the condition holds. Bracketed paste (mode 2004) is
// asked for by an agent that reads keys.
func (p *player) command(line string, until func() bool) {
	p.Helper()
	p.eventually("reads keys", func() bool { return p.out.count("\x1b[?2004h") > 0 })
	next := time.Now()
	p.eventually(line, func() bool {
		if until() {
			return true
		}
		if time.Now().After(next) {
			next = time.Now().Add(10 * time.Second) // its hook may be slow to tell
			_, _ = io.WriteString(p.tty, "\x15"+line)
			time.Sleep(400 * time.Millisecond) // else the line's end is part of a paste
			_, _ = io.WriteString(p.tty, "\r")
		}
		return false
	})
}

// once types a command once, to an agent that is let rest before: one more that was
// swallowed and typed again would be another /clear. Its line's end comes later, else it
// is part of a paste.
func (p *player) once(line string) {
	time.Sleep(2 * time.Second)
	_, _ = io.WriteString(p.tty, "\x15"+line)
	time.Sleep(time.Second)
	_, _ = io.WriteString(p.tty, "\r")
}

// clearTalk begins a new conversation by /clear. claude's hook tells of it at once,
// codex's only at the next prompt: it is taken when it greets anew.
func (p *player) clearTalk() {
	p.Helper()
	const greeting = "OpenAI Codex"
	starts, greeted := p.count(agent.HookStart), p.out.count(greeting)
	p.command("/clear", func() bool { return p.count(agent.HookStart) > starts || p.out.count(greeting) > greeted })
	if said := p.say("hello again"); strings.Contains(said, "ZEBRA-17") {
		p.Errorf("after /clear it said %q", said)
	}
}

// eventually waits for a condition.
func (p *player) eventually(what string, holds func() bool) {
	p.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			p.Fatalf("%s: not so; seen %+v", what, p.events(p.at))
		}
	}
}

func (p *player) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// environment is base with a command's own variables, as panes.Spec says: a bare
// name unsets.
func environment(base, own []string) []string {
	env := slices.Clone(base)
	for _, kv := range own {
		name, _, sets := strings.Cut(kv, "=")
		env = slices.DeleteFunc(env, func(old string) bool { return strings.HasPrefix(old, name+"=") })
		if sets {
			env = append(env, kv)
		}
	}
	return env
}

// A hook may still be writing the line that the stage reads.
func TestHalfALineIsNoEvent(t *testing.T) {
	s := newStage(t, kind(t, "claude"), t.TempDir(), nil)
	for text, want := range map[string]int{
		"":                        0,
		`{"Event":{"What":"st`:    0,
		"{}\n" + `{"Event":{"Wh`:  1,
		"{}\n" + `{}` + "\n":      2,
		`{"Payload":"a long one"`: 0,
	} {
		if err := os.WriteFile(filepath.Join(s.state, "seen"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := len(s.events(0)); got != want {
			t.Errorf("%q is %d events, want %d", text, got, want)
		}
	}
}
