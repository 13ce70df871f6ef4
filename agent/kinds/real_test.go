package kinds_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"reprise/agent"
	"reprise/panes"
	"reprise/testdata/lab"
)

// TestRealAgents: what this package says of the real programs is so. They are
// told a codeword, die in different ways and are asked for it.
func TestRealAgents(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for _, name := range []string{"claude", "codex"} {
		t.Run(name, func(t *testing.T) { realAgent(t, name) })
	}
}

func realAgent(t *testing.T, name string) {
	r := lab.NewReal(t, name)
	k := kind(t, name)
	s := newStage(t, k, r.Dir, r.Env)
	s.path = r.Program
	home := filepath.Join(r.Home, "."+name)

	id := agent.SessionID("")
	if k.Facts().PresetsID {
		id = agent.SessionID(uuid.NewString())
	}
	first, err := k.Launch(s.input(id))
	p := s.play(first, err)
	if id != "" {
		if e := p.await(agent.HookStart, 0); e.Event.Session != id || e.Event.Depth != 1 || e.Event.Reason != "startup" {
			t.Errorf("started as %+v, preset %s", e.Event, id)
		}
		holder, err := panes.Identify(p.cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		w := k.(agent.Witness)
		p.eventually("it says what it has", func() bool { return w.Holds(home, holder, id) })
		if w.Holds(home, holder, other) {
			t.Errorf("it says that %+v has %s", holder, other)
		}
		holder.Start++
		if w.Holds(home, holder, id) {
			t.Error("a former process's word was taken")
		}
		if got := k.Transcript(home, r.Dir, id); got != agent.NoTranscript {
			t.Errorf("transcript before the first prompt: %v", got)
		}
	}
	said := p.say("remember codeword ZEBRA-17")
	if !strings.Contains(said, "ZEBRA-17") {
		t.Errorf("it said %q", said)
	}
	e := p.await(agent.HookStart, 0)
	if id == "" {
		id = e.Event.Session
	}
	if !id.Valid() || e.Event.Session != id || e.Event.Depth != 1 {
		t.Fatalf("started as %+v", e.Event)
	}
	p.kept(home, id, said)
	p.signal(syscall.SIGKILL)
	p.wait()
	if n := p.count(agent.HookGoodbye); n != 0 {
		t.Errorf("%d goodbyes after SIGKILL", n)
	}

	// Killed: it goes on, under the same id; then it is hung up.
	second, err := k.Resume(s.input(id, "--model", "fake-model", "never say this again"))
	p = s.play(second, err)
	if said := p.say("which codeword?"); !strings.Contains(said, "ZEBRA-17") {
		t.Errorf("after SIGKILL it said %q", said)
	}
	if e := p.await(agent.HookStart, 0); e.Event.Session != id || e.Event.Reason != "resume" || e.Event.Depth != 1 {
		t.Errorf("resumed as %+v", e.Event)
	}
	for _, e := range p.events(p.at) {
		if bytes.Contains(e.Payload, []byte("never say this again")) {
			t.Errorf("the first message was said again: %s", e.Payload)
		}
	}
	p.signal(syscall.SIGHUP)
	p.wait()
	for _, e := range p.events(p.at) {
		if e.Event.Certain {
			t.Errorf("a certain goodbye on SIGHUP: %s", e.Payload)
		}
	}

	fork(t, s, home, id)

	// Hung up: it goes on; /clear gives it another id; it ends of its own.
	third, err := k.Resume(s.input(id))
	p = s.play(third, err)
	if said := p.say("which codeword?"); !strings.Contains(said, "ZEBRA-17") {
		t.Errorf("after SIGHUP it said %q", said)
	}
	starts := p.count(agent.HookStart)
	p.clearTalk()
	if e := p.await(agent.HookStart, starts); e.Event.Session == id || !e.Event.Session.Valid() || e.Event.Reason != "clear" {
		t.Errorf("after /clear: %+v", e.Event)
	}
	p.command("/exit", p.ended)
	p.wait()
	if status := p.cmd.ProcessState.ExitCode(); status != 0 {
		t.Errorf("/exit gave status %d", status)
	}
	if name == "claude" {
		p.eventually("a certain goodbye", func() bool { // /clear says one, too, that is not
			return slices.ContainsFunc(p.events(p.at), func(e seen) bool { return e.Event.What == agent.HookGoodbye && e.Event.Certain })
		})
	}
}

// fork goes on with a copy of a session: the copy is what is bound, and comes
// back with what the session knew, which is left as it was.
func fork(t *testing.T, s *stage, home string, id agent.SessionID) {
	t.Helper()
	flags := s.kind.(agent.Forker).Fork(s.input(id, "--model", "fake-model", "never say this again"))
	c, err := s.kind.Launch(s.input(agent.SessionID(uuid.NewString()), flags...))
	if !slices.Contains(c.Argv, "fake-model") {
		t.Errorf("the fork is begun by %q", c.Argv)
	}
	original := writtenOf(home, id)
	p := s.play(c, err)
	said := p.say("which codeword?")
	if !strings.Contains(said, "ZEBRA-17") {
		t.Errorf("the fork said %q", said)
	}
	own := p.await(agent.HookPrompt, 0).Event.Session
	if own == id || !own.Valid() || c.Session != "" && c.Session != own {
		t.Errorf("the fork of %s is %s, to be bound as %q", id, own, c.Session)
	}
	for _, e := range p.events(p.at) {
		if e.Event.Session != "" && e.Event.Session != own {
			t.Errorf("the fork said that it is %s: %+v", own, e.Event)
		}
	}
	p.kept(home, own, said)
	p.signal(syscall.SIGKILL)
	p.wait()
	if now := writtenOf(home, id); len(original) == 0 || !bytes.Equal(now, original) {
		t.Errorf("the fork of %s changed it: %d bytes, they were %d", id, len(now), len(original))
	}
	p = s.play(s.kind.Resume(s.input(own, flags...)))
	if said := p.say("which codeword?"); !strings.Contains(said, "ZEBRA-17") {
		t.Errorf("the fork came back and said %q", said)
	}
	if e := p.await(agent.HookStart, 0); e.Event.Session != own {
		t.Errorf("the fork came back as %+v", e.Event)
	}
	p.signal(syscall.SIGHUP)
	p.wait()
}

// kept waits until the agent has written its answer down, and nothing more for a
// second: claude and kimi do so some tenths of a second later, a fork's other lines in no
// order, and a kill before that loses them.
func (p *player) kept(home string, id agent.SessionID, answer string) {
	p.Helper()
	var size int
	var since time.Time
	p.eventually("kept", func() bool {
		data := writtenOf(home, id)
		if len(data) != size {
			size, since = len(data), time.Now()
		}
		return bytes.Contains(data, []byte(answer)) && time.Since(since) > time.Second
	})
	if got := p.kind.Transcript(home, p.dir, id); got != agent.HasTranscript {
		p.Errorf("transcript of %s: %v", id, got)
	}
}

// writtenOf is what an agent has written down of a session.
func writtenOf(home string, id agent.SessionID) (data []byte) {
	_ = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") &&
			(strings.Contains(path, string(id)) || strings.Contains(filepath.Base(path), "-"+string(id)[:8]+".")) { // gemini's
			more, _ := os.ReadFile(path)
			data = append(data, more...)
		}
		return nil
	})
	return data
}

// TestRealWorktrees: a session in a worktree comes back to it, and asks nothing.
func TestRealWorktrees(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for _, name := range []string{"claude", "codex"} {
		t.Run(name, func(t *testing.T) {
			r := lab.NewReal(t, name)
			s := newStage(t, kind(t, name), r.Dir, r.Env)
			s.path = r.Program
			git := exec.Command("sh", "-c", "git init -q . && git -c user.email=a@b.c -c user.name=n commit -q --allow-empty -m first")
			git.Dir = r.Dir
			if out, err := git.CombinedOutput(); err != nil {
				t.Skipf("no git: %v\n%s", err, out)
			}
			p := s.play(s.kind.Launch(s.input(agent.SessionID(uuid.NewString()), "--worktree")))
			said := p.say("remember codeword ZEBRA-17")
			id, dir := p.where(agent.HookPrompt)
			if dir == r.Dir || !strings.Contains(dir, "worktrees") {
				t.Fatalf("it works in %s", dir)
			}
			p.kept(filepath.Join(r.Home, "."+name), id, said)
			p.signal(syscall.SIGKILL)
			p.wait()
			p = s.play(s.kind.Resume(s.input(id, "--worktree")))
			if said := p.say("which codeword?"); !strings.Contains(said, "ZEBRA-17") {
				t.Errorf("it said %q", said)
			}
			if again, now := p.where(agent.HookPrompt); again != id || now != dir {
				t.Errorf("session %s in %s came back as %s in %s", id, dir, again, now)
			}
		})
	}
}

// where is the session and the directory that an agent says with an event.
func (p *player) where(what agent.HookWhat) (id agent.SessionID, dir string) {
	p.Helper()
	e := p.await(what, 0)
	var at struct{ Cwd string }
	if err := json.Unmarshal(e.Payload, &at); err != nil {
		p.Fatal(err)
	}
	return e.Event.Session, at.Cwd
}
