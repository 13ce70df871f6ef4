package kinds_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/testdata/lab"
)

// otherAgent is how one of them is used.
type otherAgent struct {
	name, home string // home: what the kind's home variable would be
	anew, quit string // what is typed for another conversation, and to end it
	// late: the first hook comes with the first message.
	late bool
	// greets is what it shows once another conversation has begun, where what is typed
	// before goes to the old one; "": nothing.
	greets string
	// message is how a first message is given, which is said once.
	message []string
	// tool and yes: a call that needs a permission, and the key that gives it; "": it asks
	// for none.
	tool, yes string
}

// otherAgents are run only where REPRISE_TEST_AGENTS has them: they take long.
var otherAgents = []otherAgent{
	{name: "gemini", anew: "/clear", quit: "/quit", message: []string{"never say this again"}, tool: `run_shell_command {"command":"touch x"}`, yes: "\r"},
	{name: "qwen", home: ".qwen", anew: "/clear", quit: "/quit", message: []string{"-i", "never say this again"}, tool: `run_shell_command {"command":"touch x"}`, yes: "\r"},
	{
		name: "copilot", home: ".copilot", anew: "/clear", quit: "/exit", late: true, message: []string{"-i", "never say this again"},
		tool: `bash {"command":"touch x","description":"x"}`, yes: "\r",
	},
	{name: "opencode", anew: "/new", quit: "/exit", late: true, message: []string{"--prompt", "never say this again"}},
	{name: "pi", home: ".pi/agent", anew: "/new", quit: "/quit", message: []string{"never say this again"}},
	{name: "kimi", home: ".kimi-code", anew: "/new", quit: "/exit", late: true, greets: "Started a new session", message: []string{"--agent", "agent"}, tool: `Bash {"command":"touch x"}`, yes: "1"},
	{name: "grok", home: ".grok", anew: "/new", quit: "/exit", message: []string{"never say this again"}, tool: `run_terminal_command {"command":"touch x","description":"x"}`, yes: "1"},
}

// TestOtherRealAgents: they are told a codeword, killed, asked for it, hung up,
// asked again, told to begin anew, and left.
func TestOtherRealAgents(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for _, a := range otherAgents {
		t.Run(a.name, func(t *testing.T) {
			s, r := a.prepare(t)
			k := s.kind
			own := k.Facts().OwnProcesses
			preset := a.preset(k)
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
			said := p.tell(r, "remember codeword ZEBRA-17", "ZEBRA-17")
			e := p.await(agent.HookPrompt, 0).Event
			id := e.Session
			if !id.Valid() || preset != "" && id != preset || e.Depth != own {
				t.Fatalf("prompted as %+v, preset %q", e, preset)
			}
			if a.name != "opencode" { // its store is no file
				p.kept(home, id, said)
			}
			p.signal(syscall.SIGKILL)
			p.wait()

			p = s.play(k.Resume(s.input(id, a.message...)))
			p.tell(r, "which codeword?", "ZEBRA-17")
			if got := p.await(agent.HookPrompt, 0).Event.Session; got != id || p.count(agent.HookPrompt) != 1 {
				t.Errorf("resumed as %s with %d prompts, it was %s", got, p.count(agent.HookPrompt), id)
			}
			p.permit(a, id)
			p.signal(syscall.SIGHUP)
			p.wait()
			for _, e := range p.events(p.at) {
				if e.Event.Certain {
					t.Errorf("a certain goodbye on SIGHUP: %s", e.Payload)
				}
			}

			forkOther(t, s, r, id, a.message)

			p = s.play(k.Resume(s.input(id)))
			p.tell(r, "which codeword?", "ZEBRA-17")
			starts := p.count(agent.HookStart)
			greeted := p.out.count(a.greets)
			switch {
			case a.greets != "":
				p.command(a.anew, func() bool { return p.out.count(a.greets) > greeted })
			case a.late: // nothing tells that it was taken; twice does no harm
				p.once(a.anew)
				p.once(a.anew)
			default:
				p.command(a.anew, func() bool { return p.count(agent.HookStart) > starts })
			}
			prompts := p.count(agent.HookPrompt)
			p.tell(r, "hello again", "")
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
	p.tell(r, "which codeword?", "ZEBRA-17")
	own := p.await(agent.HookPrompt, 0).Event.Session
	if own == id || !own.Valid() || c.Session != "" && c.Session != own {
		t.Errorf("the fork of %s is %s, to be bound as %q", id, own, c.Session)
	}
	p.signal(syscall.SIGKILL)
	p.wait()
	p = s.play(s.kind.Resume(s.input(own, flags...)))
	p.tell(r, "which codeword?", "ZEBRA-17")
	if got := p.await(agent.HookPrompt, 0).Event.Session; got != own || p.count(agent.HookPrompt) != 1 {
		t.Errorf("the fork came back as %s with %d prompts, it was %s", got, p.count(agent.HookPrompt), own)
	}
	p.signal(syscall.SIGHUP)
	p.wait()
}

// TestOtherRealAgentsSideBySide: two of one kind in one directory, both killed, come back
// each with what was said in it.
func TestOtherRealAgentsSideBySide(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	for _, a := range otherAgents {
		t.Run(a.name, func(t *testing.T) {
			s, r := a.prepare(t)
			beside := newStage(t, s.kind, r.Dir, r.Env)
			beside.path, beside.folder = s.path, filepath.Join(r.Home, "launch", "1.1-nonce-2")
			two := []*stage{s, beside}
			words, ids := []string{"ZEBRA-17", "LION-21"}, make([]agent.SessionID, len(two))
			var players []*player
			for i, s := range two {
				p := s.play(s.kind.Launch(s.input(a.preset(s.kind))))
				said := p.tell(r, "remember codeword "+words[i], words[i])
				ids[i] = p.await(agent.HookPrompt, 0).Event.Session
				if a.name != "opencode" {
					p.kept(filepath.Join(r.Home, a.home), ids[i], said)
				}
				players = append(players, p)
			}
			if ids[0] == ids[1] {
				t.Fatalf("both have the session %s", ids[0])
			}
			for _, p := range players {
				p.signal(syscall.SIGKILL)
				p.wait()
			}
			for i, s := range two {
				players[i] = s.play(s.kind.Resume(s.input(ids[i])))
			}
			for i, p := range players {
				p.tell(r, "which codeword?", words[i])
				if got := p.await(agent.HookPrompt, 0).Event.Session; got != ids[i] {
					t.Errorf("%s came back as %s", ids[i], got)
				}
			}
		})
	}
}

// prepare gives an agent a home, with our hooks in it where it takes them from nowhere
// else: those that docs/agents.md says.
func (a otherAgent) prepare(t *testing.T) (*stage, *lab.Real) {
	t.Helper()
	r := lab.NewReal(t, a.name)
	s := newStage(t, kind(t, a.name), r.Dir, r.Env)
	s.path, s.folder = r.Program, filepath.Join(r.Home, "launch", "1.1-nonce-1")
	if file, text := kinds.OwnHooks(t, s.kind); file != "" {
		path := filepath.Join(r.Home, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return s, r
}

// preset is an id for a session of a kind that takes one.
func (a otherAgent) preset(k agent.Kind) agent.SessionID {
	if !k.Facts().PresetsID {
		return ""
	}
	return agent.SessionID(uuid.NewString())
}

// permit has the agent ask for a permission, and gives it: it waits, then works on.
func (p *player) permit(a otherAgent, id agent.SessionID) {
	p.Helper()
	if a.tool == "" {
		return
	}
	asks, stops := p.count(agent.HookAsk), p.count(agent.HookStop)
	p.command("[[tool "+a.tool+"]]", func() bool { return p.count(agent.HookAsk) > asks })
	if e := p.await(agent.HookAsk, asks).Event; e.Session != id || e.Depth != p.kind.Facts().OwnProcesses {
		p.Errorf("it asks as %+v", e)
	}
	works := p.count(agent.HookWork)
	var next time.Time
	p.eventually("permitted", func() bool {
		if p.count(agent.HookWork) > works {
			return true
		}
		if now := time.Now(); now.After(next) { // the question may be drawn after the hook
			p.key(a.yes)
			next = now.Add(3 * time.Second)
		}
		return false
	})
	p.await(agent.HookStop, stops)
	if _, err := os.Stat(filepath.Join(p.dir, "x")); err != nil {
		p.Errorf("what was permitted was not done: %v", err)
	}
}

var tickets int

// tell types a message until a turn begins, waits for its end, and looks whether
// the model was sent a codeword with it; "": none. It returns the answer; if there were
// several (grok has one more for a title, which it does not write down), what they begin with.
func (p *player) tell(r *lab.Real, line, word string) string {
	p.Helper()
	tickets++
	ticket := fmt.Sprintf("ticket %d of many", 1000+tickets)
	prompts, stops := p.count(agent.HookPrompt), p.count(agent.HookStop)
	p.command(line+" "+ticket, func() bool { return p.count(agent.HookPrompt) > prompts })
	p.await(agent.HookStop, stops)
	answers := r.Answers(ticket)
	want := "codeword is " + word
	if word == "" {
		want = "no codeword"
	}
	var right []string
	for _, said := range answers {
		if strings.Contains(said, want) && !slices.Contains(right, said) {
			right = append(right, said)
		}
	}
	switch len(right) {
	case 0:
		p.Errorf("asked %q it answered %q, not %q", line, answers, want)
	case 1:
		return right[0]
	}
	return want
}
