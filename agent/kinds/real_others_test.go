package kinds_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"reprise/agent"
	"reprise/testdata/lab"
)

// otherAgents are run only where REPRISE_TEST_AGENTS has them: they take long.
var otherAgents = []struct {
	name, home string // home: what the kind's home variable would be
	anew, quit string // what is typed for another conversation, and to end it
	// late: the first hook comes with the first message.
	late bool
	// message is how a first message is given, which is said once.
	message []string
}{
	{name: "gemini", anew: "/clear", quit: "/quit", message: []string{"never say this again"}},
	{name: "qwen", home: ".qwen", anew: "/clear", quit: "/quit", message: []string{"-i", "never say this again"}},
	{name: "copilot", home: ".copilot", anew: "/clear", quit: "/exit", late: true, message: []string{"-i", "never say this again"}},
	{name: "opencode", anew: "/new", quit: "/exit", late: true, message: []string{"--prompt", "never say this again"}},
	{name: "pi", home: ".pi/agent", anew: "/new", quit: "/quit", message: []string{"never say this again"}},
}

// TestOtherRealAgents: they are told a codeword, killed, asked for it, hung up,
// asked again, told to begin anew, and left.
func TestOtherRealAgents(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for _, a := range otherAgents {
		t.Run(a.name, func(t *testing.T) {
			r := lab.NewReal(t, a.name)
			k := kind(t, a.name)
			s := newStage(t, k, r.Dir, r.Env)
			s.path, s.folder = r.Program, filepath.Join(r.Home, "launch", "1.1-nonce-1")
			own := k.Facts().OwnProcesses

			preset := agent.SessionID("")
			if k.Facts().PresetsID {
				preset = agent.SessionID(uuid.NewString())
			}
			p := s.play(k.Launch(s.input(preset)))
			if !a.late {
				if e := p.await(agent.HookStart, 0); preset != "" && e.Event.Session != preset || e.Event.Depth != own {
					t.Errorf("started as %+v", e.Event)
				}
			}
			home := filepath.Join(r.Home, a.home)
			if preset != "" && k.Transcript(home, "", preset) == agent.HasTranscript {
				t.Error("it has a conversation before its first message")
			}
			p.tell(r, "remember codeword ZEBRA-17", true)
			e := p.await(agent.HookPrompt, 0).Event
			id := e.Session
			if !id.Valid() || preset != "" && id != preset || e.Depth != own {
				t.Fatalf("prompted as %+v, preset %q", e, preset)
			}
			if got := k.Transcript(home, r.Dir, id); got != agent.HasTranscript && a.name != "opencode" {
				t.Errorf("after a message: transcript %v", got)
			}
			p.signal(syscall.SIGKILL)
			p.wait()

			p = s.play(k.Resume(s.input(id, a.message...)))
			p.tell(r, "which codeword?", true)
			if got := p.await(agent.HookPrompt, 0).Event.Session; got != id || p.count(agent.HookPrompt) != 1 {
				t.Errorf("resumed as %s with %d prompts, it was %s", got, p.count(agent.HookPrompt), id)
			}
			p.signal(syscall.SIGHUP)
			p.wait()
			for _, e := range p.events(p.at) {
				if e.Event.Certain {
					t.Errorf("a certain goodbye on SIGHUP: %s", e.Payload)
				}
			}

			forkOther(t, s, r, id, a.message)

			p = s.play(k.Resume(s.input(id)))
			p.tell(r, "which codeword?", true)
			starts := p.count(agent.HookStart)
			if a.late { // nothing tells that it was taken; twice does no harm
				p.once(a.anew)
				p.once(a.anew)
			} else {
				p.command(a.anew, func() bool { return p.count(agent.HookStart) > starts })
			}
			prompts := p.count(agent.HookPrompt)
			p.tell(r, "hello again", false)
			if e := p.await(agent.HookPrompt, prompts).Event; e.Session == id || !e.Session.Valid() {
				t.Errorf("after %s: %+v", a.anew, e)
			}
			p.command(a.quit, p.ended)
			p.wait()
			if status := p.cmd.ProcessState.ExitCode(); status != 0 {
				t.Errorf("%s gave status %d", a.quit, status)
			}
		})
	}
}

// forkOther goes on with a copy of a session, if the kind makes one: it has an id of its
// own, knows what the session knew, and is what comes back.
func forkOther(t *testing.T, s *stage, r *lab.Real, id agent.SessionID, message []string) {
	t.Helper()
	flags := s.kind.(agent.Forker).Fork(s.input(id, message...))
	if flags == nil {
		return
	}
	preset := agent.SessionID("")
	if s.kind.Facts().PresetsID {
		preset = agent.SessionID(uuid.NewString())
	}
	c, err := s.kind.Launch(s.input(preset, flags...))
	p := s.play(c, err)
	p.tell(r, "which codeword?", true)
	own := p.await(agent.HookPrompt, 0).Event.Session
	if own == id || !own.Valid() || c.Session != "" && c.Session != own {
		t.Errorf("the fork of %s is %s, to be bound as %q", id, own, c.Session)
	}
	p.signal(syscall.SIGKILL)
	p.wait()
	p = s.play(s.kind.Resume(s.input(own, flags...)))
	p.tell(r, "which codeword?", true)
	if got := p.await(agent.HookPrompt, 0).Event.Session; got != own || p.count(agent.HookPrompt) != 1 {
		t.Errorf("the fork came back as %s with %d prompts, it was %s", got, p.count(agent.HookPrompt), own)
	}
	p.signal(syscall.SIGHUP)
	p.wait()
}

var tickets int

// tell types a message until a turn begins, waits for its end, and looks whether
// the model was sent the codeword with it.
func (p *player) tell(r *lab.Real, line string, knows bool) {
	p.Helper()
	tickets++
	ticket := fmt.Sprintf("ticket %d of many", 1000+tickets)
	prompts, stops := p.count(agent.HookPrompt), p.count(agent.HookStop)
	p.command(line+" "+ticket, func() bool { return p.count(agent.HookPrompt) > prompts })
	p.await(agent.HookStop, stops)
	answers := r.Answers(ticket)
	if slices.ContainsFunc(answers, func(a string) bool { return strings.Contains(a, "ZEBRA-17") }) != knows {
		p.Errorf("asked %q it answered %q", line, answers)
	}
}
